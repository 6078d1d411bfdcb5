// Methods of strings.
#include <algorithm>

#include "chat/methods.h"
#include "chat/parser.h"
#include "chat/py_text.h"

namespace assay::data::jinja {
namespace {
using M = const MethodCall&;

const Str& textArgument(const Bound& a, size_t i, const char* method) {
    if (!a[i].isString()) {
        if (a[i].isUndefined()) raiseUndefined(a[i]);
        raise(std::string("'") + method + "' wants a string, not a value of type '" + typeName(a[i]) + "'");
    }
    return *a[i].string;
}

// strip, lstrip, rstrip: of white space or of the characters given
Value stripped(M m, const char* name, bool left, bool right) {
    const Bound a = m.bind(name, "chars");
    const std::string_view t = m.text();
    size_t begin = 0, end = t.size();
    if (!a.has(0) || a[0].isNone()) {
        if (left) begin = firstNonSpace(t);
        if (right) end = lastNonSpaceEnd(t);
    } else {
        const std::string_view chars = textArgument(a, 0, name).view();
        m.r.spend(chars.size());
        const auto listed = [&](std::string_view c) {
            for (size_t at = 0; at < chars.size(); at += characterBytes(chars, at))
                if (chars.substr(at, characterBytes(chars, at)) == c) return true;
            return false;
        };
        while (left && begin < end) {
            const size_t n = characterBytes(t, begin);
            if (!listed(t.substr(begin, n))) break;
            m.r.spend(chars.size());
            begin += n;
        }
        while (right && begin < end) {
            size_t at = end - 1;
            while (at > begin && (static_cast<unsigned char>(t[at]) & 0xC0) == 0x80) --at;
            if (!listed(t.substr(at, end - at))) break;
            m.r.spend(chars.size());
            end = at;
        }
    }
    m.r.spend(t.size() / 8);
    return Value::of(m.r.slice(m.s(), begin, std::max(begin, end)));
}

int64_t countArgument(const Bound& a, size_t i) { return a.has(i) ? a.integer(i, -1) : -1; }

Value split(M m, bool fromRight) {
    const Bound a = m.bind(fromRight ? "rsplit" : "split", "sep maxsplit");
    const std::string_view t = m.text();
    int64_t left = countArgument(a, 1);
    if (left < 0) left = INT64_MAX;
    std::vector<std::pair<size_t, size_t>> parts;
    m.r.spend(t.size());
    const bool bySpace = !a.has(0) || a[0].isNone();
    const std::string_view separator = bySpace ? std::string_view() : textArgument(a, 0, "split").view();
    if (!bySpace && separator.empty()) raise("'split' is called with an empty separator");
    if (!fromRight) {
        size_t at = bySpace ? firstNonSpace(t) : 0;
        while (!bySpace || at < t.size()) {
            size_t end, next;
            if (bySpace) {
                for (end = at; end < t.size() && !isSpace(characterAt(t, end)); end += characterBytes(t, end)) {}
                next = end + firstNonSpace(t.substr(end));
                if (left == 0) end = t.size(), next = t.size();
                parts.emplace_back(at, end);
                --left;
                at = next;
            } else {
                end = left > 0 ? t.find(separator, at) : t.npos;
                parts.emplace_back(at, std::min(end, t.size()));
                if (end == t.npos) break;
                --left;
                at = end + separator.size();
            }
        }
    } else {
        size_t end = bySpace ? lastNonSpaceEnd(t) : t.size();
        while (!bySpace || end > 0) {
            if (bySpace) {
                size_t begin = end;
                while (begin > 0) {
                    size_t before = begin - 1;
                    while (before > 0 && (static_cast<unsigned char>(t[before]) & 0xC0) == 0x80) --before;
                    if (isSpace(characterAt(t, before))) break;
                    begin = before;
                }
                if (left == 0) begin = 0;
                parts.emplace_back(begin, end);
                --left;
                end = begin == 0 ? 0 : lastNonSpaceEnd(t.substr(0, begin));
            } else {
                const size_t found = left > 0 && end >= separator.size() ? t.rfind(separator, end - separator.size()) : t.npos;
                parts.emplace_back(found == t.npos ? 0 : found + separator.size(), end);
                if (found == t.npos) break;
                --left;
                end = found;
            }
        }
        std::reverse(parts.begin(), parts.end());
    }
    std::vector<Value> out;
    for (const auto& [begin, end] : parts) out.push_back(Value::of(m.r.slice(m.s(), begin, end)));
    return m.r.list(out);
}

Value partition(M m, bool last) {
    const Bound a = m.bind("partition", "sep", 1);
    const std::string_view separator = textArgument(a, 0, "partition").view();
    if (separator.empty()) raise("'partition' is called with an empty separator");
    const size_t at = last ? m.text().rfind(separator) : m.text().find(separator);
    const Value none = Value::of(m.r.view(""));
    if (at == std::string_view::npos) return last ? m.r.tuple({none, none, m.self}) : m.r.tuple({m.self, none, none});
    return m.r.tuple({Value::of(m.r.slice(m.s(), 0, at)), Value::of(m.r.slice(m.s(), at, at + separator.size())), Value::of(m.r.slice(m.s(), at + separator.size(), m.s().size))});
}

Value splitLines(M m) {
    const Bound a = m.bind("splitlines", "keepends");
    std::vector<Value> out;
    for (const TextLine& l : textLines(m.text())) out.push_back(Value::of(m.r.slice(m.s(), l.begin, a.flag(0, false) ? l.next : l.end)));
    return m.r.list(out);
}

Value replaced(M m) {
    const Bound a = m.bind("replace", "old new count", 2);
    const std::string_view t = m.text(), old = textArgument(a, 0, "replace").view();
    const Str& fresh = textArgument(a, 1, "replace");
    int64_t left = countArgument(a, 2);
    if (left < 0) left = INT64_MAX;
    Writer w;
    size_t at = 0;
    m.r.spend(t.size());
    const auto grow = [&] {
        m.r.checkSize(w.size());
        m.r.spend(fresh.size);
    };
    if (old.empty()) {
        for (;; --left) {
            if (left > 0) w.add(fresh);
            grow();
            if (at >= t.size()) break;
            const size_t n = left > 0 ? characterBytes(t, at) : t.size() - at;
            w.add(m.s(), at, at + n);
            at += n;
            if (left <= 0) break;
        }
        return Value::of(m.r.str(w));
    }
    size_t found = t.find(old);
    if (found == t.npos || left == 0) return m.self;
    for (; found != t.npos && left > 0; found = t.find(old, at), --left) {
        w.add(m.s(), at, found);
        w.add(fresh);
        grow();
        at = found + old.size();
    }
    w.add(m.s(), at, t.size());
    return Value::of(m.r.str(w));
}

// The bytes of [start, end) given in characters, as str.find and its kin take them.
std::pair<size_t, size_t> window(M m, const Bound& a, size_t i) {
    const auto n = static_cast<int64_t>(countCharacters(m.text()));
    const auto place = [&](size_t k, int64_t fallback) {
        int64_t v = a.has(k) && !a[k].isNone() ? a.integer(k, 0) : fallback;
        if (v < 0) v = std::max<int64_t>(v + n, 0);
        return v;
    };
    const int64_t begin = place(i, 0), end = std::min(place(i + 1, n), n);
    if (begin > end) return {1, 0};  // nothing is found, not even an empty text
    return {byteOf(m.text(), static_cast<size_t>(begin)), byteOf(m.text(), static_cast<size_t>(end))};
}
Value find(M m, const char* name, bool last, bool must) {
    const Bound a = m.bind(name, "sub start end", 1);
    const std::string_view what = textArgument(a, 0, name).view();
    m.r.spend(m.text().size());
    const auto [begin, end] = window(m, a, 1);
    size_t at = std::string_view::npos;
    if (begin <= end) {
        const std::string_view inside = m.text().substr(begin, end - begin);
        at = last ? inside.rfind(what) : inside.find(what);
        if (at != inside.npos) at += begin;
    }
    if (at == std::string_view::npos) {
        if (must) raise("'" + std::string(name) + "' does not find the text");
        return Value::of(int64_t{-1});
    }
    return Value::of(static_cast<int64_t>(countCharacters(m.text().substr(0, at))));
}
Value countIn(M m) {
    const Bound a = m.bind("count", "sub start end", 1);
    const std::string_view what = textArgument(a, 0, "count").view();
    const auto [begin, end] = window(m, a, 1);
    m.r.spend(m.text().size());
    if (begin > end) return Value::of(int64_t{0});
    const std::string_view inside = m.text().substr(begin, end - begin);
    if (what.empty()) return Value::of(static_cast<int64_t>(countCharacters(inside)) + 1);
    int64_t n = 0;
    for (size_t at = inside.find(what); at != inside.npos; at = inside.find(what, at + what.size())) ++n;
    return Value::of(n);
}
Value startsOrEnds(M m, bool ends) {
    const char* const name = ends ? "endswith" : "startswith";
    const Bound a = m.bind(name, "prefix start end", 1);
    const auto [begin, end] = window(m, a, 1);
    const auto fits = [&, b = begin, e = end](const Value& v) {
        if (!v.isString()) raise(std::string("'") + name + "' wants a string or a tuple of strings, not a value of type '" + typeName(v) + "'");
        if (b > e) return false;
        const std::string_view inside = m.text().substr(b, e - b);
        return ends ? inside.ends_with(v.text()) : inside.starts_with(v.text());
    };
    if (a[0].isUndefined()) raiseUndefined(a[0]);
    if (a[0].kind != Kind::kTuple) return Value::of(fits(a[0]));
    for (uint32_t i = 0; i < a[0].seq->size; ++i)
        if (fits(a[0].seq->items[i])) return Value::of(true);
    return Value::of(false);
}
Value withoutEnd(M m, bool suffix) {
    const char* const name = suffix ? "removesuffix" : "removeprefix";
    const Bound a = m.bind(name, "text", 1);
    const std::string_view part = textArgument(a, 0, name).view();
    if (suffix ? !m.text().ends_with(part) : !m.text().starts_with(part)) return m.self;
    return Value::of(suffix ? m.r.slice(m.s(), 0, m.s().size - part.size()) : m.r.slice(m.s(), part.size(), m.s().size));
}

Value padded(M m, const char* name, bool left, bool right, bool zeros = false) {
    const Bound a = m.bind(name, zeros ? "width" : "width fillchar", 1);
    const int64_t width = a.integer(0, 0), length = static_cast<int64_t>(countCharacters(m.text()));
    if (width <= length) return m.self;
    m.r.checkSize(static_cast<size_t>(width));
    const std::string_view fill = zeros ? "0" : a.has(1) ? textArgument(a, 1, name).view() : " ";
    if (countCharacters(fill) != 1) raise(std::string("'") + name + "' fills with one character");
    const int64_t missing = width - length;
    // Where an odd number is shared out, Python gives the extra one by the parity of the width.
    const int64_t before = left && right ? missing / 2 + (missing & width & 1) : left ? missing : 0;
    m.r.spend(static_cast<size_t>(width));
    Writer w;
    size_t sign = 0;
    if (zeros && !m.text().empty() && (m.text()[0] == '+' || m.text()[0] == '-')) sign = 1;
    w.add(m.s(), 0, sign);
    for (int64_t i = 0; i < before; ++i) w.add(fill, 0);
    w.add(m.s(), sign, m.s().size);
    for (int64_t i = before; i < missing && right; ++i) w.add(fill, 0);
    return Value::of(m.r.str(w));
}

Value everyCharacter(M m, bool (*is)(char32_t), bool whenEmpty = false) {
    const std::string_view t = m.text();
    if (t.empty()) return Value::of(whenEmpty);
    for (size_t at = 0; at < t.size(); at += characterBytes(t, at))
        if (!is(characterAt(t, at))) return Value::of(false);
    return Value::of(true);
}
Value cased(M m, const char* test) {
    Arguments none;
    return Value::of(m.in.applyTest(testId(test), m.self, none));
}
Value isTitleText(M m) {
    const std::string_view t = m.text();
    bool any = false, inWord = false;
    for (size_t at = 0; at < t.size(); at += characterBytes(t, at)) {
        const char32_t c = characterAt(t, at);
        if (isUpper(c) || isTitle(c)) {
            if (inWord) return Value::of(false);
            any = inWord = true;
        } else if (isLower(c)) {
            if (!inWord) return Value::of(false);
            any = true;
        } else {
            inWord = false;
        }
    }
    return Value::of(any);
}
Value mapped(M m, std::string (*to)(std::string_view)) {
    m.bind("the method", "");
    const std::string text = to(m.text());
    m.r.spend(text.size());
    if (text == m.text()) return m.self;
    if (text.size() != m.s().size || m.s().runs < 2) return m.r.text(text, tagOfAll(m.s()));
    Writer w;
    size_t at = 0;
    for (uint32_t i = 0; i < m.s().runs; ++i) {
        w.add(std::string_view(text).substr(at, m.s().run[i].end - at), m.s().run[i].tag);
        at = m.s().run[i].end;
    }
    return Value::of(m.r.str(w));
}
Value joined(M m) {
    const Bound a = m.bind("join", "iterable", 1);
    Writer w;
    bool any = false;
    Iterator* const it = m.r.iterate(a[0]);
    for (Value v; it->next(v);) {
        m.r.step();
        if (!v.isString()) raise(std::string("'join' wants strings, not a value of type '") + typeName(v) + "'");
        if (any) w.add(m.s());
        any = true;
        w.add(*v.string);
        m.r.checkSize(w.size());
    }
    return Value::of(m.r.str(w));
}
Value format(M m) {
    Writer w;
    formatBraces(m.in, m.r, m.s(), m.raw, w);
    return Value::of(m.r.str(w));
}
Value expandTabs(M m) {
    const int64_t size = m.bind("expandtabs", "tabsize").integer(0, 8);
    Writer w;
    int64_t column = 0;
    const std::string_view t = m.text();
    for (size_t at = 0; at < t.size();) {
        const size_t n = characterBytes(t, at);
        if (t[at] == '\t') {
            const int64_t spaces = size > 0 ? size - column % size : 0;
            m.r.checkSize(w.size() + static_cast<size_t>(spaces));
            w.add(std::string(static_cast<size_t>(spaces), ' '), tagAt(m.s(), at));
            column += spaces;
        } else {
            w.add(m.s(), at, at + n);
            column = t[at] == '\n' || t[at] == '\r' ? 0 : column + 1;
        }
        at += n;
    }
    return Value::of(m.r.str(w));
}
bool isIdentifierText(std::string_view t) {
    if (t.empty() || isNumeric(characterAt(t, 0))) return false;
    for (size_t at = 0; at < t.size(); at += characterBytes(t, at)) {
        const char32_t c = characterAt(t, at);
        if (c != '_' && !isAlpha(c) && !isDecimal(c)) return false;
    }
    return true;
}

bool alnum(char32_t c) { return isAlpha(c) || isNumeric(c); }
bool ascii(char32_t c) { return c < 0x80; }

constexpr MethodEntry kTextMethods[] = {
    {"strip", kText, [](M m) { return stripped(m, "strip", true, true); }},
    {"lstrip", kText, [](M m) { return stripped(m, "lstrip", true, false); }},
    {"rstrip", kText, [](M m) { return stripped(m, "rstrip", false, true); }},
    {"split", kText, [](M m) { return split(m, false); }},
    {"rsplit", kText, [](M m) { return split(m, true); }},
    {"splitlines", kText, splitLines},
    {"partition", kText, [](M m) { return partition(m, false); }},
    {"rpartition", kText, [](M m) { return partition(m, true); }},
    {"replace", kText, replaced},
    {"startswith", kText, [](M m) { return startsOrEnds(m, false); }},
    {"endswith", kText, [](M m) { return startsOrEnds(m, true); }},
    {"removeprefix", kText, [](M m) { return withoutEnd(m, false); }},
    {"removesuffix", kText, [](M m) { return withoutEnd(m, true); }},
    {"find", kText, [](M m) { return find(m, "find", false, false); }},
    {"rfind", kText, [](M m) { return find(m, "rfind", true, false); }},
    {"rindex", kText, [](M m) { return find(m, "rindex", true, true); }},
    {"upper", kText, [](M m) { return mapped(m, upperText); }},
    {"lower", kText, [](M m) { return mapped(m, lowerText); }},
    {"casefold", kText, [](M m) { return mapped(m, foldText); }},
    {"title", kText, [](M m) { return mapped(m, titleText); }},
    {"capitalize", kText, [](M m) { return mapped(m, capitalText); }},
    {"swapcase", kText, [](M m) { return mapped(m, swapText); }},
    {"center", kText, [](M m) { return padded(m, "center", true, true); }},
    {"ljust", kText, [](M m) { return padded(m, "ljust", false, true); }},
    {"rjust", kText, [](M m) { return padded(m, "rjust", true, false); }},
    {"zfill", kText, [](M m) { return padded(m, "zfill", true, false, true); }},
    {"join", kText, joined},
    {"format", kText, format},
    {"expandtabs", kText, expandTabs},
    {"isalpha", kText, [](M m) { return everyCharacter(m, isAlpha); }},
    {"isdecimal", kText, [](M m) { return everyCharacter(m, isDecimal); }},
    {"isdigit", kText, [](M m) { return everyCharacter(m, isDigit); }},
    {"isnumeric", kText, [](M m) { return everyCharacter(m, isNumeric); }},
    {"isalnum", kText, [](M m) { return everyCharacter(m, alnum); }},
    {"isspace", kText, [](M m) { return everyCharacter(m, isSpace); }},
    {"isprintable", kText, [](M m) { return everyCharacter(m, isPrintable, true); }},
    {"isascii", kText, [](M m) { return everyCharacter(m, ascii, true); }},
    {"islower", kText, [](M m) { return cased(m, "lower"); }},
    {"isupper", kText, [](M m) { return cased(m, "upper"); }},
    {"istitle", kText, isTitleText},
    {"isidentifier", kText, [](M m) { return Value::of(isIdentifierText(m.text())); }},
};

}  // namespace

std::span<const MethodEntry> textMethods() { return kTextMethods; }
Value countText(M m) { return countIn(m); }
Value indexText(M m) { return find(m, "index", false, true); }

}  // namespace assay::data::jinja
