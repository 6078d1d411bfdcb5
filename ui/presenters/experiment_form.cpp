// The rows of the form, made from the schema and the text.
#include <algorithm>

#include "experiment_private.h"

namespace assay::presenters {
namespace {

using config::KeyInfo;
using config::KeyType;
using Kind = FormField::Kind;

QString text(std::string_view utf8) { return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size())); }

const Json* at(const Json& root, std::string_view path) {
    const Json* json = &root;
    for (size_t begin = 0;;) {
        const size_t dot = path.find('.', begin);
        if (!json->is_object()) return nullptr;
        auto found = json->find(std::string(path.substr(begin, dot == std::string_view::npos ? path.size() - begin : dot - begin)));
        if (found == json->end()) return nullptr;
        json = &*found;
        if (dot == std::string_view::npos) return json;
        begin = dot + 1;
    }
}

Json yaml(std::string_view value) {
    const auto found = config::SpecText("x: " + std::string(value) + "\n").find("x");
    return found ? found->value : Json();
}

Kind kindOf(KeyType type) {
    switch (type) {
        case KeyType::kGroup: return Kind::kGroup;
        case KeyType::kPath: return Kind::kPath;
        case KeyType::kModel: return Kind::kModel;
        case KeyType::kInteger:
        case KeyType::kNumber: return Kind::kNumber;
        case KeyType::kBoolean: return Kind::kSwitch;
        case KeyType::kChoice: return Kind::kChoice;
        case KeyType::kTexts:
        case KeyType::kIntegers:
        case KeyType::kSchemes: return Kind::kList;
        default: return Kind::kText;
    }
}

// {lora: …} is the choice lora whatever its rank; {amp: bf16} and {amp: fp16} are two.
bool chosen(const Json& choice, const Json& value) {
    if (!choice.is_object() || !value.is_object() || choice.empty() || value.empty()) return choice == value;
    const auto a = choice.begin(), b = value.begin();
    return a.key() == b.key() && (a.value().is_structured() || a.value() == b.value());
}

QString choiceLabel(const Json& choice) {
    if (choice.is_boolean()) return choice.get<bool>() ? QStringLiteral("true") : QStringLiteral("false");
    if (!choice.is_object() || choice.empty()) return QString::fromStdString(choice.is_string() ? choice.get<std::string>() : config::flowYaml(choice));
    const auto first = choice.begin();
    const QString key = QString::fromStdString(first.key());
    return first.value().is_structured() ? key : key + u' ' + QString::fromStdString(first.value().is_string() ? first.value().get<std::string>() : dumpJson(first.value()));
}

QString shown(Kind kind, const Json& value, const std::string& written) {
    if (kind == Kind::kList && value.is_array()) {
        QString list = QString::fromStdString(config::flowYaml(value));
        return list.mid(1, list.size() - 2);
    }
    if (value.is_string()) return QString::fromStdString(value.get<std::string>());
    if (value.is_structured()) return QString::fromStdString(config::flowYaml(value));
    if (value.is_null()) return {};
    return QString::fromStdString(written.empty() ? dumpJson(value) : written);
}

bool left(std::string_view key) {   // set elsewhere: the sweep editor, files, the YAML itself
    for (const char* head : {"assay", "extends", "sweep", "inputs"})
        if (key == head || key.starts_with(std::string(head) + ".")) return true;
    return key.starts_with("method.") && key.find('.', 7) == std::string_view::npos;
}

