// Timers need an application; one for all tests of the folder.
#include <gtest/gtest.h>

#include <QCoreApplication>
#include <memory>

namespace {

class Application final : public testing::Environment {
    void SetUp() override { application_ = std::make_unique<QCoreApplication>(count_, arguments_); }
    void TearDown() override { application_.reset(); }
    int count_ = 1;
    char name_[5] = "test";
    char* arguments_[2] = {name_, nullptr};
    std::unique_ptr<QCoreApplication> application_;
};
const auto* const kApplication = testing::AddGlobalTestEnvironment(new Application);

}  // namespace
