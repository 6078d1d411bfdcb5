#pragma once
#include <assay/config/schema.h>
#include <assay/config/spec_text.h>
#include <assay/models/json_values.h>
#include <assay/presenters/engine_session.h>
#include <assay/presenters/experiment_presenter.h>
#include <assay/presenters/schema_words.h>
#include <assay/presenters/settings.h>

#include <QTimer>
#include <set>

#include "text_history.h"

namespace assay::presenters {

struct ParsedSpec {
    config::SpecText spec;
    config::Loaded loaded;
};
// Any thread.
ParsedSpec parseExperiment(std::string text, const std::string& fileName, const std::string& folder);
std::vector<FormSection> formOf(const ParsedSpec& parsed);
// Texts to begin with; empty: no such template.
std::string templateText(const QString& key);

struct ExperimentPresenter::Private {
    ExperimentPresenter& q;
    AppContext& context;
    std::string text, baseline;      // baseline: as it was opened or saved
    QString origin, path, forkOf;
    TextHistory history;
    std::shared_ptr<ParsedSpec> parsed = std::make_shared<ParsedSpec>();
    std::vector<FormSection> sections;
    std::vector<SpecProblem> problems;
    std::vector<SpecProblem> engineProblems;   // that only the engine's machine can see
    QStringList open;                // keys that a template leaves to the person and that nobody touched yet
    std::set<QString> touched;
    bool startTried = false;         // from now on what is missing is an error
    std::string started;             // the text that was submitted last: the run keeps it, nothing is lost with it
    quint64 generation = 0;          // of the text
    bool checking = false, readable = true;
    int changedValues = 0;

    QTimer planTimer, draftTimer;
    int64_t planHandle = 0, checkHandle = 0;
    bool planning = false;
    Json plan;
    std::optional<Error> planError;
    double diskFree = models::kNan;
    bool starting = false;
    std::string submitKey;           // the same until the text changes: asking twice makes one run
    Json pendingOpen;

    Private(ExperimentPresenter& owner, AppContext& c) : q(owner), context(c) {}
    std::string folder() const;
    std::string fileName() const;
    void take(std::string next, bool typed);        // a change by the person
    void load(std::string next, QString from, QString file);
    void parse();
    void adopt(std::shared_ptr<ParsedSpec> next);
    bool isOpenPlace(const QString& key) const;
    void collectProblems();
    void schedulePlan();
    void ask();
    void submit(const Json& resolved, bool openRun);
    void openNow(const Json& argument);
    void readFile(const QString& file);
    void fork(const QString& run);
    void remember(const QString& file);
    void saveDraft();
    bool edit(const std::function<Result<void>(config::SpecText&)>& change, const QString& what);
    void stopStarting();
};

}  // namespace assay::presenters
