#include <assay/presenters/dropped_paths.h>
#include <assay/presenters/engine_session.h>
#include <assay/presenters/settings.h>
#include <assay/widgets/file_dialog.h>

#include <QFileInfo>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QShortcut>
#include <QShowEvent>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <cmath>

#include "data/lengths_card.h"
#include "data/rows_card.h"
#include "data/settings_card.h"
#include "data/start_card.h"
#include "data/view_card.h"
#include "make_pages.h"
#include "splitter_state.h"

namespace assay::pages {
namespace {

using presenters::DataPresenter;
constexpr auto kFolderKey = "page.data.folder";

class DataPage final : public Page {
    Q_OBJECT
public:
    DataPage(presenters::AppContext& context, QWidget* parent) : Page(parent), context_(context), presenter_(context) {
        setObjectName(QStringLiteral("page-data"));
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(style::size::kPagePadding, 16, style::size::kPagePadding, 16);
        layout->setSpacing(style::size::kGap);
        layout->addWidget(makeHeader());
        layout->addWidget(makeUpload());
        error_ = new widgets::ErrorPanel(this);
        error_->setObjectName(QStringLiteral("data-error"));
        layout->addWidget(error_);
        stack_ = new QStackedWidget(this);
        layout->addWidget(stack_, 1);
        start_ = new StartCard(presenter_, stack_);
        stack_->addWidget(start_);
        stack_->addWidget(makeOpen());
        connect(start_, &StartCard::openWanted, this, [this] { chooseFiles(false); });
        connect(&presenter_, &DataPresenter::changed, this, &DataPage::refresh);
        connect(&presenter_, &DataPresenter::uploadChanged, this, &DataPage::refreshUpload);
        connect(&presenter_, &DataPresenter::rowsChanged, rows_, &RowsCard::refreshRows);
        connect(&presenter_, &DataPresenter::lengthsChanged, lengths_, &LengthsCard::refresh);
        connect(&presenter_, &DataPresenter::viewChanged, view_, &ViewCard::refresh);
        connect(&presenter_, &DataPresenter::tokenizersChanged, settings_, &SettingsCard::refreshTokenizers);
        connect(&presenter_, &DataPresenter::foundChanged, start_, &StartCard::refreshFound);
        connect(&presenter_, &DataPresenter::chooseAsked, this, [this] { chooseFiles(false); });
        connect(new QShortcut(QKeySequence::Open, this), &QShortcut::activated, this, [this] { chooseFiles(false); });
        connect(new QShortcut(Qt::Key_F5, this), &QShortcut::activated, &presenter_, &DataPresenter::reload);
        refresh();
        refreshUpload();
    }
    // Its cards look at the presenter, which goes first.
    ~DataPage() override {
        disconnect(&presenter_, nullptr, nullptr, nullptr);
        delete stack_;
    }

    void open(const Json& argument) override { presenter_.open(argument); }
    bool acceptsFiles(const QStringList& paths) const override {
        for (const QString& path : paths)
            if (presenters::pathKind(path) != presenters::PathKind::kDataset) return false;
        return !paths.isEmpty();
    }
    void takeFiles(const QStringList& paths) override { presenter_.openLocal(paths); }
    Json saveState() const override {
        Json state = presenter_.state();
        state["top"] = splitterState(*top_);
        state["problems"] = rows_->layout();
        return state;
    }
    void restoreState(const Json& state) override {
        if (!state.is_object()) return;
        presenter_.restore(state);
        restoreSplitter(*top_, state, "top");
        if (auto layout = state.find("problems"); layout != state.end()) rows_->setLayout(*layout);
    }

protected:
    void showEvent(QShowEvent* event) override {
        Page::showEvent(event);
        presenter_.setVisible(true);
        start_->refresh();
        if (!shown_) Q_EMIT contentShown();
        shown_ = true;
    }
    void hideEvent(QHideEvent* event) override {
        presenter_.setVisible(false);
        Page::hideEvent(event);
    }

private:
    QPushButton* action(const char* name, const QString& text, widgets::ButtonKind kind, const QString& icon) {
        auto* button = widgets::makeButton(text, kind, icon, header_);
        button->setObjectName(QLatin1String(name));
        header_->addAction(button);
        return button;
    }

