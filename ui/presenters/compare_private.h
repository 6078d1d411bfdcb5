#pragma once
#include <assay/presenters/compare_presenter.h>
#include <assay/presenters/engine_session.h>
#include <assay/presenters/settings.h>

#include <QSet>
#include <QTimer>
#include <map>
#include <set>

namespace assay::presenters {

struct ComparePresenter::Private {
    Private(ComparePresenter& owner, AppContext& shared) : self(owner), context(shared) {}
    ComparePresenter& self;
    AppContext& context;

    using Document = std::shared_ptr<const Json>;   // shared with the thread that compares
    QStringList runs;
    std::map<QString, Document> documents;
    std::map<QString, QString> rootOf;              // every run of the trees → the compared run
    std::map<QString, QString> names;
    std::map<std::string, Json> lasting;            // environment and spec of runs below the compared ones
    QSet<QString> asking, again;
    QString baseline, target, targetError, axisX, axisY, search;
    report::Comparison comparison;
    std::map<QString, int> colors;                  // by set-up; kept when others come and go
    QList<Json> rows;
    std::optional<Error> error;
    QList<models::RunRow> candidates;
    QSet<QString> dirty;                            // to be fetched again soon
    QTimer refetch;
    int build = 0;                                  // of the newest comparison asked for
    int candidateAsk = 0;
    bool building = false, exporting = false, restored = false;
    PdfWriter pdf;

    void set(QStringList wanted);
    void fetch(const QString& run);
    void fetchAll();
    void complete(const QString& run, std::shared_ptr<Json> document);
    QString took(const QString& run, Json document);
    void rebuild();
    void take(Result<report::Comparison> built);
    void makeRows();
    void remember();
    void forget(const QString& run);

    struct Export;
    void askSeries(std::shared_ptr<Export> job);
    void askCurves(std::shared_ptr<Export> job, const QString& run, const Json& names);
    void write(std::shared_ptr<Export> job);
};

QString plainText(const std::string& text);
void eachRun(const Json& run, const std::function<void(const Json&)>& visit, int depth = 0);

}  // namespace assay::presenters
