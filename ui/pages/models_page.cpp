#include <assay/models/format.h>
#include <assay/models/json_table_model.h>
#include <assay/presenters/dropped_paths.h>
#include <assay/presenters/engine_session.h>
#include <assay/presenters/models_presenter.h>
#include <assay/presenters/settings.h>
#include <assay/widgets/card.h>
#include <assay/widgets/controls.h>
#include <assay/widgets/file_dialog.h>
#include <assay/widgets/table_view.h>

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QShortcut>
#include <QShowEvent>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "data/parts.h"
#include "make_pages.h"
#include "models/model_details.h"
#include "splitter_state.h"

namespace assay::pages {
namespace {

using presenters::ModelsPresenter;
constexpr int kTokenizerColumn = 8;
constexpr auto kFolderKey = "page.models.folder";

QString cell(const Json& row, const char* key) { return models::plain(QString::fromStdString(jsonStringOr(row, key, ""))); }
QString orDash(const QString& text) { return text.isEmpty() ? models::notMeasured() : text; }
bool isBroken(const Json& row) { return row.contains("error") && !row["error"].is_null(); }

QString sourceText(const Json& row) {
    const std::string source = jsonStringOr(row, "source", "");
    if (source == "asset") return QObject::tr("asset");
    if (source == "run") return QObject::tr("run");
    return source == "folder" ? QObject::tr("folder") : cell(row, "source");
}

QString tokenizerText(const Json& row) {
    const QString path = cell(row, "tokenizer");
    if (path.isEmpty()) return models::notMeasured();
    return path == QLatin1String("bytes") ? QObject::tr("bytes") : QObject::tr("its own");
}

QString setupsText(const Json& row) {
    const auto setups = row.find("setups");
    return setups == row.end() || !setups->is_array() || setups->empty() ? QString() : QString::number(setups->size());
}

class ModelsPage final : public Page {
    Q_OBJECT
public:
    ModelsPage(presenters::AppContext& context, QWidget* parent) : Page(parent), context_(context), presenter_(context) {
        setObjectName(QStringLiteral("page-models"));
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(style::size::kPagePadding, 16, style::size::kPagePadding, 16);
        layout->setSpacing(style::size::kGap);
        layout->addWidget(makeHeader());
        error_ = new widgets::ErrorPanel(this);
        error_->setObjectName(QStringLiteral("models-error"));
        layout->addWidget(error_);
        stack_ = new QStackedWidget(this);
        empty_ = new widgets::EmptyState(QStringLiteral("models"), tr("Models that you train appear here by themselves. Add a folder with .gguf files or Hugging Face models to measure those too."), tr("Add a folder"), stack_);
        empty_->setObjectName(QStringLiteral("models-empty"));
        connect(empty_, &widgets::EmptyState::clicked, this, &ModelsPage::chooseFolder);
        stack_->addWidget(empty_);
        splitter_ = new QSplitter(Qt::Horizontal, stack_);
        splitter_->setObjectName(QStringLiteral("models-splitter"));
        splitter_->setAccessibleName(tr("List and details"));
        splitter_->setHandleWidth(style::size::kGap);
        splitter_->setChildrenCollapsible(false);
        splitter_->addWidget(makeTable());
        details_ = new ModelDetails(presenter_, context.notifier, splitter_);
        details_->setMinimumWidth(300);
        splitter_->addWidget(details_);
        splitter_->setStretchFactor(0, 5);
        splitter_->setStretchFactor(1, 2);
        splitter_->setSizes({730, 322});
        stack_->addWidget(splitter_);
        layout->addWidget(stack_, 1);
        connect(&presenter_, &ModelsPresenter::changed, this, &ModelsPage::refresh);
        connect(&presenter_, &ModelsPresenter::selectionChanged, this, &ModelsPage::followSelection);
        connect(&presenter_, &ModelsPresenter::chooseAsked, this, &ModelsPage::chooseFolder);
        connect(new QShortcut(Qt::Key_F5, this), &QShortcut::activated, &presenter_, &ModelsPresenter::refresh);
        refresh();
    }

