#include <assay/config/spec_text.h>
#include <assay/presenters/experiment_sweep.h>

#include <QObject>
#include <cmath>

namespace assay::presenters {
namespace {

double rounded(double value) {
    return value == 0 ? 0 : QString::number(value, 'g', 3).toDouble();
}

Result<Json> yamlList(const QString& text) {
    QString list = text.trimmed();
    if (!list.startsWith(u'[')) list = u'[' + list + u']';
    const config::SpecText spec("x: " + list.toStdString() + "\n");
    if (!spec.editable()) return fail(ErrorCode::kBadUsage, spec.problems()[0].message, spec.problems()[0].hint);
    const auto found = spec.find("x");
    if (!found || !found->value.is_array()) return fail(ErrorCode::kBadUsage, "this is not a list of values");
    return found->value;
}

}  // namespace

Result<Json> sweepValues(const SweepAxis& axis) {
    Json values = Json::array();
    if (axis.mode == SweepAxis::Mode::kValues) {
        ASSAY_TRY(values, yamlList(axis.values));
    } else {
        const bool log = axis.mode == SweepAxis::Mode::kLog;
        if (axis.count < 1 || axis.count > 1000) return fail(ErrorCode::kBadUsage, QObject::tr("Choose 1 to 1,000 values.").toStdString());
        if (!std::isfinite(axis.from) || !std::isfinite(axis.to)) return fail(ErrorCode::kBadUsage, QObject::tr("Both ends must be numbers.").toStdString());
        if (log && (axis.from <= 0 || axis.to <= 0)) return fail(ErrorCode::kBadUsage, QObject::tr("A logarithmic range needs ends above zero.").toStdString());
        for (int i = 0; i < axis.count; ++i) {
            const double share = axis.count == 1 ? 0 : static_cast<double>(i) / (axis.count - 1);
            double value = log ? axis.from * std::pow(axis.to / axis.from, share) : axis.from + share * (axis.to - axis.from);
            if (axis.wholeNumbers) values.push_back(static_cast<int64_t>(std::llround(value)));
            else values.push_back(rounded(value));
        }
    }
    Json unique = Json::array();
    for (const Json& value : values)
        if (std::find(unique.begin(), unique.end(), value) == unique.end()) unique.push_back(value);
    if (unique.empty()) return fail(ErrorCode::kBadUsage, QObject::tr("Give at least one value.").toStdString());
    return unique;
}

Result<Json> sweepSeeds(const QString& text) {
    if (text.trimmed().isEmpty()) return Json(nullptr);
    ASSAY_TRY(Json seeds, yamlList(text));
    for (const Json& seed : seeds)
        if (!seed.is_number_integer() || (!seed.is_number_unsigned() && seed.get<int64_t>() < 0))
            return fail(ErrorCode::kBadUsage, QObject::tr("Seeds are whole numbers from 0.").toStdString());
    return seeds.empty() ? Json(nullptr) : seeds;
}

QStringList SweepPlan::variantNames() const {
    QStringList out;
    if (variants.is_object())
        for (const auto& [name, changes] : variants.items()) out << QString::fromStdString(name);
    return out;
}

SweepPreview previewOf(const SweepPlan& plan) {
    SweepPreview out;
    auto wrong = [&](const QString& what, const Error& error) {
        out.problem = what + QStringLiteral(": ") + QString::fromStdString(error.message);
        out.runs = 0;
        return out;
    };
    double runs = 1;
    Json grid = Json::object();
    for (const SweepAxis& axis : plan.axes) {
        const auto values = sweepValues(axis);
        if (!values) return wrong(axis.key, values.error());
        if (grid.contains(axis.key.toStdString())) return wrong(axis.key, Error(ErrorCode::kBadUsage, QObject::tr("is listed twice").toStdString()));
        grid[axis.key.toStdString()] = *values;
        runs *= static_cast<double>(values->size());
    }
    if (plan.variants.is_object() && !plan.variants.empty()) runs = static_cast<double>(plan.variants.size());
    const auto seeds = sweepSeeds(plan.seeds);
    if (!seeds) return wrong(QObject::tr("Seeds"), seeds.error());
    if (seeds->is_array()) {
        runs *= static_cast<double>(seeds->size());
        out.yaml = QStringLiteral("seeds: ") + QString::fromStdString(config::flowYaml(*seeds)) + u'\n';
    }
    if (!grid.empty()) out.yaml += QStringLiteral("sweep: ") + QString::fromStdString(config::flowYaml(Json{{"grid", grid}})) + u'\n';
    else if (plan.variants.is_object()) out.yaml += QStringLiteral("sweep: ") + QString::fromStdString(config::flowYaml(Json{{"variants", plan.variants}})) + u'\n';
    out.runs = static_cast<qint64>(std::min(runs, 1e15));
    if (out.runs > 9000) out.problem = QObject::tr("These are more than 9,000 runs; use fewer values.");
    return out;
}

}  // namespace assay::presenters
