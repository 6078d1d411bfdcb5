#pragma once
// Models on the engine's machine: assets, models of runs, and what lies in folders that the person added.

#include <assay/presenters/app_context.h>

#include <QObject>
#include <QStringList>
#include <memory>
#include <optional>

namespace assay::presenters {

enum class Fit { kUnknown, kFits, kTight, kTooBig };
// What a model needs to run: its weights, the KV cache of one sequence (16 bit, of its context, at most 4,096 tokens), and a
// tenth of the weights for everything else. 0: not known.
double residentBytes(const Json& model);
// As the planner says it: tight from 80 % of the capacity on.
Fit fitOf(double needed, double capacity);
QString fitText(Fit fit);
int fitTone(Fit fit);                          // int of style::Tone

class ModelsPresenter final : public QObject {
    Q_OBJECT
public:
    explicit ModelsPresenter(AppContext& context, QObject* parent = nullptr);
    ~ModelsPresenter() override;
    void setVisible(bool visible);             // asks for nothing while it is not seen

    const QList<Json>& models() const;         // MODEL of PROTOCOL.md, with "id" and "fit"
    bool isLoaded() const;
    bool isLoading() const;
    const std::optional<Error>& error() const;
    double memoryBytes() const;                // of the machine; 0: not known
    void refresh();

    QStringList folders() const;               // added by the person, on the present engine
    void addFolder(const QString& path);       // a file: the folder it lies in
    void removeFolder(const QString& path);
    bool engineIsRemote() const;
    QString engineName() const;

    void select(const QString& reference);     // empty: none; details are asked for
    const QString& selected() const;
    Json selectedModel() const;                // row of the list; null: none
    bool isDescribing() const;
    const Json& details() const;               // answer of `model_describe`; null: none (yet)
    const std::optional<Error>& detailsError() const;

    void newExperiment();
    void quantize();
    void tryIt();
    void openRun();
    void open(const Json& argument);           // {model: reference} | {paths: […]} | {open: true} | {}

Q_SIGNALS:
    void changed();
    void selectionChanged();
    void chooseAsked();

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace assay::presenters