    QWidget* makeHeader() {
        header_ = new widgets::PageHeader(tr("Data"), this);
        format_ = new widgets::Badge({}, style::Tone::kNeutral, header_);
        format_->setObjectName(QStringLiteral("data-format-badge"));
        used_ = new widgets::Badge({}, style::Tone::kGood, header_);
        used_->setObjectName(QStringLiteral("data-used-badge"));
        header_->addBadge(format_);
        header_->addBadge(used_);
        more_ = action("data-open", tr("Open"), widgets::ButtonKind::kNormal, QStringLiteral("folder"));
        auto* menu = new QMenu(more_);
        connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillMenu(*menu); });
        more_->setMenu(menu);
        use_ = action("data-use", tr("Use in an experiment"), widgets::ButtonKind::kNormal, {});
        prepare_ = action("data-prepare", tr("Prepare"), widgets::ButtonKind::kPrimary, {});
        connect(use_, &QPushButton::clicked, &presenter_, &DataPresenter::useInExperiment);
        connect(prepare_, &QPushButton::clicked, &presenter_, &DataPresenter::prepare);
        return header_;
    }

    void fillMenu(QMenu& menu) {
        menu.clear();
        const bool remote = presenter_.engineIsRemote();
        const QString place = remote ? tr("Open on %1…").arg(models::shortened(presenter_.engineName(), 40)) : tr("Open files…");
        menu.addAction(QString(place).replace(QLatin1Char('&'), QLatin1String("&&")), this, [this] { chooseFiles(false); });
        const QString folderPlace = remote ? tr("Open a folder on %1…").arg(models::shortened(presenter_.engineName(), 40)) : tr("Open a folder…");
        menu.addAction(QString(folderPlace).replace(QLatin1Char('&'), QLatin1String("&&")), this, [this] { chooseFolder({}); });
        if (remote) menu.addAction(tr("Upload from this machine…"), this, [this] { chooseUpload(false); });
        if (presenter_.isOpen()) {
            menu.addAction(remote ? tr("Add a file of that machine…") : tr("Add files…"), this, [this] { chooseFiles(true); });
            if (remote) menu.addAction(tr("Add files of this machine…"), this, [this] { chooseUpload(true); });
            menu.addSeparator();
            menu.addAction(tr("Read again"), &presenter_, &DataPresenter::reload);
            menu.addAction(tr("Close the dataset"), &presenter_, &DataPresenter::close);
        }
        const auto recent = presenter_.recent();
        if (!recent.empty()) menu.addSection(tr("Recent"));
        for (int i = 0; i < static_cast<int>(recent.size()); ++i)
            menu.addAction(models::shortened(recent[static_cast<size_t>(i)].title, 60).replace(QLatin1Char('&'), QLatin1String("&&")), this, [this, i] { presenter_.openRecent(i); });
    }

    QWidget* makeUpload() {
        upload_ = new widgets::Card({}, this);
        upload_->setObjectName(QStringLiteral("data-upload"));
        auto* row = new QHBoxLayout;
        row->setSpacing(8);
        uploadName_ = new widgets::PlainLabel({}, upload_);
        uploadName_->setMaximumWidth(280);
        uploadLine_ = new widgets::ProgressLine(upload_);
        auto* cancel = widgets::makeButton(tr("Cancel"), widgets::ButtonKind::kNormal, {}, upload_);
        cancel->setObjectName(QStringLiteral("data-upload-cancel"));
        connect(cancel, &QPushButton::clicked, &presenter_, &DataPresenter::cancelUpload);
        row->addWidget(uploadName_);
        row->addWidget(uploadLine_, 1);
        row->addWidget(cancel);
        upload_->body()->addLayout(row);
        return upload_;
    }

