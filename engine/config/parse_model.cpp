#include "section.h"

namespace assay::config {
namespace {

Json loraJson(const Node& node, const std::string& key, Context& context) {
    Section section(node, key, context);
    int64_t rank = 8;
    double alpha = 16, dropout = 0;
    std::vector<std::string> targets{"q_proj", "v_proj"};
    section.integer("rank", rank, {1, 65536});
    section.number("alpha", alpha, {.low = 0, .openLow = true});
    section.texts("targets", targets);
    if (targets.empty()) section.missing("targets", "the list is empty", "name the layers to adapt, for example [q_proj, v_proj]");
    section.number("dropout", dropout, {.low = 0, .high = 1, .openHigh = true});
    return Json{{"rank", rank}, {"alpha", alpha}, {"targets", targets}, {"dropout", dropout}};
}

Json distillJson(const Node& node, Context& context) {
    Section section(node, "method.distill", context);
    std::string teacher;
    double temperature = 2, alpha = 0.5;
    if (!section.path("teacher", teacher) && !section.has("teacher")) section.missing("teacher", "is missing", "name the teacher model");
    section.number("temperature", temperature, {.low = 0, .openLow = true});
    section.number("alpha", alpha, {.low = 0, .high = 1});
    return Json{{"teacher", teacher}, {"temperature", temperature}, {"alpha", alpha}};
}

Json pruneJson(const Node& node, Context& context) {
    Section section(node, "method.prune", context);
    std::string kind = "magnitude";
    double sparsity = 0.5;
    section.word("kind", kind, kPruneKinds);
    section.number("sparsity", sparsity, {.low = 0, .high = 1, .openHigh = true});
    return Json{{"kind", kind}, {"sparsity", sparsity}};
}

}  // namespace

void parseModel(const Node& node, ModelSpec& out, Context& context) {
    Section section(node, "model", context);
    const Node* from = section.take("from");
    if (!from) {
        if (!section.has("from")) section.missing("from", "is missing", "name a model folder, a .gguf file, or describe one: {family: gpt2, …}");
        return;
    }
    if (!from->isMap()) {
        readPath(*from, "model.from", context, out.from);
        return;
    }
    ModelDescription& d = out.description.emplace();
    Section described(*from, "model.from", context);
    if (!described.word("family", d.family, kFamilies) && !described.has("family"))
        described.missing("family", "is missing", "for example: family: gpt2");
    described.autoInteger("layers", d.layers, {1, 4096});
    described.autoInteger("hidden", d.hidden, {1, 1 << 20});
    described.autoInteger("heads", d.heads, {1, 1 << 16});
    described.autoInteger("kv_heads", d.kvHeads, {1, 1 << 16});
    described.autoInteger("ffn", d.ffn, {1, 1 << 22});
    described.autoInteger("context", d.context, {2, 1 << 24});
    described.autoInteger("vocab", d.vocab, {2, 1 << 24});
    described.boolean("tie_embeddings", d.tieEmbeddings);
    described.number("dropout", d.dropout, {.low = 0, .high = 1, .openHigh = true});
    described.autoInteger("experts", d.experts, {1, 4096});
    described.autoInteger("experts_per_token", d.expertsPerToken, {1, 4096});
    described.number("router_aux_loss", d.routerAuxLoss, {.low = 0});
}

Json parseMethod(const Node& node, Context& context) {
    if (!node.isMap()) {
        std::string word = "full";
        readWord(node, "method", context, word, {"full", "lora", "qlora"});
        if (word == "full") return word;
        Node defaults;
        defaults.type = Node::Type::kMap;
        defaults.source = node.source;
        return Json{{word, loraJson(defaults, "method." + word, context)}};
    }
    Section section(node, "method", context);
    Json out = Json::object();
    for (const char* key : {"lora", "qlora"})
        if (const Node* part = section.take(key)) out[key] = loraJson(*part, section.at(key), context);
    if (const Node* part = section.take("distill")) out["distill"] = distillJson(*part, context);
    if (const Node* part = section.take("prune")) out["prune"] = pruneJson(*part, context);
    section.finish();
    if (out.size() == 1) return out;
    if (out.size() > 1 || node.entries.empty())
        context.problem(node.mark, node.source, "method", "must hold exactly one of lora, qlora, distill and prune");
    return "full";
}

}  // namespace assay::config
