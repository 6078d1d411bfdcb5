#pragma once
// Benchmark: what to measure, the run that measures it, and the grids of earlier ones.

#include <assay/config/spec.h>
#include <assay/models/run_row.h>
#include <assay/presenters/model_choices.h>

#include <QObject>
#include <memory>

namespace assay::presenters {

// Whole numbers as people type them: "128, 512 1024". Empty: none. An error says which word is none.
Result<std::vector<int64_t>> parseNumbers(const QString& text, int64_t least);

// Order statistics of repeats. METRICS.md: linear interpolation; a percentile needs enough values for 99 % confidence.
double percentileOf(std::vector<double> values, double percent);   // NaN: none
int fewestForPercentile(double percent);                           // 50 → 7, 90 → 44, 95 → 90, 99 → 459, 99.9 → 4603
double spreadOf(const std::vector<double>& values);                // sample standard deviation; NaN below two

class BenchmarkPresenter final : public QObject {
    Q_OBJECT
public:
    struct Form {
        QString model;
        QStringList schemes;               // empty: the model as it is
        QString prefill = QStringLiteral("128"), batch = QStringLiteral("1"), depth = QStringLiteral("0");
        int decode = 64, repeats = 5;
        bool operator==(const Form&) const = default;
    };
    struct Grid {                          // what the bars show: one group a shape, one series a scheme
        QStringList series;
        struct Group {
            QString name;
            std::vector<double> values, errors;
        };
        std::vector<Group> groups;
    };
    static const QStringList& knownSchemes();
    static const QStringList& measures();  // "decode_tokens_per_s", …
    static QString measureTitle(const QString& measure);

    explicit BenchmarkPresenter(AppContext& context, QObject* parent = nullptr);
    ~BenchmarkPresenter() override;

    ModelChoices& models();
    const Form& form() const;
    void setForm(const Form& form);
    QString whyNotStart() const;           // empty: it can be started
    int measurements() const;              // shapes × schemes × repeats; 0: the form is wrong
    QString command() const;               // the same as `assay bench …`
    Result<config::Spec> spec() const;
    void start();
    bool isStarting() const;

    void show(const QString& run);         // of which results are shown
    const QString& shown() const;
    const models::RunRow& row() const;
    const std::optional<Error>& error() const;
    QString statusLine() const;
    double fraction() const;               // NaN: unknown
    void stop();
    void openRun();

    QList<Json> rows() const;              // entries of the result with id, spreads and percentiles as texts
    bool hasPercentiles() const;           // enough repeats for more than the median
    QString note() const;                  // threads, how it was measured
    Grid grid(const QString& measure) const;
    const QList<models::RunRow>& earlier() const;   // benchmark runs, newest first

    Json state() const;
    void restore(const Json& state);

Q_SIGNALS:
    void changed();
    void formChanged();
    void earlierChanged();

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace assay::presenters
