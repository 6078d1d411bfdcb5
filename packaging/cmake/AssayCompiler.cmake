# Language level, warnings, sanitizers, linker and compiler cache for every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET default)
set(CMAKE_CXX_FLAGS_RELEASE "-O2")   # asserts stay on: a broken invariant must stop, not spread
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

find_program(ASSAY_CCACHE ccache)
if(ASSAY_CCACHE)
  # Precompiled headers carry their own time stamps; without this sloppiness every torch file would miss.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${ASSAY_CCACHE})
endif()
find_program(ASSAY_MOLD mold)
if(ASSAY_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

add_compile_options(-Wall -Wextra -Wno-missing-field-initializers)
if(ASSAY_UNITY)
  # A private State made of local types is warned about when its file is included rather than compiled by itself.
  add_compile_options(-Wno-subobject-linkage)
endif()
if(ASSAY_WERROR)
  add_compile_options(-Werror)
endif()
if(ASSAY_SANITIZE)
  add_compile_options(-fsanitize=${ASSAY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=${ASSAY_SANITIZE})
endif()