    void open(const Json& argument) override { presenter_.open(argument); }
    bool acceptsFiles(const QStringList& paths) const override {
        for (const QString& path : paths)
            if (presenters::pathKind(path) != presenters::PathKind::kModel) return false;
        return !paths.isEmpty() && !presenter_.engineIsRemote();
    }
    void takeFiles(const QStringList& paths) override {
        for (const QString& path : paths) presenter_.addFolder(path);
    }
    Json saveState() const override {
        return {{"columns", splitterState(*splitter_)}, {"table", table_->layout()}};
    }
    void restoreState(const Json& state) override {
        if (!state.is_object()) return;
        restoreSplitter(*splitter_, state, "columns");
        if (auto layout = state.find("table"); layout != state.end()) table_->setLayoutState(*layout);
    }

protected:
    void showEvent(QShowEvent* event) override {
        Page::showEvent(event);
        presenter_.setVisible(true);
    }
    void hideEvent(QHideEvent* event) override {
        presenter_.setVisible(false);
        Page::hideEvent(event);
    }

private:
    QWidget* makeHeader() {
        auto* header = new widgets::PageHeader(tr("Models"), this);
        count_ = new widgets::Badge({}, style::Tone::kNeutral, header);
        count_->setObjectName(QStringLiteral("models-count"));
        header->addBadge(count_);
        folders_ = widgets::makeButton(tr("Folders"), widgets::ButtonKind::kQuiet, {}, header);
        folders_->setObjectName(QStringLiteral("models-folders"));
        auto* menu = new QMenu(folders_);
        connect(menu, &QMenu::aboutToShow, this, [this, menu] {
            menu->clear();
            for (const QString& folder : presenter_.folders())
                menu->addAction(tr("Remove %1 from the list").arg(models::shortened(folder, 60)).replace(QLatin1Char('&'), QLatin1String("&&")), this, [this, folder] { presenter_.removeFolder(folder); });
        });
        folders_->setMenu(menu);
        header->addAction(folders_);
        refresh_ = widgets::makeButton(tr("Look again"), widgets::ButtonKind::kNormal, QStringLiteral("refresh"), header);
        refresh_->setObjectName(QStringLiteral("models-refresh"));
        connect(refresh_, &QPushButton::clicked, &presenter_, &ModelsPresenter::refresh);
        header->addAction(refresh_);
        auto* add = widgets::makeButton(tr("Add a folder"), widgets::ButtonKind::kPrimary, QStringLiteral("add"), header);
        add->setObjectName(QStringLiteral("models-add"));
        connect(add, &QPushButton::clicked, this, &ModelsPage::chooseFolder);
        header->addAction(add);
        return header;
    }

    QWidget* makeTable() {
        auto* card = new widgets::Card({}, splitter_);
        card->setBodyMargins(0);
        card->setMinimumWidth(360);
        using Column = models::JsonTableModel::Column;
        const auto number = [](const char* key) { return [key](const Json& row) { return jsonDoubleOr(row, key, 0); }; };
        const auto text = [](const char* key) { return [key](const Json& row) { return orDash(cell(row, key)); }; };
        const auto tip = [](const Json& row) { return isBroken(row) && row["error"].is_object() ? cell(row["error"], "message") : cell(row, "path"); };
        model_ = new models::JsonTableModel(
            {Column{.key = QStringLiteral("name"), .title = tr("Name"), .text = text("name"), .toolTip = tip},
             Column{.key = QStringLiteral("fit"), .title = tr("Here"), .tip = tr("Whether it fits the memory of this machine"),
                    .text = [](const Json& row) { return isBroken(row) ? tr("unusable") : presenters::fitText(static_cast<presenters::Fit>(jsonIntegerOr(row, "fit", 0))); },
                    .tone = [](const Json& row) { return isBroken(row) ? static_cast<int>(style::Tone::kBad) : presenters::fitTone(static_cast<presenters::Fit>(jsonIntegerOr(row, "fit", 0))); }, .toolTip = tip},
             Column{.key = QStringLiteral("parameters"), .title = tr("Parameters"), .text = [](const Json& row) { const double n = jsonDoubleOr(row, "parameters", 0); return n > 0 ? models::formatCompact(n) : models::notMeasured(); }, .number = number("parameters")},
             Column{.key = QStringLiteral("bytes"), .title = tr("Size"), .text = [](const Json& row) { return models::formatBytes(jsonDoubleOr(row, "bytes", 0)); }, .number = number("bytes")},
             Column{.key = QStringLiteral("dtype"), .title = tr("Type"), .text = text("dtype")},
             Column{.key = QStringLiteral("family"), .title = tr("Family"), .text = text("family")},
             Column{.key = QStringLiteral("context"), .title = tr("Context"), .text = [](const Json& row) { const double n = jsonDoubleOr(row, "context", 0); return n > 0 ? models::formatCount(n) : models::notMeasured(); }, .number = number("context")},
             Column{.key = QStringLiteral("source"), .title = tr("From"), .text = sourceText, .toolTip = [](const Json& row) { return cell(row, "reference"); }},
             Column{.key = QStringLiteral("tokenizer"), .title = tr("Tokenizer"), .text = tokenizerText, .toolTip = [](const Json& row) { return cell(row, "tokenizer"); }},
             Column{.key = QStringLiteral("setups"), .title = tr("Set-ups"), .text = setupsText, .number = [](const Json& row) { const auto list = row.find("setups"); return list == row.end() ? 0.0 : static_cast<double>(list->size()); }}},
            this);
        sorted_ = new QSortFilterProxyModel(this);
        sorted_->setSourceModel(model_);
        sorted_->setSortCaseSensitivity(Qt::CaseInsensitive);
        table_ = new widgets::TableView(card);
        table_->setObjectName(QStringLiteral("models-table"));
        table_->setAccessibleName(tr("Models"));
        table_->setSelectionMode(QAbstractItemView::SingleSelection);
        table_->setModel(sorted_);
        table_->setRoles(models::JsonTableModel::kToneRole, -1, -1);
        // Most models bring their own tokenizer: the details say which. Its column is a click on the header away.
        table_->header()->setSectionHidden(kTokenizerColumn, true);
        table_->setExpendableColumns({9, 7, 5, 4});   // set-ups, source, family and type are among the details
        card->body()->addWidget(table_);
        connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
            if (index.isValid()) presenter_.select(referenceAt(index));
        });
        connect(table_, &widgets::TableView::sortRequested, this, [this](int column) {
            const bool numbers = column >= 0 && model_->columns()[column].number;
            sorted_->setSortRole(numbers ? static_cast<int>(models::JsonTableModel::kNumberRole) : static_cast<int>(Qt::DisplayRole));
        });
        connect(table_, &widgets::TableView::contextMenuRequested, this, &ModelsPage::showMenu);
        return card;
    }

