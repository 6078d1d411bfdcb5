// Weights by scheme and sessions, as engine/infer holds them (SCHEMES.md; schemes/, runtime/session.cpp, runtime/kv_cache.cpp).
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "assay/plan/memory.h"

namespace assay::plan {
namespace {

using model::Role;

constexpr int64_t kFloatPanel = 16, kIntegerPanel = 8, kBlock = 32, kQueryBlock = 16;

int64_t up(int64_t value, int64_t multiple) { return (value + multiple - 1) / multiple * multiple; }

struct Scheme {
    enum class Kind { kFp32, kFp16, kInt8, kInt4 } kind = Kind::kFp32;
    int64_t group = 32;

    int64_t rowBytes(int64_t columns) const {
        const int64_t groups = up(columns, group) / group;
        switch (kind) {
            case Kind::kFp32: return columns * 4;
            case Kind::kFp16: return columns * 2;
            case Kind::kInt8: return up(columns, kBlock) + 2 * groups;
            case Kind::kInt4: return up(columns, kBlock) / 2 + 4 * groups;
        }
        return 0;
    }
    int64_t panel() const { return kind == Kind::kFp32 || kind == Kind::kFp16 ? kFloatPanel : kIntegerPanel; }
    int64_t resident(int64_t rows, int64_t columns) const { return up(rows, panel()) * rowBytes(columns); }
};

std::optional<int64_t> groupOf(std::string_view name, std::string_view prefix) {
    if (!name.starts_with(prefix)) return std::nullopt;
    name.remove_prefix(prefix.size());
    if (name.empty()) return 32;
    if (!name.starts_with("-g")) return std::nullopt;
    int64_t group = 0;
    const auto [end, error] = std::from_chars(name.data() + 2, name.data() + name.size(), group);
    if (error != std::errc{} || end != name.data() + name.size() || group < 32 || group % 32 != 0 || group > 65536) return std::nullopt;
    return group;
}

Result<Scheme> schemeOf(std::string_view name) {
    if (name == "fp32") return Scheme{Scheme::Kind::kFp32};
    if (name == "fp16") return Scheme{Scheme::Kind::kFp16};
    if (const auto group = groupOf(name, "int8")) return Scheme{Scheme::Kind::kInt8, *group};
    if (const auto group = groupOf(name, "int4")) return Scheme{Scheme::Kind::kInt4, *group};
    return fail(ErrorCode::kUnsupported, fmt::format("scheme '{}' is not known to this build", name), "known: fp32, fp16, int8, int4-g32");
}

bool kept(const model::ParameterInfo& p, const model::ModelConfig& c, const std::vector<std::string>& keep) {
    for (const std::string& name : keep) {
        if (name == "lm_head" && (p.role == Role::kHead || (c.tieEmbeddings && p.role == Role::kEmbedding))) return true;
        if (name == "embed_tokens" && p.role == Role::kEmbedding) return true;
        if (p.name.find(name) != std::string::npos) return true;  // regular expressions: close enough for a plan
    }
    return false;
}

Result<int64_t> bytesOf(const model::ModelConfig& c, std::string_view name, const std::vector<std::string>& keep, bool resident) {
    ASSAY_TRY(const Scheme scheme, schemeOf(name));
    int64_t bytes = 0;
    // Layers are alike, unless some are named: then one counts for all.
    model::ModelConfig listed = c;
    if (keep.empty()) listed.layers = 1;
    for (const model::ParameterInfo& p : model::parametersOf(listed)) {
        const int64_t times = keep.empty() && p.layer == 0 ? c.layers : 1;
        const bool table = p.role == Role::kEmbedding || p.role == Role::kHead;
        if (!p.linearWeight && !table) {
            int64_t count = 1;
            for (const int64_t n : p.shape) count *= n;
            bytes += times * 4 * count;
            continue;
        }
        const bool turned = c.family == "gpt2" && !table;  // stored [in, out]
        const int64_t rows = p.shape[turned ? 1 : 0], columns = p.shape[turned ? 0 : 1];
        Scheme used = scheme;
        if (table && used.kind == Scheme::Kind::kInt4) used = {Scheme::Kind::kInt8, 32};
        if (used.kind != Scheme::Kind::kFp16 && kept(p, c, keep)) used = {Scheme::Kind::kFp32};
        bytes += times * (resident ? used.resident(rows, columns) : rows * used.rowBytes(columns));
    }
    return bytes;
}

}  // namespace

Result<int64_t> schemeBytes(const model::ModelConfig& config, std::string_view scheme, const std::vector<std::string>& keep) {
    return bytesOf(config, scheme, keep, true);
}
Result<int64_t> schemeFileBytes(const model::ModelConfig& config, std::string_view scheme) { return bytesOf(config, scheme, {}, false); }

int64_t cacheBytes(const model::ModelConfig& c, const SessionShape& s) {
    return 2 * c.layers * s.sequences * c.kvHeads * s.capacity * c.headDim * (s.halfCache ? 2 : 4);
}

int64_t sessionBytes(const model::ModelConfig& c, const SessionShape& s) {
    const int64_t n = std::min(s.maxRows, s.sequences * s.capacity), q = c.heads * c.headDim, kv = c.kvHeads * c.headDim;
    const int64_t choices = c.experts > 0 ? n * c.expertsPerToken : n;  // rows that go through an MLP
    int64_t floats = n * (c.hidden + c.hidden + q + 2 * kv + q + c.hidden) + choices * c.ffn;
    if (c.family != "gpt2") floats += choices * c.ffn;
    if (c.experts > 0) floats += n * c.experts + choices * (c.hidden + 1);
    floats += s.threads * std::max(kQueryBlock, c.heads / std::max<int64_t>(c.kvHeads, 1)) * s.capacity;
    floats += s.maxLogits * (c.hidden + c.vocab);
    const int64_t widest = std::max({c.hidden, c.ffn, q});
    return cacheBytes(c, s) + 4 * floats + std::max(n, s.maxLogits) * (up(widest, kBlock) / kBlock) * (kBlock + 8);
}

}  // namespace assay::plan
