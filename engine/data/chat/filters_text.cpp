// Filters that make texts and numbers.
#include <algorithm>
#include <cmath>

#include "chat/filters.h"
#include "chat/py_text.h"

namespace assay::data::jinja {
namespace {
using C = const FilterCall&;

const Str* strOf(C c) { return c.r.toStr(c.value); }
// Text made anew from a string; who wrote it stays when nothing changed or one wrote it all.
Value remade(Runtime& r, const Str& from, const std::string& text) {
    r.spend(text.size());
    if (text == from.view()) return Value::of(&from);
    // Forms of single characters that have the same length keep the borders between writers.
    if (from.runs > 1 && text.size() == from.size) {
        Writer w;
        size_t at = 0;
        for (uint32_t i = 0; i < from.runs; ++i) {
            w.add(std::string_view(text).substr(at, from.run[i].end - at), from.run[i].tag);
            at = from.run[i].end;
        }
        return Value::of(r.str(w));
    }
    return r.text(text, tagOfAll(from));
}

Value trim(C c) {
    const Str& s = *strOf(c);
    if (!c.a.has(0) || c.a[0].isNone()) return Value::of(c.r.slice(s, firstNonSpace(s.view()), std::max(firstNonSpace(s.view()), lastNonSpaceEnd(s.view()))));
    Arguments chars;
    chars.places.push_back(c.a[0]);
    return callMethod(c.in, c.r, Method{Value::of(&s), methodId("strip")}, chars);
}
Value upper(C c) { return remade(c.r, *strOf(c), upperText(strOf(c)->view())); }
Value lower(C c) { return remade(c.r, *strOf(c), lowerText(strOf(c)->view())); }
Value capitalize(C c) { return remade(c.r, *strOf(c), capitalText(strOf(c)->view())); }

// Words begin after spaces, dashes and opening brackets.
Value title(C c) {
    const Str& s = *strOf(c);
    const std::string_view t = s.view();
    const auto separator = [](char32_t x) { return x == '-' || x == '(' || x == '{' || x == '[' || x == '<' || isSpace(x); };
    std::string out;
    for (size_t at = 0; at < t.size();) {
        const bool kind = separator(characterAt(t, at));
        size_t end = at;
        while (end < t.size() && separator(characterAt(t, end)) == kind) end += characterBytes(t, end);
        const size_t first = characterBytes(t, at);
        out += upperText(t.substr(at, first)) + lowerText(t.substr(at + first, end - at - first));
        at = end;
    }
    return remade(c.r, s, out);
}

Value string(C c) { return Value::of(strOf(c)); }
Value safe(C c) {
    auto* s = c.r.arena.make(*strOf(c));
    s->markup = true;
    return Value::of(static_cast<const Str*>(s));
}
Value forceEscape(C c) {
    const Str& s = *strOf(c);
    auto* out = c.r.arena.make(*remade(c.r, s, escapeHtml(s.view())).string);
    out->markup = true;
    return Value::of(static_cast<const Str*>(out));
}
Value escape(C c) { return c.value.isString() && c.value.string->markup ? c.value : forceEscape(c); }

Value replace(C c) {
    Arguments a;
    a.places = {Value::of(c.a.text(0, c.r, "")), Value::of(c.a.text(1, c.r, ""))};
    if (c.a.has(2) && !c.a[2].isNone()) a.places.push_back(c.a[2]);
    return callMethod(c.in, c.r, Method{Value::of(strOf(c)), methodId("replace")}, a);
}

Value indent(C c) {
    if (!c.value.isString()) {
        if (c.value.isUndefined()) raiseUndefined(c.value);
        raise(std::string("'indent' wants a string, not a value of type '") + typeName(c.value) + "'");
    }
    const Str& s = *c.value.string;
    const Str* by = nullptr;
    if (c.a.has(0) && c.a[0].isString()) {
        by = c.a[0].string;
    } else {
        const int64_t width = std::max<int64_t>(c.a.integer(0, 4), 0);
        c.r.checkSize(static_cast<size_t>(width));
        by = c.r.str(std::string(static_cast<size_t>(width), ' '));
    }
    const bool first = c.a.flag(1, false), blank = c.a.flag(2, false);
    Writer w;
    const std::string all = std::string(s.view()) + "\n";
    const auto lines = textLines(all);
    for (size_t i = 0; i < lines.size(); ++i) {
        if (i) w.add("\n", tagAt(s, lines[i - 1].end));
        if (i == 0 ? first : blank || lines[i].end > lines[i].begin) w.add(*by);
        w.add(s, lines[i].begin, lines[i].end);
        c.r.step();
        c.r.checkSize(w.size());
    }
    return Value::of(c.r.str(w));
}

Value toJson(C c) {
    Runtime::JsonStyle style;
    style.asciiOnly = c.a.flag(0, false);
    if (c.a.has(1) && !c.a[1].isNone()) {
        style.pretty = true;
        style.item = ",";
        if (c.a[1].isString()) style.indent = c.a[1].text();
        else {
            const int64_t width = std::max<int64_t>(c.a.integer(1, 0), 0);
            if (width > 1000) raise("tojson is asked for an indent of " + std::to_string(width));
            style.indent = std::string(static_cast<size_t>(width), ' ');
        }
    }
    if (c.a.has(2) && !c.a[2].isNone()) {
        const auto items = c.r.items(c.a[2]);
        if (items.size() != 2 || !items[0].isString() || !items[1].isString()) raise("the separators of tojson are two strings");
        style.item = items[0].text();
        style.key = items[1].text();
    }
    style.sortKeys = c.a.flag(3, false);
    Writer w;
    c.r.json(c.value, style, w);
    return Value::of(c.r.str(w));
}

Value toInt(C c) {
    const int64_t base = c.a.integer(1, 10);
    bool ok = false;
    Value v = toInteger(c.r, c.value, static_cast<int>(base), ok);
    if (ok) return v;
    const Value real = toReal(c.value, ok);
    if (ok && std::isfinite(real.real) && std::abs(real.real) < 9.2e18) return Value::of(static_cast<int64_t>(real.real));
    if (ok && std::isfinite(real.real)) raise("a number is beyond 64 bits");
    return c.a.has(0) ? c.a[0] : Value::of(int64_t{0});
}
Value toFloat(C c) {
    bool ok = false;
    const Value v = toReal(c.value, ok);
    return ok ? v : c.a.has(0) ? c.a[0] : Value::of(0.0);
}
Value absolute(C c) {
    if (c.value.isUndefined()) raiseUndefined(c.value);
    if (c.value.kind == Kind::kFloat) return Value::of(std::abs(c.value.real));
    if (!c.value.isInteger()) raise(std::string("'abs' wants a number, not a value of type '") + typeName(c.value) + "'");
    if (c.value.asInteger() == INT64_MIN) raise("a number is beyond 64 bits");
    return Value::of(std::abs(c.value.asInteger()));
}

// To the nearest even at halves, correctly for the decimal value, as Python's round(x, n).
double rounded(double x, int64_t digits) {
    if (!std::isfinite(x) || digits > 22) return x;
    if (digits < -308) return std::copysign(0.0, x);
    if (digits >= 0) {
        char text[400];
        std::snprintf(text, sizeof text, "%.*f", static_cast<int>(digits), x);
        return std::strtod(text, nullptr);
    }
    const double scale = std::pow(10.0, static_cast<double>(-digits));
    return std::nearbyint(x / scale) * scale;
}
Value roundTo(C c) {
    if (c.value.isUndefined()) raiseUndefined(c.value);
    if (!c.value.isNumber()) raise(std::string("'round' wants a number, not a value of type '") + typeName(c.value) + "'");
    const int64_t digits = c.a.integer(0, 0);
    const std::string method(c.a.text(1, c.r, "common")->view());
    if (method != "common" && method != "ceil" && method != "floor") raise("'round' knows the methods common, ceil and floor, not '" + method + "'");
    if (method == "common") {
        if (c.value.isInteger()) {
            if (digits >= 0) return Value::of(c.value.asInteger());
            return Value::of(static_cast<int64_t>(rounded(c.value.asReal(), digits)));
        }
        return Value::of(rounded(c.value.real, digits));
    }
    const double scale = std::pow(10.0, static_cast<double>(digits)), x = c.value.asReal() * scale;
    return Value::of((method == "ceil" ? std::ceil(x) : std::floor(x)) / scale);
}

Value format(C c) {
    Writer w;
    if (!c.raw.names.empty() && !c.raw.places.empty()) raise("'format' takes values in places or by name, not both");
    if (!c.raw.names.empty()) {
        std::vector<Dict::Entry> entries;
        for (const auto& [name, value] : c.raw.names) entries.push_back({c.r.text(name), value});
        formatPercent(c.r, *strOf(c), c.r.dict(entries), w);
    } else {
        formatPercent(c.r, *strOf(c), c.r.tuple(c.raw.places), w);
    }
    return Value::of(c.r.str(w));
}

Value center(C c) {
    Arguments a;
    a.places.push_back(c.a.has(0) ? c.a[0] : Value::of(int64_t{80}));
    return callMethod(c.in, c.r, Method{Value::of(strOf(c)), methodId("center")}, a);
}

Value wordCount(C c) {
    const std::string_view t = strOf(c)->view();
    int64_t words = 0;
    bool inside = false;
    for (size_t at = 0; at < t.size(); at += characterBytes(t, at)) {
        const char32_t x = characterAt(t, at);
        const bool word = x == '_' || isAlpha(x) || isNumeric(x);
        words += word && !inside;
        inside = word;
    }
    return Value::of(words);
}

Value truncate(C c) {
    const Str& s = *strOf(c);
    const int64_t length = c.a.integer(0, 255), leeway = c.a.has(3) && !c.a[3].isNone() ? c.a.integer(3, 5) : 5;
    const Str& end = *c.a.text(2, c.r, "...");
    const auto endLength = static_cast<int64_t>(countCharacters(end.view()));
    if (length < endLength) raise("'truncate' is asked for fewer characters than its end mark has");
    if (leeway < 0) raise("the leeway of 'truncate' is negative");
    if (static_cast<int64_t>(countCharacters(s.view())) <= length + leeway) return Value::of(&s);
    const std::string_view kept = s.view().substr(0, byteOf(s.view(), static_cast<size_t>(length - endLength)));
    size_t cut = kept.size();
    if (!c.a.flag(1, false))
        if (const size_t space = kept.rfind(' '); space != kept.npos) cut = space;
    Writer w;
    w.add(s, 0, cut);
    w.add(end);
    return Value::of(c.r.str(w));
}

Value urlEncode(C c) {
    const auto quoted = [](std::string_view t, bool query) {
        std::string out;
        for (const char ch : t) {
            const auto b = static_cast<unsigned char>(ch);
            if ((b >= '0' && b <= '9') || ((b | 0x20) >= 'a' && (b | 0x20) <= 'z') || b == '_' || b == '.' || b == '-' || b == '~' || (b == '/' && !query)) out += ch;
            else if (b == ' ' && query) out += '+';
            else {
                char text[8];
                std::snprintf(text, sizeof text, "%%%02X", b);
                out += text;
            }
        }
        return out;
    };
    if (c.value.isString() || !(c.value.kind == Kind::kDict || c.value.isSeq())) {
        const Str& s = *strOf(c);
        return remade(c.r, s, quoted(s.view(), false));
    }
    std::string out;
    const auto add = [&](const Value& k, const Value& v) {
        out += (out.empty() ? "" : "&") + quoted(c.r.toStr(k)->view(), true) + "=" + quoted(c.r.toStr(v)->view(), true);
        c.r.checkSize(out.size());
    };
    if (c.value.kind == Kind::kDict) {
        for (uint32_t i = 0; i < c.value.dict->size; ++i) add(c.value.dict->entries[i].key, c.value.dict->entries[i].value);
    } else {
        for (const Value& pair : c.r.items(c.value)) {
            const auto parts = c.r.items(pair);
            if (parts.size() != 2) raise("'urlencode' wants pairs");
            add(parts[0], parts[1]);
        }
    }
    return c.r.text(out, kData);
}

Value fileSize(C c) {
    bool ok = false;
    const double bytes = toReal(c.value, ok).asReal();
    if (!ok) raise("'filesizeformat' wants a number");
    const bool binary = c.a.flag(0, false);
    const double base = binary ? 1024 : 1000;
    static constexpr const char* kUnits[2][8] = {{"kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"}, {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"}};
    if (bytes == 1) return c.r.text("1 Byte");
    char text[64];
    if (bytes < base) {
        std::snprintf(text, sizeof text, "%lld Bytes", static_cast<long long>(bytes));
        return c.r.text(text);
    }
    double unit = base;
    for (int i = 0;; ++i) {
        unit *= base;
        if (bytes < unit || i == 7) {
            std::snprintf(text, sizeof text, "%.1f %s", base * bytes / unit, kUnits[binary ? 1 : 0][i]);
            return c.r.text(text);
        }
    }
}

Value stripTags(C c) {
    const Str& s = *strOf(c);
    std::string text;
    for (size_t at = 0; at < s.size; ++at) {
        if (s.data[at] == '<')
            if (const size_t end = s.view().find('>', at); end != std::string_view::npos) {
                at = end;
                continue;
            }
        text += s.data[at];
    }
    std::string out;
    bool space = false;
    for (size_t at = 0; at < text.size(); at += characterBytes(text, at)) {
        const bool is = isSpace(characterAt(text, at));
        if (!is) {
            if (space && !out.empty()) out += ' ';
            out += text.substr(at, characterBytes(text, at));
        }
        space = is;
    }
    for (const auto& [name, mark] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&#39;", "'"}, {"&#34;", "\""}, {"&quot;", "\""}, {"&amp;", "&"}})
        for (size_t at = 0; (at = out.find(name, at)) != out.npos; ++at) out.replace(at, std::string_view(name).size(), mark);
    return remade(c.r, s, out);
}

Value unsupported(C) { raise("the filters random, pprint, urlize, wordwrap and xmlattr are not supported in chat templates"); }

constexpr Filter kTextFilters[] = {
    {"trim", trim, "chars"},
    {"upper", upper},
    {"lower", lower},
    {"capitalize", capitalize},
    {"title", title},
    {"string", string},
    {"safe", safe},
    {"escape", escape},
    {"e", escape},
    {"forceescape", forceEscape},
    {"replace", replace, "old new count", 2},
    {"indent", indent, "width first blank"},
    {"tojson", toJson, "ensure_ascii indent separators sort_keys"},
    {"int", toInt, "default base"},
    {"float", toFloat, "default"},
    {"abs", absolute},
    {"round", roundTo, "precision method"},
    {"format", format, "*"},
    {"center", center, "width"},
    {"wordcount", wordCount},
    {"truncate", truncate, "length killwords end leeway"},
    {"urlencode", urlEncode},
    {"filesizeformat", fileSize, "binary"},
    {"striptags", stripTags},
    {"random", unsupported, "*"},
    {"pprint", unsupported, "*"},
    {"urlize", unsupported, "*"},
    {"wordwrap", unsupported, "*"},
    {"xmlattr", unsupported, "*"},
};

}  // namespace

std::span<const Filter> textFilters() { return kTextFilters; }

}  // namespace assay::data::jinja
