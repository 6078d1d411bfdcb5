#include "help_dialogs.h"

#include <assay/presenters/engine_session.h>
#include <assay/style/tokens.h>
#include <assay/widgets/controls.h>
#include <assay/widgets/card.h>

#include <QCoreApplication>
#include <QDialog>
#include <QFile>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QVBoxLayout>
#include <QtGlobal>

namespace assay::shell {
namespace {

// One of a kind: asked for again it comes to the front.
QDialog* dialog(const QString& name, const QString& title, QWidget* parent) {
    if (auto* open = parent->findChild<QDialog*>(name)) {
        open->raise();
        open->activateWindow();
        return nullptr;
    }
    auto* made = new QDialog(parent);
    made->setObjectName(name);
    made->setAttribute(Qt::WA_DeleteOnClose);
    made->setWindowTitle(title);
    made->setAccessibleName(title);
    auto* layout = new QVBoxLayout(made);
    layout->setContentsMargins(20, 18, 20, 14);
    layout->setSpacing(12);
    return made;
}

void addClose(QDialog* box) {
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    auto* close = widgets::makeButton(QObject::tr("Close"), widgets::ButtonKind::kNormal, {}, box);
    close->setObjectName(QStringLiteral("dialog-close"));
    QObject::connect(close, &QPushButton::clicked, box, &QDialog::close);
    row->addWidget(close);
    static_cast<QVBoxLayout*>(box->layout())->addLayout(row);
    box->show();
}

QLabel* label(const QString& text, style::Type type, QWidget* parent) {
    auto* made = new QLabel(text, parent);
    made->setTextFormat(Qt::PlainText);
    made->setFont(style::font(type));
    made->setWordWrap(true);
    return made;
}

}  // namespace

void showAbout(const presenters::AppContext& context, QWidget* parent) {
    QDialog* box = dialog(QStringLiteral("about"), QObject::tr("About Assay"), parent);
    if (!box) return;
    box->resize(560, 460);
    auto* layout = static_cast<QVBoxLayout*>(box->layout());
    layout->addWidget(label(QStringLiteral("Assay %1").arg(QCoreApplication::applicationVersion()), style::Type::kTitle, box));
    layout->addWidget(label(QObject::tr("Measures what ways to make language models cheaper save, and what they cost in accuracy."), style::Type::kBody, box));
    auto* facts = new widgets::KeyValueList(box);
    facts->setObjectName(QStringLiteral("about-facts"));
    const auto identity = context.session.identity();
    facts->setRows({{QObject::tr("Engine"), identity.version.empty() ? QObject::tr("not connected") : QStringLiteral("%1, %2").arg(context.session.target().name(), QString::fromStdString(identity.version)), {}},
                    {QObject::tr("Protocol level"), identity.negotiatedLevel ? QString::number(identity.negotiatedLevel) : QObject::tr("not connected"), {}},
                    {QStringLiteral("Qt"), QString::fromLatin1(qVersion()), {}}});
    layout->addWidget(facts);
    layout->addWidget(label(QObject::tr("Licence"), style::Type::kCardTitle, box));
    auto* text = new QPlainTextEdit(box);
    text->setObjectName(QStringLiteral("about-licence"));
    text->setAccessibleName(QObject::tr("Licence"));
    text->setReadOnly(true);
    text->setFont(style::font(style::Type::kMono));
    if (QFile file(QStringLiteral(":/assay/LICENSE")); file.open(QIODevice::ReadOnly)) text->setPlainText(QString::fromUtf8(file.readAll()));
    layout->addWidget(text, 1);
    addClose(box);
}

void showKeys(const presenters::AppContext& context, QWidget* parent) {
    QDialog* box = dialog(QStringLiteral("keys"), QObject::tr("Keys"), parent);
    if (!box) return;
    box->resize(520, 560);
    auto* layout = static_cast<QVBoxLayout*>(box->layout());
    layout->addWidget(label(QObject::tr("Keys"), style::Type::kTitle, box));
    auto* scroll = new QScrollArea(box);
    scroll->setObjectName(QStringLiteral("keys-scroll"));
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* content = new QWidget(scroll);
    auto* grid = new QGridLayout(content);
    grid->setContentsMargins(0, 0, 8, 0);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(8);
    grid->setColumnStretch(1, 1);
    int row = 0;
    const auto add = [&](const QString& keys, const QString& what) {
        auto* key = label(keys, style::Type::kMono, content);
        key->setWordWrap(false);
        grid->addWidget(key, row, 0);
        grid->addWidget(label(what, style::Type::kBody, content), row++, 1);
    };
    add(QStringLiteral("Ctrl+1 … 9"), QObject::tr("Pages, in the order of the rail"));
    for (const presenters::Command& command : context.commands.commands())
        if (!command.shortcut.isEmpty()) add(command.shortcut, command.title);
    add(QStringLiteral("Tab, Shift+Tab"), QObject::tr("From control to control"));
    add(QStringLiteral("Enter"), QObject::tr("Opens the chosen row"));
    add(QStringLiteral("Ctrl+C"), QObject::tr("Copies the chosen rows of a table, or its curve from a chart"));
    add(QStringLiteral("Esc"), QObject::tr("Closes what floats above the page"));
    grid->setRowStretch(row, 1);
    scroll->setWidget(content);
    layout->addWidget(scroll, 1);
    addClose(box);
}

}  // namespace assay::shell
