// Python's ways to put values into texts: % and str.format; and int() and float() of texts.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "chat/interpreter.h"
#include "chat/py_text.h"

namespace assay::data::jinja {
namespace {

struct Spec {
    std::string fill = " ", type;
    char align = 0, sign = '-';
    bool alternate = false, zeros = false, comma = false, underscore = false;
    int64_t width = 0, precision = -1;
};

std::string grouped(std::string digits, char separator, size_t by) {
    for (size_t at = digits.size(); at > by; at -= by) digits.insert(at - by, 1, separator);
    return digits;
}

std::string signOf(bool negative, const Spec& s) { return negative ? "-" : s.sign == '+' ? "+" : s.sign == ' ' ? " " : ""; }

std::string digitsOf(uint64_t v, int base) {
    char buffer[66];
    return std::string(buffer, std::to_chars(buffer, buffer + sizeof buffer, v, base).ptr);
}

// Sign and prefix, and the digits behind them.
std::pair<std::string, std::string> integerText(int64_t v, const Spec& s) {
    const char type = s.type.empty() ? 'd' : s.type[0];
    const int base = type == 'x' || type == 'X' ? 16 : type == 'o' ? 8 : type == 'b' ? 2 : 10;
    std::string digits = digitsOf(v < 0 ? 0 - static_cast<uint64_t>(v) : static_cast<uint64_t>(v), base);
    if (type == 'X') std::transform(digits.begin(), digits.end(), digits.begin(), [](char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); });
    std::string head = signOf(v < 0, s);
    if (s.alternate && base != 10) head += base == 16 ? (type == 'X' ? "0X" : "0x") : base == 8 ? "0o" : "0b";
    if (s.comma) digits = grouped(digits, ',', 3);
    if (s.underscore) digits = grouped(digits, '_', base == 10 ? 3 : 4);
    return {head, digits};
}

std::pair<std::string, std::string> realTextOf(double v, const Spec& s) {
    std::string body;
    const double x = std::abs(v);
    const char type = s.type.empty() ? '\0' : s.type[0];
    if (std::isnan(v) || std::isinf(v)) {
        body = std::isnan(v) ? "nan" : "inf";
        if (type == 'F' || type == 'E' || type == 'G') std::transform(body.begin(), body.end(), body.begin(), [](char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); });
        if (type == '%') body += '%';
        return {signOf(std::signbit(v) && !std::isnan(v), s), body};
    }
    if (type == '\0' && s.precision < 0) {
        body = realText(x);
    } else {
        const int precision = static_cast<int>(s.precision < 0 ? 6 : s.precision);
        std::string format = std::string("%") + (s.alternate ? "#" : "") + ".*" + (type == '\0' ? 'g' : type == '%' ? 'f' : type == 'F' ? 'F' : type);
        std::vector<char> buffer(static_cast<size_t>(precision) + 400);
        std::snprintf(buffer.data(), buffer.size(), format.c_str(), precision, type == '%' ? x * 100 : x);
        body = buffer.data();
        if (type == '\0' && body.find_first_of(".en") == body.npos) body += ".0";
        if (type == '%') body += '%';
    }
    if (s.comma || s.underscore) {
        const size_t whole = std::min(body.find_first_not_of("0123456789"), body.size());
        body = grouped(body.substr(0, whole), s.comma ? ',' : '_', 3) + body.substr(whole);
    }
    return {signOf(std::signbit(v), s), body};
}

void pad(Runtime& r, Writer& out, const Spec& s, const Writer& head, const Writer& body, char standard) {
    const auto add = [&](const Writer& w) {
        size_t at = 0;
        const std::string& text = const_cast<Writer&>(w).text();
        for (const Run& run : w.runs()) {
            out.add(std::string_view(text).substr(at, run.end - at), run.tag);
            at = run.end;
        }
    };
    const auto length = static_cast<int64_t>(countCharacters(const_cast<Writer&>(head).text()) + countCharacters(const_cast<Writer&>(body).text()));
    const int64_t missing = std::max<int64_t>(s.width - length, 0);
    r.checkSize(out.size() + static_cast<size_t>(missing) * s.fill.size());
    r.spend(static_cast<size_t>(missing));
    const auto fill = [&](int64_t n) {
        for (int64_t i = 0; i < n; ++i) out.add(s.fill, 0);
    };
    const char align = s.align ? s.align : standard;
    const int64_t before = align == '>' ? missing : align == '^' ? missing / 2 : 0;
    fill(before);
    add(head);
    if (align == '=') fill(missing);
    add(body);
    if (align != '=') fill(missing - before);
}

