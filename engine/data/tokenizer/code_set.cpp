#define PCRE2_CODE_UNIT_WIDTH 8
#include "tokenizer/code_set.h"

#include <pcre2.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "tokenizer/unicode.h"
#include "tokenizer/unicode_tables.h"

namespace assay::data {
namespace {

constexpr char32_t kLast = 0x10FFFF;
constexpr size_t kFewRanges = 16;
constexpr const char* kCategoryNames[] = {"Cn", "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps",
                                          "Pe", "Pi", "Pf", "Po", "Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co"};
static_assert(std::size(kCategoryNames) == kCategories);

// The code points of the runs for which `test` holds.
template <class Test>
CodeSet fromRuns(const uint32_t* runs, size_t count, Test test) {
    std::vector<CodeSet::Range> out;
    for (size_t i = 0; i < count; ++i) {
        if (!test(runs[i] >> 21)) continue;
        const char32_t from = runs[i] & 0x1FFFFF, to = i + 1 < count ? (runs[i + 1] & 0x1FFFFF) - 1 : kLast;
        out.emplace_back(from, to);
    }
    return CodeSet::of(std::move(out));
}

using CategorySets = std::array<CodeSet, kCategories>;
const CategorySets& categorySets() {
    static const CategorySets sets = [] {
        CategorySets s;
        for (size_t k = 0; k < kCategories; ++k)
            s[k] = fromRuns(tables::kClasses, tables::kClassesCount, [&](uint32_t v) { return (tables::kBits[v] & 31) == k; });
        return s;
    }();
    return sets;
}
// The same as PCRE2 sees it; empty sets where this PCRE2 is of another version than the tables know.
const CategorySets& pcreSets() {
    static const CategorySets sets = [] {
        CategorySets s;
        char version[64] = {};
        pcre2_config(PCRE2_CONFIG_UNICODE_VERSION, version);
        if (std::string_view(version) != tables::kPcreUnicode) return s;
        const CodeSet differs = fromRuns(tables::kClasses, tables::kClassesCount, [](uint32_t v) { return (tables::kBits[v] >> 11 & 1) != 0; });
        const CodeSet same = differs.complement();
        CodeSet unassigned = differs;
        for (size_t k = 0; k < kCategories; ++k) {
            s[k] = categorySets()[k].within(same);
            for (size_t i = 0; i < tables::kPcreOddCount; ++i) {
                const char32_t c = tables::kPcreOdd[i] & 0x1FFFFF;
                unassigned = unassigned.within(CodeSet::of({{c, c}}).complement());
                if (tables::kPcreOdd[i] >> 21 == k) s[k] = s[k].with(CodeSet::of({{c, c}}));
            }
        }
        s[0] = s[0].with(unassigned);
        s[static_cast<size_t>(Category::Cs)] = {};  // no text holds them
        return s;
    }();
    return sets;
}

CodeSet categories(std::initializer_list<Category> list) {
    CodeSet out;
    for (const Category c : list) out = out.with(categorySets()[static_cast<size_t>(c)]);
    return out;
}

void appendCode(std::string& out, char32_t c) {
    char text[16];
    std::snprintf(text, sizeof text, "\\x{%x}", static_cast<unsigned>(c));
    out += text;
}

std::string plain(std::string_view name) {
    std::string out;
    for (const char c : name)
        if (c != ' ' && c != '_' && c != '-') out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

}  // namespace

CodeSet CodeSet::of(std::vector<Range> ranges) {
    std::sort(ranges.begin(), ranges.end());
    CodeSet out;
    for (const auto& [from, to] : ranges) {
        if (!out.ranges_.empty() && from <= out.ranges_.back().second + 1) {
            out.ranges_.back().second = std::max(out.ranges_.back().second, to);
        } else {
            out.ranges_.emplace_back(from, to);
        }
    }
    return out;
}

CodeSet CodeSet::complement() const {
    CodeSet out;
    char32_t from = 0;
    for (const auto& [b, e] : ranges_) {
        if (b > from) out.ranges_.emplace_back(from, b - 1);
        from = e + 1;
    }
    if (from <= kLast) out.ranges_.emplace_back(from, kLast);
    return out;
}
CodeSet CodeSet::with(const CodeSet& other) const {
    std::vector<Range> all = ranges_;
    all.insert(all.end(), other.ranges_.begin(), other.ranges_.end());
    return of(std::move(all));
}
CodeSet CodeSet::within(const CodeSet& other) const {
    CodeSet out;
    for (size_t i = 0, k = 0; i < ranges_.size() && k < other.ranges_.size();) {
        const char32_t from = std::max(ranges_[i].first, other.ranges_[k].first), to = std::min(ranges_[i].second, other.ranges_[k].second);
        if (from <= to) out.ranges_.emplace_back(from, to);
        ++(ranges_[i].second < other.ranges_[k].second ? i : k);
    }
    return out;
}

CodeSet CodeSet::space() {
    return of({{9, 13}, {0x20, 0x20}, {0x85, 0x85}, {0xA0, 0xA0}, {0x1680, 0x1680}, {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}});
}
CodeSet CodeSet::word(bool bracketed) {
    using enum Category;
    std::vector<Range> extra;
    for (size_t i = 0; i < tables::kWordExtraCount; ++i)
        if (!bracketed || tables::kWordExtra[i] > 0xFF) extra.emplace_back(tables::kWordExtra[i], tables::kWordExtra[i]);
    return categories({Lu, Ll, Lt, Lm, Lo, Mn, Mc, Me, Nd, Nl, Pc}).with(of(std::move(extra)));
}
CodeSet CodeSet::digit() { return categories({Category::Nd}); }
CodeSet CodeSet::hexDigit() { return of({{'0', '9'}, {'A', 'F'}, {'a', 'f'}}); }

Result<CodeSet> CodeSet::named(std::string_view name) {
    using enum Category;
    const std::string key = plain(name);
    for (size_t k = 0; k < kCategories; ++k)
        if (key == plain(kCategoryNames[k])) return categorySets()[k];
    if (key == "l" || key == "letter") return categories({Lu, Ll, Lt, Lm, Lo});
    if (key == "lc" || key == "casedletter") return categories({Lu, Ll, Lt});
    if (key == "m" || key == "mark" || key == "combiningmark") return categories({Mn, Mc, Me});
    if (key == "n" || key == "number") return categories({Nd, Nl, No});
    if (key == "p" || key == "punctuation") return categories({Pc, Pd, Ps, Pe, Pi, Pf, Po});
    if (key == "s" || key == "symbol") return categories({Sm, Sc, Sk, So});
    if (key == "z" || key == "separator") return categories({Zs, Zl, Zp});
    if (key == "c" || key == "other") return categories({Cc, Cf, Cs, Co, Cn});
    if (key == "uppercaseletter") return categories({Lu});
    if (key == "lowercaseletter") return categories({Ll});
    if (key == "titlecaseletter") return categories({Lt});
    if (key == "modifierletter") return categories({Lm});
    if (key == "otherletter") return categories({Lo});
    if (key == "nonspacingmark") return categories({Mn});
    if (key == "spacingmark") return categories({Mc});
    if (key == "decimalnumber" || key == "digit") return categories({Nd});
    if (key == "any") return of({{0, kLast}});
    if (key == "assigned") return categories({Cn}).complement();
    if (key == "ascii") return of({{0, 0x7F}});
    if (key == "space" || key == "whitespace") return space();
    if (key == "word") return word();
    if (key == "xdigit") return hexDigit();
    if (key == "cntrl" || key == "control") return categories({Cc});
    if (key == "blank") return categories({Zs}).with(of({{9, 9}}));
    if (key == "punct") return categories({Pc, Pd, Ps, Pe, Pi, Pf, Po, Sm, Sc, Sk, So});
    if (key == "graph" || key == "print") {
        const CodeSet graph = categories({Cc, Cn, Cs, Zs, Zl, Zp}).complement();
        return key == "graph" ? graph : graph.with(categories({Zs}));
    }
    for (size_t k = 1; k < tables::kScriptNamesCount; ++k)
        if (key == plain(tables::kScriptNames[k])) return fromRuns(tables::kScripts, tables::kScriptsCount, [&](uint32_t v) { return v == k; });
    return fail(ErrorCode::kUnsupported, "the property " + std::string(name) + " in a tokenizer pattern is not supported", "general categories and scripts are supported");
}

std::string CodeSet::pcreItems() const {
    std::string out;
    CodeSet rest = within(of({{0, 0xD7FF}, {0xE000, kLast}}));  // no text holds surrogates, and PCRE2 takes none
    if (ranges_.size() > kFewRanges) {
        for (size_t k = 0; k < kCategories; ++k) {
            const CodeSet& category = pcreSets()[k];
            if (category.empty() || !(category.within(*this) == category)) continue;
            out += "\\p{" + std::string(kCategoryNames[k]) + "}";
            rest = rest.within(category.complement());
        }
    }
    for (const auto& [from, to] : rest.ranges_) {
        appendCode(out, from);
        if (to == from) continue;
        if (to > from + 1) out += '-';
        appendCode(out, to);
    }
    return out;
}

}  // namespace assay::data
