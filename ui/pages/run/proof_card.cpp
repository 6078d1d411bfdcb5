#include "proof_card.h"

#include <assay/models/format.h>
#include <assay/widgets/controls.h>

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "wrapped_label.h"

namespace assay::pages {

using presenters::RunPresenter;

ProofCard::ProofCard(RunPresenter& presenter, QWidget* parent) : QWidget(parent), presenter_(presenter) {
    setObjectName(QStringLiteral("run-proof"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    card_ = new widgets::Card(tr("Resume proof"), this);
    badge_ = new widgets::Badge(QString(), style::Tone::kNeutral, card_);
    badge_->setObjectName(QStringLiteral("run-proof-result"));
    card_->addHeaderWidget(badge_);
    outer->addWidget(card_);
    detail_ = makeWrappedLabel(style::Type::kSecondary, 0, "run-proof-detail", card_);
    card_->body()->addWidget(detail_);
    notes_ = makeWrappedLabel(style::Type::kSmall, 2, "run-proof-notes", card_);
    card_->body()->addWidget(notes_);
    auto* bar = new QHBoxLayout;
    bar->setSpacing(8);
    const auto button = [&](const char* name, const auto& action) {
        auto* made = widgets::makeButton(QString(), widgets::ButtonKind::kNormal, QString(), card_);
        made->setObjectName(QString::fromLatin1(name));
        connect(made, &QPushButton::clicked, this, action);
        bar->addWidget(made);
        return made;
    };
    check_ = button("run-proof-check", [this] { presenter_.verifyResume(); });
    open_ = button("run-proof-open", [this] {
        if (const auto proof = presenter_.proof()) presenter_.openRun(proof->run);
    });
    bar->addStretch(1);
    card_->body()->addLayout(bar);
}

void ProofCard::refresh() {
    const auto proof = presenter_.proof();
    const bool own = presenter_.row().kind == QLatin1String("verify");
    // Of a run under way there is nothing to check yet, and one without a checkpoint never will have.
    setVisible(proof || (presenter_.canBeVerified() && !presenter_.row().isActive() && presenter_.whyNotVerify().isEmpty()));
    const auto tone = [&] {
        if (!proof || proof->active) return style::Tone::kNeutral;
        switch (proof->level) {
            case RunPresenter::Level::kGood: return style::Tone::kGood;
            case RunPresenter::Level::kWarning: return style::Tone::kWarn;
            case RunPresenter::Level::kBad: return style::Tone::kBad;
            case RunPresenter::Level::kInfo: break;
        }
        return style::Tone::kNeutral;
    };
    badge_->set(proof ? proof->title : tr("not checked"), tone());
    detail_->setText(proof ? proof->detail : tr("Some steps are done again from a checkpoint and compared bit by bit with what this run recorded."));
    const QStringList notes = proof ? proof->notes : QStringList();
    notes_->setVisible(!notes.isEmpty());
    notes_->setText(notes.join(u'\n'));
    for (QLabel* label : {detail_, notes_}) holdHeight(label, width() - 2 * style::size::kCardPadding - 2);
    const QString why = presenter_.whyNotVerify();
    check_->setVisible(!own);
    check_->setText(proof ? tr("Check again") : tr("Check resuming"));
    check_->setAccessibleName(check_->text());
    check_->setEnabled(why.isEmpty());
    check_->setToolTip(why.isEmpty() ? tr("Does the steps up to the next checkpoint again; the run itself stays as it is") : why);
    open_->setVisible(proof && !proof->run.isEmpty());
    open_->setText(own ? tr("Open the run") : tr("Open the check"));
    open_->setAccessibleName(open_->text());
}

}  // namespace assay::pages