void writeNumber(Runtime& r, Writer& out, const Spec& s, const std::pair<std::string, std::string>& parts) {
    Writer head, body;
    head.add(parts.first, 0);
    body.add(parts.second, 0);
    Spec padded = s;
    if (s.zeros && !s.align) padded.fill = "0", padded.align = '=';
    pad(r, out, padded, head, body, '>');
}
void writeText(Runtime& r, Writer& out, const Spec& s, const Str& text) {
    Writer body;
    body.add(text, 0, s.precision >= 0 ? byteOf(text.view(), static_cast<size_t>(s.precision)) : text.size);
    pad(r, out, s, Writer(), body, '<');
}

int64_t number(std::string_view t, size_t& at) {
    int64_t n = 0;
    while (at < t.size() && t[at] >= '0' && t[at] <= '9') {
        n = n * 10 + (t[at++] - '0');
        if (n > (int64_t{1} << 31)) raise("a width in a format is too large");
    }
    return n;
}

const Str* reprOf(Runtime& r, const Value& v) {
    Writer w;
    r.repr(v, w);
    return r.str(w);
}

}  // namespace

void formatPercent(Runtime& r, const Str& format, const Value& arguments, Writer& out) {
    const std::string_view t = format.view();
    size_t next = 0;
    const bool tuple = arguments.kind == Kind::kTuple;
    bool used = false, named = false;
    const auto take = [&]() -> Value {
        if (tuple) {
            if (next >= arguments.seq->size) raise("there are fewer values than the format has places");
            return arguments.seq->items[next++];
        }
        if (used) raise("there are fewer values than the format has places");
        used = true;
        return arguments;
    };
    for (size_t at = 0; at < t.size();) {
        const size_t percent = std::min(t.find('%', at), t.size());
        out.add(format, at, percent);
        r.checkSize(out.size());
        r.step();
        if (percent == t.size()) break;
        at = percent + 1;
        Value value;
        bool have = false;
        if (at < t.size() && t[at] == '(') {
            const size_t close = t.find(')', at);
            if (close == t.npos) raise("a format has a name that is not closed: %(");
            if (arguments.kind != Kind::kDict) raise("a format with names wants a mapping");
            const Value* found = r.find(*arguments.dict, t.substr(at + 1, close - at - 1));
            if (!found) raise("a format names the value '" + std::string(t.substr(at + 1, close - at - 1)) + "', which there is not");
            value = *found;
            have = named = true;
            at = close + 1;
        }
        Spec s;
        for (; at < t.size() && std::string_view("-+ #0").find(t[at]) != std::string_view::npos; ++at) {
            if (t[at] == '-') s.align = '<';
            else if (t[at] == '+') s.sign = '+';
            else if (t[at] == ' ') s.sign = s.sign == '+' ? '+' : ' ';
            else if (t[at] == '#') s.alternate = true;
            else s.zeros = true;
        }
        const auto star = [&](int64_t fallback) {
            if (at < t.size() && t[at] == '*') {
                ++at;
                const Value v = take();
                if (!v.isInteger()) raise("'*' in a format wants a whole number");
                return v.asInteger();
            }
            return at < t.size() && t[at] >= '0' && t[at] <= '9' ? number(t, at) : fallback;
        };
        s.width = star(0);
        if (s.width < 0) s.align = '<', s.width = -s.width;
        if (at < t.size() && t[at] == '.') {
            ++at;
            s.precision = std::max<int64_t>(star(0), 0);
        }
        r.checkSize(static_cast<size_t>(std::max(s.width, s.precision)));
        while (at < t.size() && (t[at] == 'l' || t[at] == 'h' || t[at] == 'L')) ++at;
        if (at >= t.size()) raise("a format ends in the middle of a place");
        const char type = t[at++];
        if (type == '%') {
            out.add("%", tagAt(format, at - 1));
            continue;
        }
        if (!have) value = take();
        s.type = type;
        if (s.align != '<' && (type == 's' || type == 'r' || type == 'a' || type == 'c')) s.align = '>';
        switch (type) {
            case 's': writeText(r, out, s, *r.toStr(value)); break;
            case 'r':
            case 'a': writeText(r, out, s, *reprOf(r, value)); break;
            case 'c':
                if (value.isString() && countCharacters(value.text()) == 1) writeText(r, out, s, *value.string);
                else raise("'%c' wants one character");
                break;
            case 'd': case 'i': case 'u': case 'x': case 'X': case 'o': {
                if (value.isUndefined()) raiseUndefined(value);
                if (!value.isNumber() || (!value.isInteger() && (type == 'x' || type == 'X' || type == 'o')))
                    raise(std::string("'%") + type + "' wants a number, not a value of type '" + typeName(value) + "'");
                if (value.kind == Kind::kFloat && !(std::abs(value.real) < 9.2e18)) raise("a number is beyond 64 bits");
                auto parts = integerText(value.isInteger() ? value.asInteger() : static_cast<int64_t>(value.real), s);
                if (s.precision > static_cast<int64_t>(parts.second.size())) parts.second.insert(0, static_cast<size_t>(s.precision) - parts.second.size(), '0');
                writeNumber(r, out, s, parts);
                break;
            }
            case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
                if (value.isUndefined()) raiseUndefined(value);
                if (!value.isNumber()) raise(std::string("'%") + type + "' wants a number, not a value of type '" + typeName(value) + "'");
                writeNumber(r, out, s, realTextOf(value.asReal(), s));
                break;
            default: raise(std::string("a format has the unknown kind '%") + type + "'");
        }
    }
    if (tuple ? next < arguments.seq->size : !used && !named && arguments.kind != Kind::kDict && !arguments.isSeq())
        raise("not all values are used by the format");
}

