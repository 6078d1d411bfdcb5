// A libcuda.so.1 for tests: as many devices as FAKE_CUDA_DEVICES says, or the error FAKE_CUDA_ERROR from cuInit.
#include <cstdio>
#include <cstdlib>

namespace {
int number(const char* name) {
    const char* text = std::getenv(name);
    return text ? std::atoi(text) : 0;
}
}  // namespace

extern "C" {
int cuInit(unsigned) { return number("FAKE_CUDA_ERROR"); }
int cuDriverGetVersion(int* version) {
    *version = 13000;
    return 0;
}
int cuDeviceGetCount(int* count) {
    *count = number("FAKE_CUDA_DEVICES");
    return 0;
}
int cuDeviceGetName(char* name, int size, int device) {
    std::snprintf(name, static_cast<size_t>(size), "NVIDIA Imaginary %d", device);
    return 0;
}
int cuDeviceTotalMem_v2(size_t* bytes, int) {
    *bytes = size_t{16} << 30;
    return 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
    *value = attribute == 75 ? 9 : 0;
    return 0;
}
int cuGetErrorString(int, const char** text) {
    *text = "imaginary failure";
    return 0;
}
}