    QWidget* makeOpen() {
        auto* open = new QWidget(stack_);
        auto* column = new QVBoxLayout(open);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(style::size::kGap);
        waiting_ = new QWidget(open);
        auto* row = new QHBoxLayout(waiting_);
        row->setContentsMargins(0, 0, 0, 0);
        progress_ = new widgets::ProgressLine(waiting_);
        auto* cancel = widgets::makeButton(tr("Cancel"), widgets::ButtonKind::kNormal, {}, waiting_);
        cancel->setObjectName(QStringLiteral("data-inspect-cancel"));
        connect(cancel, &QPushButton::clicked, &presenter_, &DataPresenter::cancelInspection);
        row->addWidget(progress_, 1);
        row->addWidget(cancel);
        column->addWidget(waiting_);
        settings_ = new SettingsCard(presenter_, open);
        connect(settings_, &SettingsCard::fileWanted, this, &DataPage::chooseTokenizer);
        column->addWidget(settings_);
        body_ = new QSplitter(Qt::Vertical, open);
        body_->setObjectName(QStringLiteral("data-splitter"));
        body_->setAccessibleName(tr("Parts of the page"));
        body_->setHandleWidth(style::size::kGap);
        body_->setChildrenCollapsible(false);
        top_ = new QSplitter(Qt::Horizontal, body_);
        top_->setObjectName(QStringLiteral("data-top-splitter"));
        top_->setAccessibleName(tr("View and lengths"));
        top_->setHandleWidth(style::size::kGap);
        top_->setChildrenCollapsible(false);
        view_ = new ViewCard(presenter_, top_);
        lengths_ = new LengthsCard(presenter_, top_);
        top_->addWidget(view_);
        top_->addWidget(lengths_);
        top_->setStretchFactor(0, 5);
        top_->setStretchFactor(1, 3);
        top_->setSizes({660, 392});
        rows_ = new RowsCard(presenter_, body_);
        connect(rows_, &RowsCard::folderWanted, this, [this] { chooseFolder(QStringLiteral("hf")); });
        body_->addWidget(top_);
        body_->addWidget(rows_);
        body_->setStretchFactor(0, 2);
        body_->setStretchFactor(1, 3);
        body_->setSizes({270, 340});
        column->addWidget(body_, 1);
        return open;
    }

    void refresh() {
        const bool open = presenter_.isOpen(), known = presenter_.inspection().is_object();
        stack_->setCurrentIndex(open ? 1 : 0);
        header_->setTitle(open ? presenter_.title() : tr("Data"));
        showError(error_, presenter_.uploadError() ? tr("The file could not be uploaded.") : tr("The dataset could not be read."), presenter_.uploadError() ? presenter_.uploadError() : presenter_.error());
        waiting_->setVisible(presenter_.isInspecting());
        progress_->set(presenter_.isInspecting() ? std::nan("") : 0, presenter_.isInspecting() ? tr("Reading every row…") : QString());
        if (known) {
            const double rows = jsonDoubleOr(presenter_.inspection(), "rows", 0), usable = jsonDoubleOr(presenter_.inspection(), "usable", 0);
            format_->set(presenter_.formatText() + QStringLiteral(" · ") + models::formatBytes(jsonDoubleOr(presenter_.inspection(), "bytes", 0)), style::Tone::kNeutral);
            used_->set(usable == rows ? tr("all %1 rows used").arg(models::formatCount(rows)) : tr("%1 of %2 rows used").arg(models::formatCount(usable), models::formatCount(rows)),
                       usable <= 0 ? style::Tone::kBad : usable < rows * 0.9 ? style::Tone::kWarn : style::Tone::kGood);
        }
        format_->setVisible(open && known);
        used_->setVisible(open && known);
        body_->setEnabled(known || !presenter_.error());
        use_->setVisible(open);
        prepare_->setVisible(open);
        use_->setEnabled(known);
        const QString why = presenter_.whyNotPrepare();
        prepare_->setEnabled(why.isEmpty() && !presenter_.isPreparing());
        prepare_->setToolTip(why.isEmpty() ? tr("Tokenizes and packs the data with these settings; experiments with the same settings take it as it is.") : why);
        prepare_->setText(presenter_.isPreparing() ? tr("Starting…") : tr("Prepare"));
        if (open) {
            settings_->refresh();
            rows_->refresh();
        } else {
            start_->refresh();
        }
    }

    void refreshUpload() {
        const bool active = presenter_.isUploading();
        upload_->setVisible(active);
        if (active) {
            const auto& state = presenter_.upload();
            const auto done = static_cast<double>(state.done), total = static_cast<double>(state.total);
            uploadName_->setFullText(state.count > 1 ? tr("%1 (%2 of %3)").arg(state.name).arg(state.index).arg(state.count) : state.name);
            QString text = tr("%1 of %2").arg(models::formatBytes(done), models::formatBytes(total));
            if (state.hashing) text = tr("checking: %1").arg(text);
            else if (state.bytesPerSecond > 0)
                text = tr("%1 of %2 · %3/s · %4 left").arg(models::formatBytes(done), models::formatBytes(total), models::formatBytes(state.bytesPerSecond), models::formatSeconds((total - done) / state.bytesPerSecond));
            uploadLine_->set(total > 0 ? done / total : 0, text);
        } else {
            refresh();
        }
    }

