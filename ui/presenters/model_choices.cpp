#include <assay/models/format.h>
#include <assay/presenters/engine_session.h>
#include <assay/presenters/model_choices.h>

#include <algorithm>
#include <cmath>

#include "words.h"

namespace assay::presenters {
namespace {


QString detailOf(const Json& model) {
    QStringList parts;
    if (const QString family = models::plain(textAt(model, "family")); !family.isEmpty()) parts << family;
    if (const double count = jsonDoubleOr(model, "parameters", std::nan("")); std::isfinite(count)) parts << QObject::tr("%1 parameters").arg(models::formatCompact(count));
    if (const double bytes = jsonDoubleOr(model, "bytes", std::nan("")); std::isfinite(bytes)) parts << models::formatBytes(bytes);
    return parts.join(QStringLiteral(" · "));
}

}  // namespace

ModelChoices::ModelChoices(AppContext& context, QObject* parent) : QObject(parent), context_(context) {}

void ModelChoices::ask() {
    if (loading_ || !context_.session.isLive()) return;
    loading_ = true;
    context_.session.tool(QStringLiteral("models_list"), Json::object(), this, [this](Result<Json> reply) {
        loading_ = false;
        if (!reply) {
            if (reply.error().code != ErrorCode::kUnreachable) error_ = std::move(reply).error();
            Q_EMIT changed();
            return;
        }
        error_.reset();
        choices_.clear();
        auto found = reply->find("models");
        if (found != reply->end() && found->is_array())
            for (const Json& model : *found) {
                const QString reference = textAt(model, "reference"), name = models::shortened(textAt(model, "name"), 60);
                if (auto bad = model.find("error"); reference.isEmpty() || (bad != model.end() && !bad->is_null())) continue;
                choices_.append({reference, name, detailOf(model), {}});
                auto setups = model.find("setups");
                if (setups == model.end() || !setups->is_array()) continue;
                for (const Json& setup : *setups) {
                    const QString own = textAt(setup, "reference");
                    if (own.isEmpty()) continue;
                    const double bytes = jsonDoubleOr(setup, "bytes", std::nan(""));
                    choices_.append({own, QStringLiteral("%1 · %2").arg(name, models::plain(textAt(setup, "name"))), std::isfinite(bytes) ? models::formatBytes(bytes) : QString(), reference});
                }
            }
        Q_EMIT changed();
    });
}

const ModelChoice* ModelChoices::find(const QString& reference) const {
    const auto it = std::find_if(choices_.begin(), choices_.end(), [&](const ModelChoice& choice) { return choice.reference == reference; });
    return it == choices_.end() ? nullptr : &*it;
}

QString ModelChoices::nameOf(const QString& reference) const {
    const ModelChoice* choice = find(reference);
    return choice ? choice->name : models::shortened(reference.section(QLatin1Char('/'), reference.startsWith(QLatin1String("run:")) ? 0 : -1), 48);
}

}  // namespace assay::presenters
