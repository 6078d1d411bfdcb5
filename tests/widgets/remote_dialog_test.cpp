#include "remote_dialog.h"

#include <assay/widgets/table_view.h>
#include <gtest/gtest.h>

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QTest>
#include <map>

using namespace assay::widgets;

namespace {

using Answer = std::function<void(QString, QList<RemoteEntry>, QString)>;

// Keeps the questions; the test answers when it wants to.
struct Asked {
    std::vector<std::pair<QString, Answer>> questions;
    RemoteLister lister() {
        return [this](const QString& folder, Answer answer) { questions.emplace_back(folder, std::move(answer)); };
    }
};

const QList<RemoteEntry> kHome = {{QStringLiteral("b.jsonl"), false, 2500}, {QStringLiteral(".cache"), true, 0}, {QStringLiteral("models"), true, 0}, {QStringLiteral("a<b>.txt"), false, 10}};

}  // namespace

TEST(RemoteDialog, ListsFoldersFirstAndHidesDotFiles) {
    Asked asked;
    RemoteDialog dialog(QStringLiteral("Open"), false, asked.lister(), [](const QString&) {}, nullptr);
    dialog.go({});
    ASSERT_EQ(asked.questions.size(), 1u);
    EXPECT_TRUE(asked.questions[0].first.isEmpty());
    asked.questions[0].second(QStringLiteral("/home/user"), kHome, {});
    auto* list = dialog.findChild<TableView*>(QStringLiteral("remote-list"));
    ASSERT_EQ(list->model()->rowCount(), 3);
    EXPECT_EQ(list->model()->index(0, 0).data().toString(), QStringLiteral("models"));
    EXPECT_EQ(list->model()->index(1, 0).data().toString(), QStringLiteral("a<b>.txt"));
    EXPECT_EQ(dialog.findChild<QLineEdit*>(QStringLiteral("remote-path"))->text(), QStringLiteral("/home/user"));
    dialog.findChild<QCheckBox*>(QStringLiteral("remote-hidden"))->click();
    EXPECT_EQ(list->model()->rowCount(), 4);
    EXPECT_NE(dialog.findChild<QPushButton*>(QStringLiteral("crumb-/home")), nullptr);
}

TEST(RemoteDialog, KeyboardGoesInAndUpAndChooses) {
    Asked asked;
    QString chosen;
    auto* dialog = new RemoteDialog(QStringLiteral("Open"), false, asked.lister(), [&](const QString& path) { chosen = path; }, nullptr);
    const std::unique_ptr<RemoteDialog> owner(dialog);
    dialog->show();
    dialog->go({});
    asked.questions.back().second(QStringLiteral("/home/user"), kHome, {});
    auto* list = dialog->findChild<TableView*>(QStringLiteral("remote-list"));
    QTest::keyClick(list, Qt::Key_Return);
    EXPECT_EQ(asked.questions.back().first, QStringLiteral("/home/user/models"));
    asked.questions.back().second(QStringLiteral("/home/user/models"), {}, {});
    QTest::keyClick(list, Qt::Key_Backspace);
    EXPECT_EQ(asked.questions.back().first, QStringLiteral("/home/user"));
    asked.questions.back().second(QStringLiteral("/home/user"), kHome, {});
    EXPECT_EQ(list->currentIndex().data().toString(), QStringLiteral("models"));   // where one came from
    list->setCurrentIndex(list->model()->index(2, 0));
    QTest::keyClick(list, Qt::Key_Return);
    EXPECT_EQ(chosen, QStringLiteral("/home/user/b.jsonl"));
}

TEST(RemoteDialog, LateAndFailedAnswersChangeNothing) {
    Asked asked;
    auto dialog = std::make_unique<RemoteDialog>(QStringLiteral("Open"), false, asked.lister(), [](const QString&) {}, nullptr);
    dialog->go(QStringLiteral("/slow"));
    dialog->go(QStringLiteral("/fast"));
    asked.questions[1].second(QStringLiteral("/fast"), kHome, {});
    asked.questions[0].second(QStringLiteral("/slow"), {}, {});
    EXPECT_EQ(dialog->folder(), QStringLiteral("/fast"));
    dialog->go(QStringLiteral("/secret"));
    asked.questions[2].second({}, {}, QStringLiteral("permission denied"));
    EXPECT_EQ(dialog->folder(), QStringLiteral("/fast"));
    EXPECT_FALSE(dialog->findChild<QWidget*>(QStringLiteral("error-panel"))->isHidden());
    dialog->go(QStringLiteral("/gone"));
    dialog.reset();
    asked.questions[3].second(QStringLiteral("/gone"), kHome, {});   // after the dialog is gone
}

TEST(RemoteDialog, AFolderIsTheAnswerWhenOneIsWanted) {
    Asked asked;
    QString chosen;
    RemoteDialog dialog(QStringLiteral("Folder"), true, asked.lister(), [&](const QString& path) { chosen = path; }, nullptr);
    dialog.go({});
    asked.questions[0].second(QStringLiteral("/data"), kHome, {});
    dialog.findChild<QPushButton*>(QStringLiteral("remote-choose"))->click();
    EXPECT_EQ(chosen, QStringLiteral("/data"));
}

TEST(RemotePaths, JoinAndParent) {
    EXPECT_EQ(joinedPath(QStringLiteral("/"), QStringLiteral("a")), QStringLiteral("/a"));
    EXPECT_EQ(joinedPath(QStringLiteral("/a"), QStringLiteral("b")), QStringLiteral("/a/b"));
    EXPECT_EQ(parentFolder(QStringLiteral("/a/b/")), QStringLiteral("/a"));
    EXPECT_EQ(parentFolder(QStringLiteral("/a")), QStringLiteral("/"));
    EXPECT_EQ(parentFolder(QStringLiteral("/")), QStringLiteral("/"));
}
