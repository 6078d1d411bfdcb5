# Headers and libraries of the CUDA plugin. Headers come from an installed toolkit, else from the wheels that
# `packaging/dev deps --cuda` unpacked; libraries are LibTorch's own.
set(ASSAY_CUDA_ROOT "${ASSAY_TORCH_ROOT}-cuda" CACHE PATH "Folder that holds torch/lib/libtorch_cuda.so")
get_filename_component(assay_cuda_cache ${ASSAY_CUDA_ROOT} DIRECTORY)
if(NOT EXISTS ${ASSAY_CUDA_ROOT}/torch/lib/libtorch_cuda.so)
  message(FATAL_ERROR "LibTorch's CUDA libraries are not in ${ASSAY_CUDA_ROOT}. Run: packaging/dev deps --cuda")
endif()

execute_process(COMMAND ${PROJECT_SOURCE_DIR}/packaging/deps/cuda_toolkit.sh OUTPUT_VARIABLE assay_cuda_toolkit
  OUTPUT_STRIP_TRAILING_WHITESPACE)
if(assay_cuda_toolkit)
  set(assay_cuda_headers ${assay_cuda_toolkit}/include)
else()
  set(assay_cuda_headers ${assay_cuda_cache}/cuda-13.0-headers/nvidia/cu13/include)
endif()
# The wheel's NCCL headers come first: they belong to the very NCCL that LibTorch loads.
find_path(ASSAY_NCCL_HEADERS nccl.h NO_DEFAULT_PATH
  PATHS ${assay_cuda_cache}/nccl-2.28.9-headers/nvidia/nccl/include ${assay_cuda_headers})
foreach(header ${assay_cuda_headers}/cuda_runtime_api.h ${ASSAY_NCCL_HEADERS}/nccl.h)
  if(NOT EXISTS ${header})
    message(FATAL_ERROR "${header} is missing. Run: packaging/dev deps --cuda")
  endif()
endforeach()
message(STATUS "CUDA headers: ${assay_cuda_headers}; NCCL headers: ${ASSAY_NCCL_HEADERS}")

# The CUDA libraries that libtorch_cuda needs at run time: those of `deps --cuda-run`, else the toolkit's and the rest.
set(ASSAY_CUDA_LIBRARY_FOLDERS "")
foreach(set libraries rest)
  foreach(part cu13 cudnn nccl cusparselt nvshmem)
    list(APPEND ASSAY_CUDA_LIBRARY_FOLDERS ${assay_cuda_cache}/cuda-13.0-${set}/nvidia/${part}/lib)
  endforeach()
endforeach()
if(assay_cuda_toolkit)
  list(APPEND ASSAY_CUDA_LIBRARY_FOLDERS ${assay_cuda_toolkit}/lib64)
endif()

add_library(assay_cuda_import INTERFACE)
target_include_directories(assay_cuda_import SYSTEM INTERFACE ${assay_cuda_headers} ${ASSAY_NCCL_HEADERS})
target_link_libraries(assay_cuda_import INTERFACE
  ${ASSAY_CUDA_ROOT}/torch/lib/libtorch_cuda.so ${ASSAY_CUDA_ROOT}/torch/lib/libc10_cuda.so)
# cudart's few functions are called directly; the runtime beside LibTorch for the CPU serves.
file(GLOB assay_cudart ${ASSAY_TORCH_ROOT}/nvidia/cu13/lib/libcudart.so.*)
target_link_libraries(assay_cuda_import INTERFACE ${assay_cudart})
# libtorch_cuda registers kernels when it is loaded, so it is needed even where no symbol of it is used.
target_link_options(assay_cuda_import INTERFACE -Wl,--no-as-needed -Wl,--allow-shlib-undefined -Wl,--disable-new-dtags
  -Wl,-rpath,${ASSAY_CUDA_ROOT}/torch/lib)
foreach(folder ${ASSAY_CUDA_LIBRARY_FOLDERS})
  target_link_options(assay_cuda_import INTERFACE -Wl,-rpath,${folder})
endforeach()