    QString folder() const { return context_.settings.text(QLatin1String(kFolderKey)); }
    void keepFolder(const QString& file) { context_.settings.set(QLatin1String(kFolderKey), QFileInfo(file).path().toStdString()); }

    static QString filter() { return tr("Datasets (*.txt *.jsonl *.ndjson *.json *.csv *.tsv *.parquet *.arrow *.gz *.zst);;All files (*)"); }

    void chooseFiles(bool add) {
        if (presenter_.engineIsRemote()) {
            widgets::chooseRemote(this, tr("Choose a dataset on %1").arg(presenter_.engineName()), false, lister(), [this, add](const QString& path) { add ? presenter_.addOnEngine({path}) : presenter_.openOnEngine({path}); });
            return;
        }
        widgets::chooseLocalFiles(this, tr("Open a dataset"), filter(), folder(), [this, add](const QStringList& paths) {
            keepFolder(paths.first());
            add ? presenter_.addLocal(paths) : presenter_.openLocal(paths);
        });
    }

    // `format`: to read it as; empty: by what is in it.
    void chooseFolder(const QString& format) {
        const auto take = [this, format](const QString& path) {
            if (!presenter_.engineIsRemote()) keepFolder(path);
            Json argument{{"path", path.toStdString()}};
            if (!format.isEmpty()) argument["format"] = format.toStdString();
            presenter_.open(argument);
        };
        if (presenter_.engineIsRemote()) return widgets::chooseRemote(this, tr("Choose a folder with a dataset on %1").arg(presenter_.engineName()), true, lister(), take);
        widgets::chooseLocalFolder(this, tr("Choose a folder with a dataset"), folder(), take);
    }

    void chooseUpload(bool add) {
        widgets::chooseLocalFiles(this, tr("Upload to %1").arg(presenter_.engineName()), filter(), folder(), [this, add](const QStringList& paths) {
            keepFolder(paths.first());
            add ? presenter_.addLocal(paths) : presenter_.openLocal(paths);
        });
    }

    void chooseTokenizer() {
        const auto take = [this](const QString& path) { presenter_.setTokenizer(path); };
        if (presenter_.engineIsRemote()) return widgets::chooseRemote(this, tr("Choose a tokenizer on %1").arg(presenter_.engineName()), false, lister(), take);
        widgets::chooseLocalFile(this, tr("Choose a tokenizer"), tr("Tokenizers (tokenizer.json *.gguf);;All files (*)"), folder(), take);
    }

    widgets::RemoteLister lister() {
        return [self = QPointer<DataPage>(this)](const QString& folder, std::function<void(QString, QList<widgets::RemoteEntry>, QString)> answer) {
            if (!self) return;
            const Json params = folder.isEmpty() ? Json::object() : Json{{"folder", folder.toStdString()}};
            self->context_.session.tool(QStringLiteral("files_list"), params, self, [answer](Result<Json> reply) {
                if (!reply) return answer({}, {}, QString::fromStdString(reply.error().message));
                QList<widgets::RemoteEntry> entries;
                if (auto found = reply->find("entries"); found != reply->end() && found->is_array())
                    for (const Json& entry : *found)
                        if (entry.is_object()) entries.append({QString::fromStdString(jsonStringOr(entry, "name", "")), jsonBoolOr(entry, "folder", false), jsonIntegerOr(entry, "bytes", 0)});
                answer(QString::fromStdString(jsonStringOr(*reply, "folder", "")), entries, {});
            });
        };
    }

    presenters::AppContext& context_;
    DataPresenter presenter_;
    widgets::PageHeader* header_;
    widgets::Badge *format_, *used_;
    QPushButton *more_, *use_, *prepare_;
    widgets::Card* upload_;
    widgets::PlainLabel* uploadName_;
    widgets::ProgressLine *uploadLine_, *progress_;
    widgets::ErrorPanel* error_;
    QStackedWidget* stack_;
    StartCard* start_;
    QWidget* waiting_;
    SettingsCard* settings_;
    QSplitter *body_, *top_;
    ViewCard* view_;
    LengthsCard* lengths_;
    RowsCard* rows_;
    bool shown_ = false;
};

}  // namespace

Page* makeDataPage(presenters::AppContext& context, QWidget* parent) { return new DataPage(context, parent); }

}  // namespace assay::pages

#include "data_page.moc"
