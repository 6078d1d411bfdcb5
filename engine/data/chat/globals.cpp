// Functions that every template may call.
#include <algorithm>
#include <array>
#include <ctime>

#include "chat/interpreter.h"

namespace assay::data::jinja {
namespace {
constexpr std::array<std::string_view, 8> kGlobals = {"range", "dict", "namespace", "cycler", "joiner", "raise_exception", "strftime_now", "lipsum"};
enum : uint32_t { kRangeCall, kDictCall, kNamespaceCall, kCyclerCall, kJoinerCall, kRaise, kNow, kLipsum };
constexpr int64_t kMaxRange = 100'000;

// dict(mapping or pairs, name=value …)
void gather(Runtime& r, const Arguments& given, std::vector<Dict::Entry>& entries) {
    if (given.places.size() > 1) raise("at most one value in place is expected");
    if (!given.places.empty()) {
        const Value& from = given.places[0];
        if (from.kind == Kind::kDict) {
            entries.assign(from.dict->entries, from.dict->entries + from.dict->size);
        } else {
            for (const Value& pair : r.items(from)) {
                const auto parts = r.items(pair);
                if (parts.size() != 2) raise("pairs of keys and values are expected");
                r.set(entries, parts[0], parts[1]);
            }
        }
    }
    for (const auto& [name, value] : given.names) r.set(entries, r.text(name), value);
}

Value makeRange(Runtime& r, const Arguments& given) {
    if (given.places.empty() || given.places.size() > 3 || !given.names.empty()) raise("'range' takes one to three whole numbers");
    int64_t v[3];
    for (size_t i = 0; i < given.places.size(); ++i) {
        if (given.places[i].isUndefined()) raiseUndefined(given.places[i]);
        if (!given.places[i].isInteger()) raise(std::string("'range' takes whole numbers, not a value of type '") + typeName(given.places[i]) + "'");
        v[i] = given.places[i].asInteger();
        if (v[i] > (int64_t{1} << 40) || v[i] < -(int64_t{1} << 40)) raise("a number for 'range' is too large");
    }
    Range range{};
    const size_t n = given.places.size();
    range.start = n == 1 ? 0 : v[0];
    range.stop = n == 1 ? v[0] : v[1];
    range.step = n == 3 ? v[2] : 1;
    if (range.step == 0) raise("the step of 'range' is zero");
    if (range.step > 0 && range.stop > range.start) range.size = (range.stop - range.start - 1) / range.step + 1;
    if (range.step < 0 && range.stop < range.start) range.size = (range.start - range.stop - 1) / -range.step + 1;
    if (range.size > kMaxRange) raise("a range is longer than " + std::to_string(kMaxRange));
    Value out = Value::of(Kind::kRange);
    out.range = r.arena.make(range);
    return out;
}

Value timeNow(Runtime& r, const Arguments& given) {
    const Bound a("strftime_now", "format", 1, given);
    if (!a[0].isString()) raise("'strftime_now' takes a format");
    const std::string format(a[0].text());
    const std::time_t now = r.options.now.value_or(std::time(nullptr));
    std::tm local{};
    localtime_r(&now, &local);
    if (format.size() > 1000) raise("a format for 'strftime_now' is too long");
    std::string spaced = format + "x";  // never empty: an empty result is no failure
    std::vector<char> buffer(spaced.size() * 64 + 256);
    const size_t n = std::strftime(buffer.data(), buffer.size(), spaced.c_str(), &local);
    if (n == 0) raise("the format '" + format + "' for 'strftime_now' is not understood");
    return r.text({buffer.data(), n - 1});
}

}  // namespace

int globalId(std::string_view name) {
    const auto found = std::find(kGlobals.begin(), kGlobals.end(), name);
    return found == kGlobals.end() ? -1 : static_cast<int>(found - kGlobals.begin());
}

Value Interpreter::callGlobal(uint32_t id, const Arguments& given) {
    switch (id) {
        case kRangeCall: return makeRange(r, given);
        case kDictCall: {
            std::vector<Dict::Entry> entries;
            gather(r, given, entries);
            return r.dict(entries);
        }
        case kNamespaceCall: {
            std::vector<Dict::Entry> entries;
            gather(r, given, entries);
            Namespace space;
            space.size = space.capacity = static_cast<uint32_t>(entries.size());
            space.entries = r.arena.array<Dict::Entry>(entries.size());
            for (size_t i = 0; i < entries.size(); ++i) new (space.entries + i) Dict::Entry(entries[i]);
            Value v = Value::of(Kind::kNamespace);
            v.space = r.arena.make(space);
            return v;
        }
        case kCyclerCall: {
            if (given.places.empty()) raise("'cycler' takes at least one value");
            Value v = Value::of(Kind::kCycler);
            v.cycler = r.arena.make(Cycler{r.tuple(given.places).seq, 0});
            return v;
        }
        case kJoinerCall: {
            const Bound a("joiner", "sep", 0, given);
            Value v = Value::of(Kind::kJoiner);
            v.joiner = r.arena.make(Joiner{a.text(0, r, ", "), false});
            return v;
        }
        case kRaise: {
            const Bound a("raise_exception", "message", 1, given);
            raise("the template says: " + std::string(r.toStr(a[0])->view().substr(0, 2000)));
        }
        case kNow: return timeNow(r, given);
        default: raise("the function 'lipsum' is not supported in chat templates");
    }
}

}  // namespace assay::data::jinja
