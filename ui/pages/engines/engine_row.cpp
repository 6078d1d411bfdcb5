#include "engines/engine_row.h"

#include <assay/style/icons.h>
#include <assay/style/theme_notifier.h>
#include <assay/widgets/controls.h>

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace assay::pages {

using presenters::EngineTarget;

EngineRow::EngineRow(const presenters::EnginesPresenter::Engine& engine, QWidget* parent) : QWidget(parent) {
    const QString address = engine.address(), name = engine.name();
    setObjectName(QStringLiteral("engine-") + address);
    setAccessibleName(name);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 4, 0, 4);
    row->setSpacing(10);
    auto* icon = new QLabel(this);
    const QString picture = engine.target.kind == EngineTarget::Kind::kLocal ? QStringLiteral("cpu") : QStringLiteral("engines");
    const auto tint = [icon, picture] { icon->setPixmap(style::pixmap(picture, style::tokens().text2, 16, icon->devicePixelRatioF())); };
    tint();
    connect(&style::themeNotifier(), &style::ThemeNotifier::themeChanged, icon, tint);
    row->addWidget(icon);
    auto* words = new QVBoxLayout;
    words->setSpacing(0);
    auto* title = new widgets::PlainLabel(name, this, style::Type::kBody);
    auto* where = new widgets::PlainLabel(engine.target.kind == EngineTarget::Kind::kLocal && engine.target.address.isEmpty() ? tr("started with the window when needed") : address,
                                          this, style::Type::kSecondary);
    where->setDim(2);
    words->addWidget(title);
    words->addWidget(where);
    row->addLayout(words, 1);
    state_ = new widgets::Badge({}, style::Tone::kNeutral, this);
    state_->setObjectName(QStringLiteral("engine-state"));
    state_->hide();
    row->addWidget(state_);
    const auto add = [&](const QString& text, const QString& id, auto signal) {
        auto* button = widgets::makeButton(text, widgets::ButtonKind::kNormal, {}, this);
        button->setObjectName(id);
        button->setAccessibleName(QStringLiteral("%1, %2").arg(text, name));
        connect(button, &QPushButton::clicked, this, [this, signal, address] { Q_EMIT(this->*signal)(address); });
        row->addWidget(button);
    };
    if (engine.target.kind != EngineTarget::Kind::kLocal) add(tr("Test"), QStringLiteral("engine-test"), &EngineRow::testWanted);
    if (!engine.attached) add(tr("Attach"), QStringLiteral("engine-attach"), &EngineRow::attachWanted);
    if (engine.removable) add(tr("Forget"), QStringLiteral("engine-remove"), &EngineRow::removeWanted);
}

void EngineRow::setState(const QString& text, style::Tone tone) {
    state_->set(text, tone);
    state_->setVisible(!text.isEmpty());
}

}  // namespace assay::pages
