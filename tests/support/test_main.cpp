// Entry point of every test program. `--assay_file=STEM` runs the tests of one source file only, so that ctest can
// list a LibTorch test program by file without starting it once per test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

int main(int argc, char** argv) {
    // The same surroundings however a test is started: by ctest one by one, or by hand.
    setenv("TZ", "UTC", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("QT_QPA_PLATFORM", "offscreen", 0);
    setenv("OMP_NUM_THREADS", "2", 0);
    std::string stem;
    for (int i = 1; i < argc; ++i) {
        constexpr std::string_view kFlag = "--assay_file=";
        if (std::string_view(argv[i]).starts_with(kFlag)) stem = std::string(argv[i]).substr(kFlag.size());
    }
    testing::InitGoogleMock(&argc, argv);
    if (!stem.empty()) {
        std::string filter;
        const auto& unit = *testing::UnitTest::GetInstance();
        for (int s = 0; s < unit.total_test_suite_count(); ++s) {
            const auto& suite = *unit.GetTestSuite(s);
            for (int t = 0; t < suite.total_test_count(); ++t) {
                const auto& info = *suite.GetTestInfo(t);
                const std::string file = info.file();
                if (file.find("/" + stem + ".cpp") == std::string::npos) continue;
                filter += (filter.empty() ? "" : ":") + std::string(suite.name()) + "." + info.name();
            }
        }
        if (filter.empty()) {
            std::fprintf(stderr, "no test comes from %s.cpp\n", stem.c_str());
            return 1;
        }
        testing::GTEST_FLAG(filter) = filter;
    }
    return RUN_ALL_TESTS();
}