namespace {

Spec parseSpec(std::string_view t) {
    Spec s;
    size_t at = 0;
    const auto aligns = [](char c) { return c == '<' || c == '>' || c == '^' || c == '='; };
    if (!t.empty()) {
        const size_t n = characterBytes(t, 0);
        if (n < t.size() && aligns(t[n])) {
            s.fill = t.substr(0, n);
            s.align = t[n];
            at = n + 1;
        } else if (aligns(t[0])) {
            s.align = t[0];
            at = 1;
        }
    }
    if (at < t.size() && (t[at] == '+' || t[at] == '-' || t[at] == ' ')) s.sign = t[at++];
    if (at < t.size() && t[at] == '#') s.alternate = true, ++at;
    if (at < t.size() && t[at] == '0') s.zeros = true, ++at;
    s.width = number(t, at);
    if (at < t.size() && t[at] == ',') s.comma = true, ++at;
    if (at < t.size() && t[at] == '_') s.underscore = true, ++at;
    if (at < t.size() && t[at] == '.') {
        ++at;
        if (at >= t.size() || t[at] < '0' || t[at] > '9') raise("the precision of a format is missing");
        s.precision = number(t, at);
    }
    s.type = t.substr(at);
    if (s.type.size() > 1) raise("a format is not understood: '" + std::string(t) + "'");
    return s;
}

void writeSpec(Runtime& r, Writer& out, const Value& v, std::string_view text) {
    if (text.empty()) return r.write(v, out);
    const Spec s = parseSpec(text);
    r.checkSize(static_cast<size_t>(std::max(s.width, s.precision)));
    const char type = s.type.empty() ? '\0' : s.type[0];
    const auto one = [&](const char* types) { return type != '\0' && std::string_view(types).find(type) != std::string_view::npos; };
    if (v.isString()) {
        if ((type != '\0' && type != 's') || s.sign != '-' || s.align == '=' || s.comma || s.underscore) raise("a format does not fit a string: '" + std::string(text) + "'");
        Spec padded = s;
        if (s.zeros && !s.align) padded.fill = "0";
        return writeText(r, out, padded, *v.string);
    }
    if (v.isInteger() && (type == '\0' || one("dbxXon"))) {
        if (s.precision >= 0) raise("a precision does not fit a whole number");
        return writeNumber(r, out, s, integerText(v.asInteger(), s));
    }
    if (v.isNumber() && (type == '\0' || one("eEfFgG%n"))) return writeNumber(r, out, s, realTextOf(v.asReal(), s));
    raise("the format '" + std::string(text) + "' does not fit a value of type '" + typeName(v) + "'");
}

}  // namespace

