// The library itself: version, ABI, what it links, what it exports, what it found in the CPU.
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <ATen/native/DispatchStub.h>
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <link.h>
#include <assay/torch.h>
#include <torch/version.h>

#include "needed_libraries.h"

namespace assay {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

std::string pathOf(const char* library) {
    void* handle = ::dlopen(library, RTLD_NOW | RTLD_NOLOAD);
    link_map* map = nullptr;
    if (!handle || ::dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) return "";
    return map->l_name;
}

std::vector<std::string> loadedLibraries() {
    std::vector<std::string> names;
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, size_t, void* out) {
            static_cast<std::vector<std::string>*>(out)->push_back(info->dlpi_name);
            return 0;
        },
        &names);
    return names;
}

TEST(Library, versionAndAbi) {
    EXPECT_STREQ(TORCH_VERSION, "2.11.0");
    EXPECT_EQ(_GLIBCXX_USE_CXX11_ABI, 1);
    EXPECT_THAT(at::show_config(), HasSubstr("PyTorch built with"));
    EXPECT_THAT(at::show_config(), HasSubstr("MKL"));
    EXPECT_THAT(at::show_config(), HasSubstr("MKL-DNN"));
    EXPECT_THAT(at::get_parallel_info(), HasSubstr("OpenMP"));
}

TEST(Library, linksWhatTheCacheProvides) {
    const std::string cpu = pathOf("libtorch_cpu.so");
    ASSERT_FALSE(cpu.empty());
    const auto needed = testing::neededLibraries(cpu);
    for (const char* name : {"libc10.so", "libcudart.so.13", "libcupti.so.13", "libgomp.so.1"})
        EXPECT_THAT(needed, Contains(name));
    // a driver, Python or further CUDA libraries must not be needed on a machine without a GPU
    for (const std::string& name : needed) {
        EXPECT_THAT(name, Not(HasSubstr("python")));
        EXPECT_THAT(name, Not(HasSubstr("libcuda.so")));
        EXPECT_THAT(name, Not(HasSubstr("cudnn")));
        EXPECT_THAT(name, Not(HasSubstr("cublas")));
    }
}

TEST(Library, loadsNoPythonQtOrCudaDriver) {
    const auto loaded = loadedLibraries();
    EXPECT_THAT(loaded, Contains(HasSubstr("libtorch_cpu.so")));
    for (const std::string& name : loaded)
        for (const char* foreign :
             {"libpython", "libtorch_python", "libtorch_cuda", "libQt6", "libgloo", "libsqlite3"})
            EXPECT_THAT(name, Not(HasSubstr(foreign)));
}

// Mangled names of what Assay calls or will call outside the operator table.
TEST(Library, exportsWhatTheDesignRestsOn) {
    struct Row {
        const char *what, *name;
    };
    for (const Row& row : {
             Row{"c10d::Reducer's bucket assignment",
                 "_ZN4c10d33compute_bucket_assignment_by_sizeERKSt6vectorIN2at6TensorESaIS2_EERKS0_"
                 "ImSaImEERKS0_IbSaIbEERKS0_"
                 "IlSaIlEERKSt8optionalISt8weak_ptrINS_6LoggerEEE"},
             Row{"c10d::FileStore",
                 "_ZN4c10d9FileStoreC1ENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEi"},
             Row{"c10d::TCPStore",
                 "_ZN4c10d8TCPStoreC1ENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEERKNS_"
                 "15TCPStoreOptionsE"},
             Row{"Gloo's device", "_ZN4c10d16ProcessGroupGloo19createDefaultDeviceEb"},
             Row{"saved-tensor hooks without Python",
                 "_ZN5torch8autograd23set_default_engine_stubEPFRNS0_6EngineEvE"},
             Row{"fused AdamW",
                 "_ZN2at4_ops13_fused_adamw_4callEN3c108ArrayRefINS_6TensorEEES5_S5_S5_S5_S5_"
                 "dddddbbRKSt8optionalIS4_ES9_"},
             Row{"int4 products on the CPU",
                 "_ZN2at4_ops27_weight_int4pack_mm_for_cpu4callERKNS_6TensorES4_lS4_"},
             Row{"int8 products", "_ZN2at4_ops19_weight_int8pack_mm4callERKNS_6TensorES4_S4_"},
             Row{"gradient scaling", "_ZN2at4_ops18_amp_update_scale_4callERNS_6TensorES3_RKS2_ddl"},
             Row{"autocast switches", "_ZN2at8autocast20set_autocast_enabledEN3c1010DeviceTypeEb"},
             Row{"memory reports", "_ZN3c1027reportMemoryUsageToProfilerEPvlmmNS_6DeviceE"},
         })
        EXPECT_NE(::dlsym(RTLD_DEFAULT, row.name), nullptr)
            << row.what << ": " << row.name << " is not exported";
}

TEST(Library, findsTheInstructionsOfThisCpu) {
    __builtin_cpu_init();
    const std::string capability = at::get_cpu_capability();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl")) {
        EXPECT_THAT(capability, ::testing::AnyOf("AVX512", "AVX2"));
    } else if (__builtin_cpu_supports("avx2")) {
        EXPECT_EQ(capability, "AVX2");
    } else {
        EXPECT_EQ(capability, "DEFAULT");
    }
}

TEST(Library, threadCountIsOurs) {
    at::set_num_threads(1);
    EXPECT_EQ(at::get_num_threads(), 1);
    at::set_num_threads(2);
    EXPECT_EQ(at::get_num_threads(), 2);
}

}  // namespace
}  // namespace assay
