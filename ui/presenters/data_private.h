#pragma once
#include <assay/presenters/blob_upload.h>
#include <assay/presenters/data_presenter.h>
#include <assay/presenters/engine_session.h>
#include <assay/presenters/tool_question.h>

#include <QElapsedTimer>

namespace assay::presenters {

struct DataPresenter::Private {
    DataPresenter& q;
    AppContext& context;
    models::DataRowsModel rows;
    ToolQuestion inspecting, rowsQuestion, measuring, viewing, listing, finding;

    std::vector<DataSetFile> files;
    QString engine;                       // whose files these are
    Json inspection;
    std::optional<Error> error;
    QString format = QStringLiteral("auto"), document = QStringLiteral("line");
    Json given = Json::object();          // role → column as chosen; empty: the engine's guess
    RowShape shape = RowShape::kText;
    bool unanswered = false;              // the link was lost before the answer came

    QString filter;
    std::optional<Error> rowsError;
    QList<qint64> pagesWanted;            // newest last
    bool rowsKnown = false;
    int file = 0;

    QString tokenizer = QStringLiteral("bytes"), packing = QStringLiteral("concat"), overLength = QStringLiteral("split"), lossOn = QStringLiteral("all");
    qint64 sequenceLength = 256;
    std::vector<TokenizerChoice> tokenizers;
    std::vector<FoundDataset> found;
    bool visible = false, tokenizersAsked = false;

    Json lengths, view;
    std::optional<Error> lengthsError, viewError;
    qint64 viewRow = 1;
    bool preparing = false;
    std::string submitKey;

    std::unique_ptr<BlobUpload> blob;
    QStringList uploadQueue;
    std::vector<DataSetFile> uploaded;
    bool uploadAdds = false;
    DataUpload uploadState;
    QElapsedTimer uploadClock;
    std::optional<Error> uploadError;

    Private(DataPresenter& self, AppContext& shared)
        : q(self), context(shared), inspecting(shared.session), rowsQuestion(shared.session), measuring(shared.session), viewing(shared.session), listing(shared.session), finding(shared.session) {}

    QString engineText() const;
    void take(std::vector<DataSetFile> chosen, bool add);
    void inspect();
    void takeInspection(Json document);
    void askDerived(int afterMs = 0);     // rows, lengths and view of the present file
    void askRows();
    void askPage(qint64 page);
    void readPage(qint64 page, qint64 offset, Json rows);
    void nextPage();
    void measure(int afterMs = 0);
    void look(int afterMs = 0);
    void dropAnswers();
    Json source(const DataSetFile& file) const;        // parameters that say how a file is read
    Json sources() const;
    Json mapping() const;                              // as given, else as guessed
    std::map<QString, QString> mappedColumns() const;
    void remember();
    void askTokenizers();
    void askFound();
    void upload(const QStringList& paths, bool add);
    void uploadNext();
    void onLink();
    void submit(const Json& resolved, const std::string& yaml);
};

// What a file without an ending (an upload) must be read as; "auto" for what is recognised by its content.
QString formatOfName(const QString& name);

}  // namespace assay::presenters