void formatBraces(Interpreter& in, Runtime& r, const Str& format, const Arguments& arguments, Writer& out) {
    const std::string_view t = format.view();
    size_t automatic = 0;
    // The value that "0.a[b]" names.
    const auto valueOf = [&](std::string_view path) {
        const size_t end = std::min(path.find_first_of(".["), path.size());
        const std::string_view first = path.substr(0, end);
        Value v;
        if (first.empty() || (first[0] >= '0' && first[0] <= '9')) {
            size_t i = automatic, at = 0;
            if (first.empty()) ++automatic;
            else {
                i = static_cast<size_t>(number(first, at));
                if (at != first.size()) raise("a format names the place '" + std::string(first) + "'");
            }
            if (i >= arguments.places.size()) raise("there are fewer values than the format has places");
            v = arguments.places[i];
        } else {
            const auto found = std::find_if(arguments.names.begin(), arguments.names.end(), [&](const auto& n) { return n.first == first; });
            if (found == arguments.names.end()) raise("a format names the value '" + std::string(first) + "', which there is not");
            v = found->second;
        }
        for (std::string_view rest = path.substr(end); !rest.empty();) {
            const bool bracket = rest[0] == '[';
            const size_t stop = bracket ? rest.find(']') : std::min(rest.find_first_of(".[", 1), rest.size());
            if (stop == rest.npos) raise("a format has a bracket that is not closed");
            const std::string_view name = rest.substr(1, stop - 1);
            const bool digits = bracket && !name.empty() && name.size() < 18 && std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
            const Value key = digits ? Value::of(static_cast<int64_t>(std::stoll(std::string(name)))) : r.text(name);
            v = bracket ? in.item(v, key) : in.attribute(v, key.string, methodId(name));
            if (v.isUndefined()) raiseUndefined(v);
            rest.remove_prefix(bracket ? stop + 1 : stop);
        }
        return v;
    };
    for (size_t at = 0; at < t.size();) {
        const size_t brace = std::min(t.find_first_of("{}", at), t.size());
        out.add(format, at, brace);
        r.checkSize(out.size());
        r.step();
        if (brace == t.size()) break;
        if (brace + 1 < t.size() && t[brace + 1] == t[brace]) {
            out.add(format, brace, brace + 1);
            at = brace + 2;
            continue;
        }
        if (t[brace] == '}') raise("a format has a '}' too many");
        size_t end = brace + 1;
        for (int open = 1; end < t.size(); ++end) {
            if (t[end] == '{') ++open;
            if (t[end] == '}' && --open == 0) break;
        }
        if (end >= t.size()) raise("a format has a '{' that is not closed");
        std::string_view field = t.substr(brace + 1, end - brace - 1);
        std::string spec;
        const size_t colon = std::min(field.find(':'), field.size());
        const std::string_view head = field.substr(0, colon);
        const size_t bang = std::min(head.find('!'), head.size());
        Value v = valueOf(head.substr(0, bang));
        if (bang < head.size()) {
            const std::string_view conversion = head.substr(bang + 1);
            if (conversion == "s") v = Value::of(r.toStr(v));
            else if (conversion == "r" || conversion == "a") v = Value::of(reprOf(r, v));
            else raise("a format has the unknown conversion '!" + std::string(conversion) + "'");
        }
        if (colon < field.size()) {
            for (std::string_view rest = field.substr(colon + 1); !rest.empty();) {
                const size_t open = std::min(rest.find('{'), rest.size());
                spec += rest.substr(0, open);
                if (open == rest.size()) break;
                const size_t close = rest.find('}', open);
                if (close == rest.npos) raise("a format has a '{' that is not closed");
                spec += r.toStr(valueOf(rest.substr(open + 1, close - open - 1)))->view();
                rest.remove_prefix(close + 1);
            }
        }
        writeSpec(r, out, v, spec);
        at = end + 1;
    }
}

