# LibTorch without find_package(Torch): the CUDA wheel's own package file demands an installed CUDA toolkit, while
# libtorch_cpu and libc10 link and run without one.
set(ASSAY_TORCH_VERSION 2.11.0)
set(ASSAY_TORCH_ROOT "${assay_cache}/libtorch-${ASSAY_TORCH_VERSION}" CACHE PATH "Folder that holds torch/ and nvidia/ of the wheels")
if(NOT EXISTS ${ASSAY_TORCH_ROOT}/torch/lib/libtorch_cpu.so)
  message(FATAL_ERROR "LibTorch ${ASSAY_TORCH_VERSION} is not in ${ASSAY_TORCH_ROOT}. Run: packaging/dev deps")
endif()

add_library(assay_torch_import INTERFACE)
add_library(assay::torch ALIAS assay_torch_import)
target_include_directories(assay_torch_import SYSTEM INTERFACE
  ${ASSAY_TORCH_ROOT}/torch/include ${ASSAY_TORCH_ROOT}/torch/include/torch/csrc/api/include)
target_include_directories(assay_torch_import INTERFACE ${PROJECT_SOURCE_DIR}/packaging/cmake/torch)
target_compile_definitions(assay_torch_import INTERFACE USE_C10D_GLOO USE_DISTRIBUTED)
# at::parallel_for is a template: without OpenMP in our own files it would run on one thread. The runtime is LibTorch's own, since
# two of them would each keep a team of threads.
target_compile_options(assay_torch_import INTERFACE -fopenmp)
target_link_libraries(assay_torch_import INTERFACE
  ${ASSAY_TORCH_ROOT}/torch/lib/libtorch_cpu.so ${ASSAY_TORCH_ROOT}/torch/lib/libc10.so ${ASSAY_TORCH_ROOT}/torch/lib/libgomp.so.1 Threads::Threads)
# libtorch_cpu finds libcudart and libcupti by its own RPATH ($ORIGIN/../../nvidia/cu13/lib); the linker is not asked to.
target_link_options(assay_torch_import INTERFACE -Wl,--allow-shlib-undefined -Wl,--disable-new-dtags
  -Wl,-rpath,${ASSAY_TORCH_ROOT}/torch/lib -Wl,-rpath,${ASSAY_TORCH_ROOT}/nvidia/cu13/lib)

# One precompiled header for every torch file: it alone costs about 20 CPU-seconds a translation unit.
file(WRITE ${CMAKE_BINARY_DIR}/torch_pch.cpp.in "#include <assay/torch.h>\n")
configure_file(${CMAKE_BINARY_DIR}/torch_pch.cpp.in ${CMAKE_BINARY_DIR}/torch_pch.cpp COPYONLY)
add_library(assay_torch_pch OBJECT ${CMAKE_BINARY_DIR}/torch_pch.cpp)
target_link_libraries(assay_torch_pch PRIVATE assay::torch)
target_precompile_headers(assay_torch_pch PRIVATE <assay/torch.h>)
