#!/usr/bin/env bash
# Prints the folder of an installed CUDA 13 toolkit that has the headers of the plugin; fails when there is none.
# ASSAY_CUDA_TOOLKIT names the only folder to look at, or "none".
set -euo pipefail

candidates=("${ASSAY_CUDA_TOOLKIT:-}")
if [[ -z ${ASSAY_CUDA_TOOLKIT:-} ]]; then
    candidates=(${CUDA_HOME:+"$CUDA_HOME"} /usr/local/cuda)
    if nvcc=$(command -v nvcc); then
        candidates+=("$(dirname "$(dirname "$(readlink -f "$nvcc")")")")
    fi
fi
for folder in "${candidates[@]}"; do
    complete=yes
    for header in cuda_runtime_api cublas_v2 cublasLt cusparse cusolverDn; do
        [[ -f $folder/include/$header.h ]] || complete=no
    done
    if [[ $complete == yes ]] && grep --quiet '^#define CUDART_VERSION *13[0-9]*' "$folder/include/cuda_runtime_api.h"; then
        printf '%s\n' "$folder"
        exit 0
    fi
done
exit 1
