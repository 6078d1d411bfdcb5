#pragma once
// What a sweep tries: a few keys with lists or ranges of values, and seeds.

#include <assay/core/json.h>

#include <QString>
#include <QStringList>
#include <vector>

namespace assay::presenters {

struct SweepAxis {
    enum class Mode { kValues, kLinear, kLog };
    QString key;
    Mode mode = Mode::kValues;
    QString values;             // "1e-3, 3e-4"
    double from = 0, to = 0;    // ranges: both ends included
    int count = 3;
    bool wholeNumbers = false;
};
struct SweepPlan {
    std::vector<SweepAxis> axes;
    QString seeds;              // "1, 2, 3"; empty: one run each
    Json variants = nullptr;    // {name: {key: value}} where the file names its members; then there are no axes
    QStringList variantNames() const;
};
struct SweepPreview {
    qint64 runs = 0;
    QString yaml, problem;
};

// At least one value, none twice; ranges are rounded to 3 significant digits.
Result<Json> sweepValues(const SweepAxis& axis);
Result<Json> sweepSeeds(const QString& text);   // null when empty
SweepPreview previewOf(const SweepPlan& plan);

}  // namespace assay::presenters
