// What is asked about the present file: its rows page by page, lengths, the model's view; and which tokenizers there are.
#include <assay/models/format.h>

#include <QFileInfo>

#include "data_private.h"
#include "words.h"

namespace assay::presenters {
namespace {

constexpr int kTypingMs = 300, kFilterMs = 350;
constexpr size_t kMostFound = 50;       // datasets that nobody asked for
constexpr int kMostWanted = 4;          // pages that wait; a fast scroll leaves the rest behind
constexpr qsizetype kMostColumns = 64;  // of the table of rows


}  // namespace

void DataPresenter::Private::askDerived(int afterMs) {
    if (!inspection.is_object() || files.empty()) return;
    askRows();
    measure(afterMs);
    look(afterMs);
}

void DataPresenter::Private::askRows() {
    rowsQuestion.drop();
    pagesWanted.clear();
    rowsError.reset();
    rowsKnown = false;
    rows.clear();
    Q_EMIT q.rowsChanged();
    if (!inspection.is_object()) return;
    readPage(0, 0, Json::array());
}

// One page is asked for at a time. An answer may end early (it has a limit): the rest is asked for until the page is whole.
void DataPresenter::Private::readPage(qint64 page, qint64 offset, Json collected) {
    constexpr qint64 kPage = models::DataRowsModel::kPageRows;
    const qint64 end = (page + 1) * kPage;
    Json params = source(files[static_cast<size_t>(file)]);
    params["offset"] = offset;
    params["limit"] = end - offset;
    if (!filter.isEmpty()) params["filter"] = filter.toStdString();
    rowsQuestion.ask(QStringLiteral("data_rows"), std::move(params), [this, page, end, collected = std::move(collected)](Result<Json> reply) mutable {
        if (!reply) {
            rowsError = reply.error();
            rows.pageFailed(page);
            nextPage();
            Q_EMIT q.rowsChanged();
            return;
        }
        if (!rowsKnown) {
            QStringList columns;
            if (auto list = reply->find("columns"); list != reply->end() && list->is_array())
                for (const Json& column : *list)
                    if (column.is_string() && columns.size() < kMostColumns) columns << toQt(column.get<std::string>());
            rowsKnown = true;
            rows.reset(columns, mappedColumns(), jsonIntegerOr(*reply, "total", 0));
        }
        if (auto list = reply->find("rows"); list != reply->end() && list->is_array())
            for (Json& row : *list) collected.push_back(std::move(row));
        const qint64 next = jsonIntegerOr(*reply, "next_offset", end);
        if (next < end && next > page * kPage && static_cast<qint64>(collected.size()) < kPage) return readPage(page, next, std::move(collected));
        rows.setPage(page, collected);
        nextPage();
        Q_EMIT q.rowsChanged();
    }, page == 0 && offset == 0 && !filter.isEmpty() ? kFilterMs : 0);
    Q_EMIT q.rowsChanged();
}

void DataPresenter::Private::askPage(qint64 page) {
    if (!rowsKnown) return;
    pagesWanted.append(page);
    while (pagesWanted.size() > kMostWanted) rows.pageFailed(pagesWanted.takeFirst());
    if (!rowsQuestion.isAsking()) nextPage();
}

// The one that was looked at last comes first.
void DataPresenter::Private::nextPage() {
    if (rowsQuestion.isAsking() || pagesWanted.isEmpty() || files.empty()) return;
    const qint64 page = pagesWanted.takeLast();
    readPage(page, page * models::DataRowsModel::kPageRows, Json::array());
}

models::DataRowsModel& DataPresenter::rows() { return d_->rows; }
const QString& DataPresenter::filter() const { return d_->filter; }
bool DataPresenter::isReadingRows() const { return d_->rowsQuestion.isAsking(); }
const std::optional<Error>& DataPresenter::rowsError() const { return d_->rowsError; }

void DataPresenter::setFilter(const QString& text) {
    const QString next = text.left(300);   // the engine takes 1,000 bytes
    if (next == d_->filter) return;
    d_->filter = next;
    d_->askRows();
}

int DataPresenter::currentFile() const { return d_->file; }
void DataPresenter::setCurrentFile(int index) {
    if (index == d_->file || index < 0 || static_cast<size_t>(index) >= d_->files.size()) return;
    d_->file = index;
    d_->viewRow = 1;
    Q_EMIT changed();
    d_->askDerived();
}

void DataPresenter::Private::measure(int afterMs) {
    measuring.drop();
    lengths = nullptr;
    lengthsError.reset();
    if (inspection.is_object() && !files.empty()) {
        Json params = source(files[static_cast<size_t>(file)]);
        params["tokenizer"] = tokenizer.toStdString();
        params["sequence_length"] = sequenceLength;
        params["over_length"] = overLength.toStdString();
        measuring.ask(QStringLiteral("data_lengths"), std::move(params), [this](Result<Json> reply) {
            if (reply) lengths = std::move(*reply);
            else lengthsError = reply.error();
            Q_EMIT q.lengthsChanged();
        }, afterMs);
    }
    Q_EMIT q.lengthsChanged();
}

void DataPresenter::cancelMeasuring() {
    if (!isMeasuring()) return;
    d_->measuring.drop();
    d_->lengthsError = Error(ErrorCode::kCancelled, tr("Measuring was cancelled.").toStdString());
    Q_EMIT lengthsChanged();
}

// The sequence shown stays until the next one is there: stepping through them does not flicker.
void DataPresenter::Private::look(int afterMs) {
    viewing.drop();
    viewError.reset();
    if (inspection.is_object() && !files.empty()) {
        Json params = source(files[static_cast<size_t>(file)]);
        params["tokenizer"] = tokenizer.toStdString();
        params["row"] = viewRow;
        params["sequence_length"] = sequenceLength;
        params["over_length"] = overLength.toStdString();
        params["packing"] = packing.toStdString();
        params["loss_on"] = lossOn.toStdString();
        viewing.ask(QStringLiteral("data_view"), std::move(params), [this](Result<Json> reply) {
            if (reply) {
                view = std::move(*reply);
                viewRow = jsonIntegerOr(view, "row", viewRow);
            } else {
                view = nullptr;
                viewError = reply.error();
            }
            Q_EMIT q.viewChanged();
        }, afterMs);
    }
    Q_EMIT q.viewChanged();
}

bool DataPresenter::isMeasuring() const { return d_->measuring.isAsking(); }
const Json& DataPresenter::lengths() const { return d_->lengths; }
const std::optional<Error>& DataPresenter::lengthsError() const { return d_->lengthsError; }
bool DataPresenter::isViewing() const { return d_->viewing.isAsking(); }
const Json& DataPresenter::view() const { return d_->view; }
const std::optional<Error>& DataPresenter::viewError() const { return d_->viewError; }
qint64 DataPresenter::viewRow() const { return d_->viewRow; }
qint64 DataPresenter::viewRows() const { return d_->view.is_object() ? jsonIntegerOr(d_->view, "rows", 0) : 0; }

void DataPresenter::setViewRow(qint64 row) {
    const qint64 most = viewRows();
    row = std::max<qint64>(1, most > 0 ? std::min(row, most) : row);
    if (row == d_->viewRow) return;
    d_->viewRow = row;
    d_->look(kTypingMs / 3);
}

const QString& DataPresenter::tokenizer() const { return d_->tokenizer; }
qint64 DataPresenter::sequenceLength() const { return d_->sequenceLength; }
const QString& DataPresenter::packing() const { return d_->packing; }
const QString& DataPresenter::overLength() const { return d_->overLength; }
const QString& DataPresenter::lossOn() const { return d_->lossOn; }

void DataPresenter::setTokenizer(const QString& reference) {
    if (reference.isEmpty() || reference == d_->tokenizer) return;
    d_->tokenizer = reference;
    d_->viewRow = 1;
    Q_EMIT tokenizersChanged();
    d_->measure();
    d_->look();
}

void DataPresenter::setSequenceLength(qint64 length) {
    length = std::clamp<qint64>(length, 2, 1 << 24);
    if (length == d_->sequenceLength) return;
    d_->sequenceLength = length;
    d_->viewRow = 1;
    d_->measure(kTypingMs);
    d_->look(kTypingMs);
}

void DataPresenter::setPacking(const QString& packing) {
    if (packing == d_->packing) return;
    d_->packing = packing;
    d_->viewRow = 1;
    d_->look();
    Q_EMIT lengthsChanged();   // which packing is the chosen one
}

void DataPresenter::setOverLength(const QString& policy) {
    if (policy == d_->overLength) return;
    d_->overLength = policy;
    d_->viewRow = 1;
    d_->measure();
    d_->look();
}

void DataPresenter::setLossOn(const QString& what) {
    if (what == d_->lossOn) return;
    d_->lossOn = what;
    d_->look();
}

void DataPresenter::setVisible(bool visible) {
    d_->visible = visible;
    d_->askTokenizers();
}

void DataPresenter::Private::askTokenizers() {
    if (!visible || tokenizersAsked || !context.session.isLive()) return;
    tokenizersAsked = true;
    listing.ask(QStringLiteral("models_list"), Json::object(), [this](Result<Json> reply) {
        if (!reply) return;   // bytes and a file are still there to choose
        tokenizers.clear();
        if (auto models = reply->find("models"); models != reply->end() && models->is_array())
            for (const Json& model : *models) {
                if (!model.is_object() || jsonStringOr(model, "tokenizer", "").empty() || (model.contains("error") && !model["error"].is_null())) continue;
                tokenizers.push_back({toQt(jsonStringOr(model, "reference", "")), models::shortened(toQt(jsonStringOr(model, "name", "")), 48), models::shortened(toQt(jsonStringOr(model, "path", "")), 200)});
            }
        Q_EMIT q.tokenizersChanged();
    });
    askFound();
}

// What is there without anybody having opened it: offered, and never an error of the page.
void DataPresenter::Private::askFound() {
    finding.ask(QStringLiteral("datasets_list"), Json::object(), [this](Result<Json> reply) {
        if (!reply) return;
        found.clear();
        if (auto list = reply->find("datasets"); list != reply->end() && list->is_array())
            for (const Json& dataset : *list) {
                if (!dataset.is_object() || found.size() >= kMostFound) continue;
                const QString path = toQt(jsonStringOr(dataset, "path", "")), config = models::plain(toQt(jsonStringOr(dataset, "config", "")));
                QString title = models::plain(toQt(jsonStringOr(dataset, "name", ""))), detail = models::plain(toQt(jsonStringOr(dataset, "split", "")));
                if (title.isEmpty()) continue;
                if (!config.isEmpty()) title = DataPresenter::tr("%1, %2", "name and configuration of a dataset").arg(title, config);
                const QString size = models::formatBytes(jsonDoubleOr(dataset, "bytes", 0));
                if (path.isEmpty()) detail = models::plain(toQt(jsonStringOr(dataset, "error", "")));
                else detail = detail.isEmpty() ? size : DataPresenter::tr("%1 · %2", "split and size of a dataset").arg(detail, size);
                found.push_back({path, title, detail});
            }
        Q_EMIT q.foundChanged();
    });
}

const std::vector<FoundDataset>& DataPresenter::found() const { return d_->found; }
void DataPresenter::openFound(int index) {
    if (index < 0 || static_cast<size_t>(index) >= d_->found.size()) return;
    const FoundDataset& chosen = d_->found[static_cast<size_t>(index)];
    if (!chosen.path.isEmpty()) d_->take({{chosen.path, chosen.title, QStringLiteral("auto")}}, false);
}

std::vector<TokenizerChoice> DataPresenter::tokenizers() const {
    std::vector<TokenizerChoice> out = {{QStringLiteral("bytes"), tr("Bytes"), tr("One token a byte; 256 tokens and control tokens.")}};
    for (const TokenizerChoice& choice : d_->tokenizers) out.push_back(choice);
    const bool known = std::any_of(out.begin(), out.end(), [this](const TokenizerChoice& choice) { return choice.reference == d_->tokenizer; });
    if (!known) out.push_back({d_->tokenizer, models::shortened(QFileInfo(d_->tokenizer).fileName(), 48), models::shortened(d_->tokenizer, 200)});
    return out;
}

Json DataPresenter::state() const {
    return {{"tokenizer", d_->tokenizer.toStdString()}, {"sequence_length", d_->sequenceLength}, {"packing", d_->packing.toStdString()},
            {"over_length", d_->overLength.toStdString()}, {"document", d_->document.toStdString()}};
}

void DataPresenter::restore(const Json& state) {
    if (!state.is_object()) return;
    const auto oneOf = [&](const char* key, QString& value, std::initializer_list<const char*> words) {
        const std::string text = jsonStringOr(state, key, "");
        for (const char* word : words)
            if (text == word) value = toQt(text);
    };
    if (const std::string tokenizer = jsonStringOr(state, "tokenizer", ""); !tokenizer.empty()) d_->tokenizer = toQt(tokenizer);
    d_->sequenceLength = std::clamp<qint64>(jsonIntegerOr(state, "sequence_length", d_->sequenceLength), 2, 1 << 24);
    oneOf("packing", d_->packing, {"none", "concat", "best_fit"});
    oneOf("over_length", d_->overLength, {"split", "truncate", "drop", "error"});
    oneOf("document", d_->document, {"line", "paragraph", "file"});
    Q_EMIT tokenizersChanged();
    Q_EMIT changed();
}

}  // namespace assay::presenters
