#include <assay/config/config.h>

namespace assay::config {

Result<Spec> verifySpecOf(const Json& run, int64_t steps, int64_t threads) {
    const std::string id = jsonStringOr(run, "id", ""), kind = jsonStringOr(run, "kind", ""), status = jsonStringOr(run, "status", "");
    if (kind != "train") return fail(ErrorCode::kBadUsage, "run " + id + " is of kind " + kind + " and trains nothing", "name a train run, or a pipeline with a train stage");
    if (status != "done" && status != "failed" && status != "cancelled" && status != "interrupted")
        return fail(ErrorCode::kBusy, "run " + id + " is " + status, "wait for its end, or stop it first");
    auto resolved = run.find("spec");
    if (resolved == run.end() || !resolved->is_object()) return fail(ErrorCode::kInternal, "the engine gave no spec of run " + id);
    ASSAY_TRY(Spec spec, specFromJson(*resolved));
    spec.kind = Kind::kVerify;
    // Whole characters only: a name that is cut within one is no UTF-8.
    size_t most = std::min<size_t>(spec.name.size(), 160);
    while (most > 0 && most < spec.name.size() && (static_cast<unsigned char>(spec.name[most]) & 0xC0) == 0x80) --most;
    spec.name = "verify-resume " + spec.name.substr(0, most);
    spec.verify = VerifySpec{"run:" + id, steps};
    // Bits are those of as many threads as the run had.
    auto environment = run.find("environment");
    const bool known = environment != run.end() && environment->is_object();
    spec.threads = threads > 0 ? threads : known ? jsonIntegerOr(*environment, "threads", spec.threads) : spec.threads;
    // … and on what it computed on.
    if (known && environment->contains("device")) spec.device = jsonStringOr(*environment, "device", "cpu") == "cpu" ? "cpu" : "cuda";
    return spec;
}

}  // namespace assay::config
