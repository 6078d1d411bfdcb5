#include <gtest/gtest.h>

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "make_pages.h"
#include "page_support.h"

namespace assay {
namespace {

using test::Context;
using test::part;

struct EnginesPage : testing::Test {
    Context context;
    std::unique_ptr<pages::Page> page;
    EnginesPage() {
        context.settings.set(QStringLiteral("engines.list"), Json::array({"ssh://lab@gpu-box", "wss://far.example:8443"}));
        context.prepare = [](client::FakeEngineClient& engine) {
            engine.on("runs.list", [](const Json&) { return Result<Json>(test::runList({})); });
            engine.on("engine.info", [](const Json&) {
                return Result<Json>(Json{{"version", "0.1.0"}, {"url", "ws://127.0.0.1:40123"}, {"pid", 5}, {"store", "/home/ada/.local/share/assay"}, {"runs_active", 1}, {"uptime_seconds", 7450}});
            });
            engine.on("engine.shutdown", [](const Json&) { return Result<Json>(Json::object()); });
        };
        context.connect();
        page.reset(pages::makeEnginesPage(context.app, nullptr));
        page->resize(1104, 774);
        page->show();
        context.settle();
    }
};

TEST_F(EnginesPage, ListsTheKnownOnesAndSaysWhatIsAttached) {
    EXPECT_TRUE(part(*page, "engine-local"));
    EXPECT_TRUE(part(*page, "engine-ssh://lab@gpu-box"));
    EXPECT_FALSE(part(*part(*page, "engine-local"), "engine-attach"));   // it is
    EXPECT_TRUE(part(*page, "engine-stop")->isVisible());
    EXPECT_FALSE(part(*page, "engine-detach")->isVisible());
    EXPECT_EQ(test::unnamed(*page), QStringList());
    test::picture(*page, QStringLiteral("engines"));
    QTest::mouseClick(part(*part(*page, "engine-ssh://lab@gpu-box"), "engine-attach"), Qt::LeftButton);
    context.settle();
    EXPECT_EQ(context.session.target().address, QStringLiteral("ssh://lab@gpu-box"));
    EXPECT_TRUE(part(*page, "engine-detach")->isVisible());
    EXPECT_FALSE(part(*page, "engine-stop")->isVisible());
}

TEST_F(EnginesPage, AWrongAddressCannotBeAttachedAndSaysWhy) {
    auto* address = part<QLineEdit>(*page, "engine-address");
    auto* attach = part<QPushButton>(*page, "engine-address-attach");
    EXPECT_FALSE(attach->isEnabled());
    QTest::keyClicks(address, QStringLiteral("ssh://-oProxyCommand=x"));
    EXPECT_FALSE(attach->isEnabled());
    EXPECT_FALSE(part(*page, "engine-test-result")->isVisible());   // not while it is typed
    QTest::keyClick(address, Qt::Key_Return);
    EXPECT_TRUE(part<QLabel>(*page, "engine-test-result")->text().contains(QStringLiteral("not an ssh address")));
    address->clear();
    QTest::keyClicks(address, QStringLiteral("ssh://other"));
    EXPECT_TRUE(attach->isEnabled());
    QTest::mouseClick(attach, Qt::LeftButton);
    context.settle();
    EXPECT_EQ(context.session.target().address, QStringLiteral("ssh://other"));
    EXPECT_TRUE(part(*page, "engine-ssh://other"));
}

TEST_F(EnginesPage, StopOffersStart) {
    QTest::mouseClick(part(*page, "engine-stop"), Qt::LeftButton);
    context.settle();
    EXPECT_TRUE(part(*page, "engine-start")->isVisible());
    QTest::mouseClick(part(*page, "engine-start"), Qt::LeftButton);
    context.settle();
    EXPECT_TRUE(context.session.isLive());
    EXPECT_FALSE(part(*page, "engine-start")->isVisible());
}

}  // namespace
}  // namespace assay
