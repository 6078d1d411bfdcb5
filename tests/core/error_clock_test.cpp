#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <set>
#include <vector>

#include "assay/core/clock.h"
#include "assay/core/error.h"
#include "assay/core/log.h"
#include "assay/core/progress.h"

namespace assay {
namespace {

TEST(Error, codesNamesAndExitCodesAreThoseOfTheContract) {
    const std::vector<std::tuple<ErrorCode, std::string, int>> expected = {
        {ErrorCode::kBadUsage, "bad_usage", 2},
        {ErrorCode::kInvalidFile, "invalid_file", 2},
        {ErrorCode::kNotFound, "not_found", 3},
        {ErrorCode::kUnreachable, "unreachable", 4},
        {ErrorCode::kVersionMismatch, "version_mismatch", 4},
        {ErrorCode::kUnauthorized, "unauthorized", 4},
        {ErrorCode::kBusy, "busy", 1},
        {ErrorCode::kGone, "gone", 1},
        {ErrorCode::kCancelled, "cancelled", 130},
        {ErrorCode::kIo, "io", 1},
        {ErrorCode::kDiskFull, "disk_full", 1},
        {ErrorCode::kOutOfMemory, "out_of_memory", 1},
        {ErrorCode::kNonFinite, "non_finite", 1},
        {ErrorCode::kUnsupported, "unsupported", 2},
        {ErrorCode::kWorkerDied, "worker_died", 1},
        {ErrorCode::kInternal, "internal", 1}};
    ASSERT_EQ(expected.size(), static_cast<size_t>(ErrorCode::kInternal) + 1);
    for (const auto& [code, name, exitCode] : expected) {
        EXPECT_EQ(errorCodeName(code), name);
        EXPECT_EQ(errorCodeFromName(name), code);
        EXPECT_EQ(exitCodeOf(code), exitCode) << name;
    }
    EXPECT_EQ(errorCodeFromName("no such code"), ErrorCode::kInternal);
}

TEST(Error, systemErrorsTellWhatWhereAndWhy) {
    EXPECT_EQ(systemError("cannot open", "/x", ENOENT).code, ErrorCode::kNotFound);
    EXPECT_EQ(systemError("cannot write", "/x", ENOSPC).code, ErrorCode::kDiskFull);
    EXPECT_EQ(systemError("cannot write", "/x", EDQUOT).code, ErrorCode::kDiskFull);
    EXPECT_EQ(systemError("cannot read", "/x", EISDIR).code, ErrorCode::kInvalidFile);
    EXPECT_EQ(systemError("cannot map", "/x", ENOMEM).code, ErrorCode::kOutOfMemory);
    Error denied = systemError("cannot open", "/x", EACCES).with("store");
    EXPECT_EQ(denied.code, ErrorCode::kIo);
    EXPECT_EQ(denied.text(), "cannot open /x: Permission denied (store); check the permissions");
}

Result<int> half(int value) {
    if (value % 2) return fail(ErrorCode::kBadUsage, "odd");
    return value / 2;
}
Result<int> quarter(int value) {
    ASSAY_TRY(int once, half(value));
    ASSAY_TRY_VOID(half(once));
    return half(once);
}
TEST(Error, tryReturnsTheFirstError) {
    EXPECT_EQ(quarter(8).value(), 2);
    EXPECT_EQ(quarter(3).error().message, "odd");
    EXPECT_EQ(quarter(6).error().message, "odd");
}

TEST(Clock, isoTimeIsUtcWithMilliseconds) {
    EXPECT_EQ(isoTime(0), "1970-01-01T00:00:00.000Z");
    EXPECT_EQ(isoTime(951827696.25), "2000-02-29T12:34:56.250Z");
    EXPECT_EQ(isoTime(-0.5), "1969-12-31T23:59:59.500Z");
    EXPECT_EQ(isoTime(NAN), "");
    EXPECT_EQ(isoTime(INFINITY), "");
    EXPECT_EQ(isoTime(1e300), "");
}

TEST(Clock, monotonicTimeNeverStepsBack) {
    double previous = monotonicSeconds();
    for (int i = 0; i < 1000; ++i) {
        const double now = monotonicSeconds();
        ASSERT_GE(now, previous);
        previous = now;
    }
}

TEST(Progress, firstAndLastReportsPassAndTheRestIsThinnedOut) {
    std::vector<Progress> seen;
    ProgressMeter meter([&](const Progress& progress) { seen.push_back(progress); }, "train", "steps", 100,
                        3600);
    for (int step = 1; step <= 100; ++step)
        meter.update(step);
    meter.finish();
    ASSERT_EQ(seen.size(), 2u);
    EXPECT_EQ(seen[0].done, 1);
    EXPECT_EQ(seen[1].done, 100);
    EXPECT_EQ(seen[1].phase, "train");
    EXPECT_EQ(seen[1].unit, "steps");
    EXPECT_GT(seen[1].rate, 0);
    EXPECT_EQ(seen[1].etaSeconds, 0);
}

TEST(Progress, unknownTotalHasNoTimeLeft) {
    std::vector<Progress> seen;
    ProgressMeter meter([&](const Progress& progress) { seen.push_back(progress); }, "import", "rows", 0, 0);
    meter.update(0);
    meter.update(5);
    meter.finish();
    ASSERT_EQ(seen.size(), 3u);
    EXPECT_TRUE(std::isnan(seen[0].rate));
    EXPECT_TRUE(std::isnan(seen[1].etaSeconds));
    EXPECT_EQ(seen[2].done, 5);
    ProgressMeter silent({}, "x", "y", 1);
    silent.update(1);
    silent.finish();
}

TEST(Log, aRecordIsOneLineAndLevelsFilter) {
    ::testing::internal::CaptureStderr();
    setLogLevel(LogLevel::kWarning);
    logInfo("test", "hidden");
    logWarning("test", "two\nlines");
    setLogLevel(LogLevel::kInfo);
    const std::string text = ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(text.find("hidden"), std::string::npos);
    EXPECT_EQ(text.substr(24), " warn  test: two lines\n") << text;
}

}  // namespace
}  // namespace assay