Value toInteger(Runtime&, const Value& v, int base, bool& ok) {
    ok = true;
    if (v.isUndefined()) raiseUndefined(v);
    if (v.isInteger()) return Value::of(v.asInteger());
    if (v.kind == Kind::kFloat) {
        if (std::isnan(v.real)) {
            ok = false;
            return {};
        }
        if (std::isinf(v.real)) raise("infinity is no whole number");
        if (std::abs(v.real) >= 9.2e18) raise("a number is beyond 64 bits");
        return Value::of(static_cast<int64_t>(v.real));
    }
    ok = false;
    if (!v.isString() || base == 1 || base > 36 || base < 0) return {};
    std::string_view t = v.text();
    t = t.substr(firstNonSpace(t));
    t = t.substr(0, lastNonSpaceEnd(t));
    const bool negative = t.starts_with('-');
    if (negative || t.starts_with('+')) t.remove_prefix(1);
    const auto prefix = [&](char lower, int wanted) {
        if ((base == wanted || base == 0) && t.size() > 2 && t[0] == '0' && (t[1] | 0x20) == lower) {
            t.remove_prefix(2);
            if (t.starts_with('_')) t.remove_prefix(1);
            base = wanted;
            return true;
        }
        return false;
    };
    if (!prefix('x', 16) && !prefix('o', 8) && !prefix('b', 2) && base == 0) {
        base = 10;
        if (t.size() > 1 && t[0] == '0' && t.find_first_not_of("0_") != t.npos) return {};
    }
    std::string digits;
    for (size_t i = 0; i < t.size(); ++i) {
        if (t[i] == '_') {
            if (i == 0 || t[i - 1] == '_' || i + 1 == t.size()) return {};
            continue;
        }
        digits += t[i];
    }
    if (digits.empty() || digits[0] == '-') return {};
    uint64_t value = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (read.ptr != digits.data() + digits.size()) return {};
    if (read.ec == std::errc::result_out_of_range || value > static_cast<uint64_t>(INT64_MAX)) raise("a number is beyond 64 bits");
    if (read.ec != std::errc()) return {};
    ok = true;
    return Value::of(negative ? -static_cast<int64_t>(value) : static_cast<int64_t>(value));
}

Value toReal(const Value& v, bool& ok) {
    ok = true;
    if (v.isUndefined()) raiseUndefined(v);
    if (v.isNumber()) return Value::of(v.asReal());
    ok = false;
    if (!v.isString()) return Value::of(0.0);
    std::string_view t = v.text();
    t = t.substr(firstNonSpace(t));
    t = t.substr(0, lastNonSpaceEnd(t));
    std::string digits;
    for (size_t i = 0; i < t.size(); ++i) {
        const auto digit = [&](size_t k) { return k < t.size() && t[k] >= '0' && t[k] <= '9'; };
        if (t[i] == '_') {
            if (i == 0 || !digit(i - 1) || !digit(i + 1)) return Value::of(0.0);
            continue;
        }
        digits += t[i];
    }
    std::string_view body = digits;
    if (body.starts_with('+')) body.remove_prefix(1);
    if (body.starts_with('+') || body.starts_with("-+")) return Value::of(0.0);
    double value = 0;
    const auto read = std::from_chars(body.data(), body.data() + body.size(), value);
    if (read.ptr != body.data() + body.size() || body.empty()) return Value::of(0.0);
    if (body.find('(') != body.npos) return Value::of(0.0);
    if (read.ec == std::errc::result_out_of_range) value = std::strtod(std::string(body).c_str(), nullptr);
    ok = true;
    return Value::of(value);
}

}  // namespace assay::data::jinja
