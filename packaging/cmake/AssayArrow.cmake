# Arrow and Parquet from the PyPI wheel of pyarrow, which packaging/dev deps unpacks: headers and two shared libraries whose
# own RPATH finds each other. Linked by libassay_arrow.so alone.
set(ASSAY_ARROW_VERSION 26.0.1)
set(ASSAY_ARROW_ROOT "${assay_cache}/arrow-${ASSAY_ARROW_VERSION}" CACHE PATH "Folder that holds include/ and libarrow.so of the wheel")
file(GLOB assay_arrow_libraries ${ASSAY_ARROW_ROOT}/libarrow.so.* ${ASSAY_ARROW_ROOT}/libparquet.so.*)
list(LENGTH assay_arrow_libraries assay_arrow_count)
if(NOT assay_arrow_count EQUAL 2 OR NOT EXISTS ${ASSAY_ARROW_ROOT}/include/parquet/arrow/reader.h)
  message(FATAL_ERROR "Arrow ${ASSAY_ARROW_VERSION} is not in ${ASSAY_ARROW_ROOT}. Run: packaging/dev deps")
endif()

add_library(assay_arrow_import INTERFACE)
target_include_directories(assay_arrow_import SYSTEM INTERFACE ${ASSAY_ARROW_ROOT}/include)
target_link_libraries(assay_arrow_import INTERFACE ${assay_arrow_libraries})
target_link_options(assay_arrow_import INTERFACE -Wl,--disable-new-dtags -Wl,-rpath,${ASSAY_ARROW_ROOT})
