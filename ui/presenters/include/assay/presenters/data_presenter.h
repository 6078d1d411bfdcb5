#pragma once
// A dataset before it is trained on: what it is, how its columns are read, what is wrong with it, how long its rows are, what
// the model will see. Everything is computed where the engine is (`tools.call`); files of another machine are uploaded first.

#include <assay/models/data_rows_model.h>
#include <assay/presenters/app_context.h>

#include <QObject>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

namespace assay::presenters {

struct DataSetFile {
    QString place;              // path on the engine's machine, or a reference
    QString name;               // as people call it
    QString format;             // "auto", or what an upload without an ending is read as
    bool operator==(const DataSetFile&) const = default;
};
struct RecentDataset {
    std::vector<DataSetFile> files;
    QString title, detail;      // file names; folder
};
struct FoundDataset {           // in the caches of Hugging Face on the engine's machine
    QString path, title, detail;   // detail: split and size, or why it cannot be read; then there is no path
};
struct TokenizerChoice {
    QString reference, label, detail;
};
struct DataUpload {
    QString name;
    bool hashing = false;
    qint64 done = 0, total = 0;
    int index = 0, count = 0;   // which of how many files
    double bytesPerSecond = 0;  // 0: not known yet
};
// How rows become text.
enum class RowShape { kText, kPromptCompletion, kMessages };

class DataPresenter final : public QObject {
    Q_OBJECT
public:
    explicit DataPresenter(AppContext& context, QObject* parent = nullptr);
    ~DataPresenter() override;
    void setVisible(bool visible);                    // the tokenizers are asked for when somebody looks

    void open(const Json& argument);                  // {open: true} | {path, format?, columns?} | {paths: […]} | {}
    void openOnEngine(const QStringList& paths);
    void openLocal(const QStringList& paths);         // of this machine: as they are when the engine is here, else uploaded
    void addOnEngine(const QStringList& paths);       // more files of the same dataset
    void addLocal(const QStringList& paths);
    void openRecent(int index);
    void close();
    void reload();                                    // the files may have changed
    std::vector<RecentDataset> recent() const;        // of the present engine, newest first
    const std::vector<FoundDataset>& found() const;
    void openFound(int index);
    bool engineIsRemote() const;
    QString engineName() const;

    bool isUploading() const;
    const DataUpload& upload() const;
    void cancelUpload();
    const std::optional<Error>& uploadError() const;

    bool isOpen() const;                              // files are chosen; what they hold may not be known yet
    const std::vector<DataSetFile>& files() const;
    QString title() const;
    bool isInspecting() const;
    void cancelInspection();
    const Json& inspection() const;                   // document of `data_inspect`; null: none (yet)
    const std::optional<Error>& error() const;

    QString formatText() const;                       // "JSONL"
    const QString& format() const;                    // as chosen; "auto"
    bool isHuggingFace() const;                       // it was read as a saved Hugging Face dataset
    void setFormat(const QString& format);            // auto, text, jsonl, csv
    bool hasColumns() const;
    QStringList columns() const;
    RowShape shape() const;
    void setShape(RowShape shape);
    bool canBeMessages() const;
    QString column(const QString& role) const;        // text, prompt, completion
    void setColumn(const QString& role, const QString& column);
    bool mappingIsGuessed() const;
    QString mappingReason() const;                    // "a column named verse"
    void guessMapping();
    const QString& document() const;                  // of text files: line, paragraph, file
    void setDocument(const QString& document);

    struct Problem {
        QString reason, hint, where, file;
        qint64 count = 0, row = 0, line = 0;
        bool keeps = false;
    };
    std::vector<Problem> problems() const;
    qint64 problemRows() const;

    models::DataRowsModel& rows();
    void setFilter(const QString& text);
    const QString& filter() const;
    bool isReadingRows() const;
    const std::optional<Error>& rowsError() const;
    int currentFile() const;                          // rows, lengths and the view are of one file
    void setCurrentFile(int index);

    std::vector<TokenizerChoice> tokenizers() const;
    const QString& tokenizer() const;
    void setTokenizer(const QString& reference);
    qint64 sequenceLength() const;
    void setSequenceLength(qint64 length);
    const QString& packing() const;                   // none, concat, best_fit
    void setPacking(const QString& packing);
    const QString& overLength() const;                // split, truncate, drop, error
    void setOverLength(const QString& policy);
    const QString& lossOn() const;                    // all, assistant, completion
    void setLossOn(const QString& what);

    bool isMeasuring() const;
    const Json& lengths() const;                      // answer of `data_lengths`; null: none
    const std::optional<Error>& lengthsError() const;
    void cancelMeasuring();
    bool isViewing() const;
    const Json& view() const;                         // answer of `data_view`; null: none
    const std::optional<Error>& viewError() const;
    qint64 viewRow() const;                           // sequence, from 1
    qint64 viewRows() const;
    void setViewRow(qint64 row);

    QString whyNotPrepare() const;                    // empty: it can be pressed
    bool isPreparing() const;
    void prepare();                                   // submits a prepare run and opens it
    void useInExperiment();
    // {path, format, columns, sources, tokenizer, sequence_length, packing, document, loss_on, over_length} of the open dataset,
    // as ExperimentPresenter::open takes it under "data".
    Json experimentArgument() const;
    std::string prepareYaml() const;

    Json state() const;
    void restore(const Json& state);

Q_SIGNALS:
    void changed();
    void uploadChanged();
    void rowsChanged();
    void lengthsChanged();
    void viewChanged();
    void tokenizersChanged();
    void foundChanged();
    void chooseAsked();                               // the page opens its file dialog

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace assay::presenters