    QString referenceAt(const QModelIndex& index) const {
        const QModelIndex source = sorted_->mapToSource(index);
        return source.isValid() ? QString::fromStdString(jsonStringOr(model_->row(source.row()), "reference", "")) : QString();
    }

    void showMenu(const QModelIndex& index, const QPoint& global) {
        if (!index.isValid()) return;
        presenter_.select(referenceAt(index));
        const bool usable = !isBroken(presenter_.selectedModel());
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addAction(tr("Quantize and benchmark"), &presenter_, &ModelsPresenter::quantize)->setEnabled(usable);
        menu->addAction(tr("New experiment"), &presenter_, &ModelsPresenter::newExperiment)->setEnabled(usable);
        menu->addAction(tr("Try it"), &presenter_, &ModelsPresenter::tryIt)->setEnabled(usable);
        if (!jsonStringOr(presenter_.selectedModel(), "run", "").empty()) menu->addAction(tr("Open the run that made it"), &presenter_, &ModelsPresenter::openRun);
        menu->addSeparator();
        menu->addAction(tr("Copy reference"), this, [this] { QApplication::clipboard()->setText(presenter_.selected()); });
        menu->popup(global);
    }

    void refresh() {
        const auto& models = presenter_.models();
        showError(error_, tr("The models could not be listed."), presenter_.error());
        const bool nothing = presenter_.isLoaded() && models.isEmpty();
        stack_->setCurrentIndex(nothing ? 0 : 1);
        model_->setRows(models);
        table_->setEmptyText(presenter_.isLoading() ? tr("Looking for models…") : tr("No models."));
        count_->set(models.isEmpty() ? QString() : models::formatCount(static_cast<double>(models.size())), style::Tone::kNeutral);
        count_->setVisible(!models.isEmpty());
        folders_->setVisible(!presenter_.folders().isEmpty());
        refresh_->setEnabled(!presenter_.isLoading());
        refresh_->setText(presenter_.isLoading() ? tr("Looking…") : tr("Look again"));
        followSelection();
        if (presenter_.isLoaded() && !shown_) {
            shown_ = true;
            Q_EMIT contentShown();
        }
    }

    void followSelection() {
        details_->refresh();
        const QString wanted = presenter_.selected();
        if (referenceAt(table_->currentIndex()) == wanted) return;
        for (int row = 0; row < sorted_->rowCount(); ++row)
            if (referenceAt(sorted_->index(row, 0)) == wanted) {
                const QSignalBlocker quiet(table_->selectionModel());
                table_->setCurrentIndex(sorted_->index(row, 0));
                table_->viewport()->update();
                return;
            }
    }

    void chooseFolder() {
        const auto take = [this](const QString& path) {
            context_.settings.set(QLatin1String(kFolderKey), path.toStdString());
            presenter_.addFolder(path);
        };
        if (!presenter_.engineIsRemote()) return widgets::chooseLocalFolder(this, tr("Add a folder with models"), context_.settings.text(QLatin1String(kFolderKey)), take);
        widgets::chooseRemote(this, tr("Add a folder of %1").arg(presenter_.engineName()), true, [self = QPointer<ModelsPage>(this)](const QString& folder, std::function<void(QString, QList<widgets::RemoteEntry>, QString)> answer) {
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
        }, take);
    }

    presenters::AppContext& context_;
    ModelsPresenter presenter_;
    widgets::Badge* count_;
    QPushButton *folders_, *refresh_;
    widgets::ErrorPanel* error_;
    widgets::EmptyState* empty_;
    QStackedWidget* stack_;
    QSplitter* splitter_;
    models::JsonTableModel* model_;
    QSortFilterProxyModel* sorted_;
    widgets::TableView* table_;
    ModelDetails* details_;
    bool shown_ = false;
};

}  // namespace

Page* makeModelsPage(presenters::AppContext& context, QWidget* parent) { return new ModelsPage(context, parent); }

}  // namespace assay::pages

#include "models_page.moc"
