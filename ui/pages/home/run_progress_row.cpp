#include "home/run_progress_row.h"

#include <assay/models/run_text.h>

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace assay::pages {

RunProgressRow::RunProgressRow(QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    name_ = new widgets::PlainLabel({}, this, style::Type::kBody);
    name_->setObjectName(QStringLiteral("run-name"));
    status_ = new widgets::Badge({}, style::Tone::kNeutral, this);
    status_->setObjectName(QStringLiteral("run-status"));
    stop_ = widgets::makeButton(tr("Stop and save"), widgets::ButtonKind::kQuiet, {}, this);
    stop_->setObjectName(QStringLiteral("run-stop"));
    open_ = widgets::makeButton(tr("Open"), widgets::ButtonKind::kNormal, {}, this);
    open_->setObjectName(QStringLiteral("run-open"));
    row->addWidget(name_);
    row->addWidget(status_);
    row->addStretch(1);
    row->addWidget(stop_);
    row->addWidget(open_);
    layout->addLayout(row);
    progress_ = new widgets::ProgressLine(this);
    layout->addWidget(progress_);
    connect(open_, &QPushButton::clicked, this, [this] { Q_EMIT opened(id_); });
    connect(stop_, &QPushButton::clicked, this, [this] { Q_EMIT stopWanted(id_); });
}

void RunProgressRow::set(const models::RunRow& run) {
    id_ = run.id;
    setObjectName(QStringLiteral("active-") + run.id);
    setAccessibleName(run.name);
    name_->setFullText(run.name);
    status_->set(models::statusText(run), static_cast<style::Tone>(models::statusTone(run.status)));
    const bool waits = run.status == QLatin1String("queued");
    progress_->set(waits ? 0 : run.fraction(), models::progressText(run));
    stop_->setText(waits ? tr("Take off the queue") : tr("Stop and save"));
    stop_->setEnabled(run.status != QLatin1String("stopping"));
    open_->setAccessibleName(tr("Open %1").arg(run.name));
}

}  // namespace assay::pages
