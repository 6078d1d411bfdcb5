// The proof that a training can be resumed: steps done again from one of its checkpoints and compared bit by bit. Started
// here like `assay runs verify-resume`, and shown on the run's page and on that of the check itself.
#include <assay/config/config.h>
#include <assay/core/ids.h>
#include <assay/models/format.h>
#include <assay/models/run_text.h>
#include <assay/presenters/run_presenter.h>

#include "run_private.h"
#include "words.h"

namespace assay::presenters {
namespace {

QString value(const Json& object, const char* key) {
    auto found = object.find(key);
    if (found == object.end() || found->is_null()) return models::notMeasured();
    if (found->is_string()) return models::plain(toQt(found->get<std::string>()));
    return found->is_number_integer() ? models::formatCount(found->get<double>()) : toQt(dumpJson(*found));   // every digit counts
}

QString differenceText(const Json& first) {
    if (first.contains("element"))
        return RunPresenter::tr("The first difference is at step %1 in %2, element %3: recorded %4, now %5.")
            .arg(value(first, "step"), value(first, "name"), value(first, "element"), value(first, "recorded"), value(first, "replayed"));
    return RunPresenter::tr("The first difference is at step %1 in %2: recorded %3, now %4.").arg(value(first, "step"), value(first, "name"), value(first, "recorded"), value(first, "replayed"));
}

}  // namespace

// The train run whose steps are done again: this one, or the only one of a pipeline. Empty: there is none.
QString RunPresenter::Private::trained() const {
    if (row.kind == QLatin1String("train") && !self.hasChildren()) return id;
    if (row.kind != QLatin1String("pipeline") || !self.hasChildren()) return {};
    QString found;
    for (const Json& child : document["children"]) {
        if (jsonStringOr(child, "kind", "") != "train") continue;
        if (!found.isEmpty()) return {};   // seeds or a sweep: each has a page of its own
        found = textAt(child, "id");
    }
    return found;
}

void RunPresenter::Private::askProof() {
    const QString of = trained();
    if (of.isEmpty() || proofAsking || !context.session.isLive()) return;
    proofAsking = true;
    const std::string where = "kind = verify and verify.run = \"run:" + of.toStdString() + "\"";
    context.session.call(QStringLiteral("runs.list"), {{"where", where}, {"sort", "-created_at"}, {"limit", 1}}, &self, [this, mine = generation](Result<Json> reply) {
        if (mine != generation) return;
        proofAsking = false;
        if (!reply) return;   // an older engine, or the link is gone: nothing is known, which is not an error of the run
        auto runs = reply->find("runs");
        if (runs == reply->end() || !runs->is_array() || runs->empty()) return;
        const std::string newest = jsonStringOr((*runs)[0], "id", "");
        if (newest.empty()) return;
        proofAsking = true;
        context.session.call(QStringLiteral("runs.get"), {{"run", newest}}, &self, [this, mine](Result<Json> got) {
            if (mine != generation) return;
            proofAsking = false;
            if (!got || !got->is_object() || jsonStringOr(*got, "kind", "") != "verify") return;
            proof = std::move(*got);
            changedSoon();
        });
    });
}

std::optional<RunPresenter::Proof> RunPresenter::proof() const {
    if (!d_->loaded) return {};
    const bool own = d_->row.kind == QLatin1String("verify");
    const Json& check = own ? d_->document : d_->proof;
    if (!check.is_object()) return {};
    const models::RunRow row = models::runRowFromJson(check);
    Proof out;
    out.run = own ? toQt(jsonStringOr(check.value("result", Json::object()), "run", "")) : row.id;
    out.time = row.createdAt;
    if (row.isActive()) {
        out.active = true;
        out.title = tr("Being checked");
        const QString progress = models::progressText(row);
        out.detail = progress.isEmpty() ? models::statusText(row) : progress;
        return out;
    }
    const Json result = check.value("result", Json());
    if (!result.is_object()) {
        const Json error = check.value("error", Json());
        out.level = Level::kWarning;
        out.title = tr("Could not be checked");
        out.detail = error.is_object() ? models::plain(textAt(error, "message")) : models::statusText(row);
        if (const QString hint = error.is_object() ? textAt(error, "hint") : QString(); !hint.isEmpty()) out.notes << tr("What to do: %1").arg(models::plain(hint));
        return out;
    }
    const Json first = result.value("first_difference", Json());
    if (jsonBoolOr(result, "equal", false)) {
        out.level = Level::kGood;
        out.title = tr("Equal bit by bit");
        out.detail = tr("Steps %1 to %2 were done again from a checkpoint: %3 recorded numbers and %4 tensors are the same.")
                         .arg(value(result, "from_step"), value(result, "to_step"), value(result, "compared_numbers"), value(result, "compared_tensors"));
    } else {
        out.level = Level::kBad;
        out.title = tr("Not equal");
        out.detail = first.is_object() ? differenceText(first) : tr("Steps %1 to %2 were done again with another result.").arg(value(result, "from_step"), value(result, "to_step"));
    }
    if (const Json warnings = result.value("warnings", Json()); warnings.is_array())
        for (const Json& warning : warnings)
            if (warning.is_string()) out.notes << tr("Other circumstances: %1").arg(models::plain(toQt(warning.get<std::string>())));
    return out;
}

bool RunPresenter::canBeVerified() const { return d_->loaded && !d_->trained().isEmpty(); }

QString RunPresenter::whyNotVerify() const {
    if (isStale()) return tr("The engine is not connected.");
    if (!canBeVerified()) return tr("Only a run with one training can be checked.");
    if (d_->row.isActive()) return tr("Wait for its end, or stop it first.");
    if (d_->verifying) return tr("The check is being started.");
    if (const auto known = proof(); known && known->active) return tr("It is being checked.");
    if (d_->trained() == d_->id) {
        auto saved = d_->document.find("checkpoints");
        if (saved == d_->document.end() || !saved->is_array() || saved->empty()) return tr("It has no checkpoint to start from.");
    }
    return {};
}

void RunPresenter::verifyResume() {
    if (!whyNotVerify().isEmpty()) return;
    d_->verifying = true;
    Q_EMIT changed();
    const auto failed = [this](const Error& error) {
        d_->verifying = false;
        d_->context.notifier.error(tr("The check could not be started"), error);
        Q_EMIT changed();
    };
    // The whole document of the run that trained: its settings and the threads it had.
    d_->context.session.call(QStringLiteral("runs.get"), {{"run", d_->trained().toStdString()}}, this, [this, failed, mine = d_->generation](Result<Json> reply) {
        if (mine != d_->generation) return;
        if (!reply) return failed(reply.error());
        auto spec = config::verifySpecOf(*reply);
        if (!spec) return failed(spec.error());
        d_->context.session.call(QStringLiteral("runs.submit"), {{"spec", config::specToJson(*spec)}, {"idempotency_key", randomHex(16)}}, this, [this, failed, mine](Result<Json> made) {
            if (mine != d_->generation) return;
            if (!made) return failed(made.error());
            d_->verifying = false;
            d_->askProof();
            Q_EMIT changed();
        });
    });
}

}  // namespace assay::presenters
