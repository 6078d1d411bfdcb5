// One QApplication with the real style for all tests of the program, made after the arguments were read.
#include <assay/style/tokens.h>

#include <QApplication>
#include <gtest/gtest.h>
#include <memory>

namespace {

class ApplicationEnvironment final : public testing::Environment {
public:
    void SetUp() override {
        application_ = std::make_unique<QApplication>(argc_, argv_);
        assay::style::install(*application_, assay::style::ThemeChoice::kLight);
    }
    void TearDown() override { application_.reset(); }

private:
    char name_[5] = "test";
    char* argv_[2] = {name_, nullptr};
    int argc_ = 1;
    std::unique_ptr<QApplication> application_;
};

[[maybe_unused]] const auto* const kEnvironment = testing::AddGlobalTestEnvironment(new ApplicationEnvironment);

}  // namespace