FormField fieldOf(const KeyInfo& info, const ParsedSpec& parsed) {
    FormField field;
    field.key = text(info.key);
    field.label = schemaText(info.label);
    field.unit = schemaText(info.unit);
    field.typical = schemaText(info.typical);
    field.help = schemaText(info.help);
    field.fallback = text(info.fallback);
    field.kind = kindOf(info.type);
    field.advanced = info.advanced;
    const auto written = parsed.spec.find(info.key);
    const Json* resolved = at(parsed.loaded.resolved, info.key);
    field.written = written.has_value();
    field.line = written ? (written->key.line ? written->key.line : written->span.line) : 0;
    const Json value = written && !written->value.is_null() ? written->value : resolved ? *resolved : Json();
    if (info.type == KeyType::kGroup) {
        field.value = resolved && (resolved->is_object() || resolved->is_array()) ? QStringLiteral("true") : QStringLiteral("false");
    } else {
        field.value = shown(field.kind, value, written && !written->value.is_structured() ? written->text : std::string());
        if (!info.fallback.empty()) field.changed = resolved && *resolved != yaml(info.fallback);
    }
    if (field.kind == Kind::kChoice) {
        for (const std::string& choice : info.choiceList()) {
            const Json meant = yaml(choice);
            if (field.choice < 0 && chosen(meant, value)) field.choice = static_cast<int>(field.choices.size());
            field.choices << QString::fromStdString(choice);
            field.choiceLabels << choiceLabel(meant);
        }
        field.freeChoice = info.key == "data.tokenizer" || info.key == "train.launcher";
    }
    if (info.key == "train.checkpoint.every") field.note = QObject::tr("0: at the end only");
    const bool place = field.kind == Kind::kPath || field.kind == Kind::kModel;
    if (place) field.invitation = info.key == "data.eval.path" ? QObject::tr("a share of the training data") : openPlaceText(field.key);
    for (const auto& problem : parsed.loaded.problems)
        if (problem.key == info.key || problem.key.starts_with(std::string(info.key) + ".0")) {
            field.problem = place && field.value.isEmpty() ? openPlaceText(field.key) : QString::fromStdString(problem.message + (problem.hint.empty() ? "" : "; " + problem.hint));
            break;
        }
    return field;
}

}  // namespace

std::vector<FormSection> formOf(const ParsedSpec& parsed) {
    const Json& resolved = parsed.loaded.resolved;
    std::vector<FormSection> sections;
    sections.push_back({QString(), QObject::tr("Experiment"), {}, false, true, {}});
    for (const KeyInfo& info : config::schema()) {
        if (left(info.key)) continue;
        const std::string head = info.section();
        const bool top = head == info.key;
        if (top && info.type == KeyType::kGroup) {
            sections.push_back({text(head), schemaText(info.label), schemaText(info.help), head != "cost", at(resolved, head) != nullptr, {}});
            continue;
        }
        if (head == "method" && top) sections.push_back({text(head), schemaText(info.label), schemaText(info.help), false, true, {}});
        const size_t dot = info.key.rfind('.');
        const std::string parent(dot == std::string_view::npos ? "" : info.key.substr(0, dot));
        const Json* holder = parent.empty() ? &resolved : at(resolved, parent);
        // Groups without a presence of their own (price, electricity) show their keys always.
        const KeyInfo* group = parent.empty() ? nullptr : config::keyInfo(parent);
        const bool open = (holder && holder->is_object()) || (!holder && group && group->type == KeyType::kGroup && group->starter.empty() && head == "cost");
        if (!open) continue;
        FormField field = fieldOf(info, parsed);
        if (info.type == KeyType::kGroup) {
            const Json* there = at(resolved, info.key);
            if (info.key == "data.train" && there && there->is_array()) {
                field.kind = Kind::kText;
                field.value = QString::fromStdString(config::flowYaml(*there));
            } else if (info.starter.empty() || info.key == "data.train") {
                continue;
            }
        }
        if (info.key == "train.precision.amp" || info.key == "train.precision.bf16" || info.key == "data.tokenizer.train" || info.key == "train.activation_checkpointing.every") continue;
        const bool method = head == "method";
        FormSection& section = sections.back().key == text(head) || method ? sections.back() : sections.front();
        section.fields.push_back(std::move(field));
    }
    // When the state is saved is asked together with how long it trains.
    for (FormSection& section : sections) {
        const auto at = [&](const char* key) { return std::find_if(section.fields.begin(), section.fields.end(), [&](const FormField& f) { return f.key == QLatin1String(key); }); };
        const auto every = at("train.checkpoint.every");
        const auto epochs = at("train.epochs");
        if (every != section.fields.end() && epochs < every) std::rotate(epochs + 1, every, every + 1);
    }
    return sections;
}

ParsedSpec parseExperiment(std::string text, const std::string& fileName, const std::string& folder) {
    ParsedSpec out;
    out.spec = config::SpecText(std::move(text));
    out.loaded = config::loadSpecText(out.spec.text(), fileName, folder);
    return out;
}

}  // namespace assay::presenters
