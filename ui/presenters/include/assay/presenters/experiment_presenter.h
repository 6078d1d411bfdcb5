#pragma once
// The experiment that a person is writing. The text is the truth; the form reads and writes it by key, so that both are
// always equal. Checks it here and on the engine's machine, plans it, and starts it.

#include <assay/presenters/app_context.h>
#include <assay/presenters/experiment_sweep.h>

#include <QStringList>
#include <memory>
#include <vector>

namespace assay::presenters {

struct FormField {
    enum class Kind { kText, kNumber, kChoice, kSwitch, kList, kPath, kModel, kGroup };
    QString key, label, unit, typical, help, fallback;
    Kind kind = Kind::kText;
    QStringList choices, choiceLabels;   // YAML values and how they read; kChoice may hold another value
    int choice = -1;                     // index of the value; -1: another one
    bool freeChoice = false;             // anything may be typed
    bool advanced = false;
    QString value;                       // as a person edits it; kSwitch and kGroup: "true" or "false"
    bool written = false, changed = false;   // in the text; not the default
    QString problem;
    QString note;                        // said below the field always: what a value means
    QString invitation;                  // shown in the field while it is empty: "Choose a dataset"
    int line = 0;                        // 0: not in the text
    bool operator==(const FormField&) const = default;
};
struct FormSection {
    QString key, title, help;
    bool optional = false, present = true;
    std::vector<FormField> fields;
    bool operator==(const FormSection&) const = default;
};
struct SpecProblem {
    int line = 0, column = 0;
    QString key, message, hint;
    bool operator==(const SpecProblem&) const = default;
};
struct ExperimentTemplate {
    QString key, title, help;
};

class ExperimentPresenter final : public QObject {
    Q_OBJECT
public:
    explicit ExperimentPresenter(AppContext& context, QObject* parent = nullptr);
    ~ExperimentPresenter() override;

    QString text() const;
    void setText(const QString& text);            // typed
    bool canUndo() const;
    bool canRedo() const;
    void undo();
    void redo();

    const std::vector<FormSection>& sections() const;
    bool formReadable() const;                    // false: the text is no YAML; the form shows what was there before
    bool isChecking() const;                      // a long text is read on another thread
    void setField(const QString& key, const QString& value);   // empty: back to the default
    void resetField(const QString& key);
    void setSectionPresent(const QString& key, bool present);
    int lineOf(const QString& key) const;
    QString keyAtLine(int line) const;
    QStringList completions() const;              // keys for the editor

    const std::vector<SpecProblem>& problems() const;   // without the places that a template leaves to the person
    int changedCount() const;                     // values that differ from their defaults
    QString origin() const;                       // "template: Fine-tune a model"
    QString filePath() const;                     // empty: not saved yet
    bool isModified() const;
    bool engineIsRemote() const;                  // paths are of that machine
    QString engineName() const;

    // Before you run
    bool isPlanning() const;
    const Json& plan() const;                     // document of the `plan` tool; null: none
    const std::optional<Error>& planError() const;
    double diskFreeBytes() const;                 // of the engine's store; NaN: not known
    // What is to be done before it can start, whole sentences; empty: it can. Places that a template leaves open come first
    // and are no error yet: they become one when they were edited, or when Start was pressed.
    QStringList missing() const;
    QStringList openPlaces() const;               // those first ones alone
    bool canPressStart() const;                   // it starts, or it says what is missing
    QStringList warnings() const;                 // what may be overridden
    bool isStarting() const;
    void start(bool openRun);                     // Start opens the run, Queue stays; with open places: attentionAsked
    QString command() const;                      // what to type instead

    std::vector<ExperimentTemplate> templates() const;
    // {template: key} | {data: {path, columns, format, …}, see DataPresenter::experimentArgument} | {model: reference} | {fork: run} | {file: path} | {}
    void open(const Json& argument);
    void confirmReplace(bool replace);            // the answer to replaceAsked
    void save(const QString& path);
    QStringList recent() const;

    SweepPlan sweep() const;
    SweepPreview previewSweep(const SweepPlan& plan) const;
    bool applySweep(const SweepPlan& plan);
    QStringList sweepableKeys() const;
    bool isWholeNumber(const QString& key) const;

Q_SIGNALS:
    void textReplaced();      // by the form, undo or a file: the editor takes it over
    void changed();           // form, problems, title
    void planChanged();
    void startChanged();
    void replaceAsked(const QString& what);
    void attentionAsked(const QString& key);      // this field is the next to fill in
    void saved(const QString& path);

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace assay::presenters
