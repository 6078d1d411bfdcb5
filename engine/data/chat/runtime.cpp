#include "chat/runtime.h"

#include <algorithm>

namespace assay::data::jinja {
namespace {
constexpr size_t kBlock = size_t{64} << 10;
constexpr uint32_t kMaxDepth = 500;  // of lists in lists
thread_local std::unique_ptr<char[]> spareBlock;
}  // namespace

void raise(std::string message) { throw TemplateError{std::move(message)}; }

void Writer::add(const Str& s, size_t begin, size_t end) {
    if (begin >= end) return;
    if (s.runs == 0) return add({s.data + begin, end - begin}, s.tag);
    size_t at = begin;
    const Run* run = std::upper_bound(s.run, s.run + s.runs, begin, [](size_t b, const Run& r) { return b < r.end; });
    for (; at < end; ++run) {
        const size_t to = std::min<size_t>(end, run->end);
        add({s.data + at, to - at}, run->tag);
        at = to;
    }
}

void Writer::emit(const Str& s, Tag turn, Tag extra) {
    const auto tagged = [&](Tag tag) { return ((tag & (kData | kMessageBits)) == 0 ? tag | turn : tag) | extra; };
    if (s.runs == 0) return add(s.view(), tagged(s.tag));
    size_t at = 0;
    for (uint32_t i = 0; i < s.runs; ++i) {
        add({s.data + at, s.run[i].end - at}, tagged(s.run[i].tag));
        at = s.run[i].end;
    }
}

Tag tagAt(const Str& s, size_t byte) {
    if (s.runs == 0) return s.tag;
    const Run* run = std::upper_bound(s.run, s.run + s.runs, byte, [](size_t b, const Run& r) { return b < r.end; });
    return run == s.run + s.runs ? s.run[s.runs - 1].tag : run->tag;
}

Tag tagOfAll(const Str& s) {
    if (s.runs == 0) return s.tag;
    for (uint32_t i = 0; i < s.runs; ++i)
        if (s.run[i].tag & kData) return s.run[i].tag;
    return s.run[0].tag;
}

Arena::Arena(size_t budget) : left_(budget) {
    if (!spareBlock) spareBlock = std::make_unique_for_overwrite<char[]>(kBlock);
    blocks_.push_back(std::move(spareBlock));
    at_ = blocks_[0].get();
    end_ = at_ + kBlock;
}
Arena::~Arena() { spareBlock = std::move(blocks_[0]); }

void* Arena::take(size_t bytes) {
    bytes = (bytes + 7) & ~size_t{7};
    if (static_cast<size_t>(end_ - at_) < bytes) {
        const size_t size = std::max(bytes, kBlock);
        if (size > left_) raise("the template needs more memory than a rendering may take");
        left_ -= size;
        blocks_.push_back(std::make_unique_for_overwrite<char[]>(size));
        at_ = blocks_.back().get();
        end_ = at_ + size;
    }
    void* const out = at_;
    at_ += bytes;
    return out;
}

void Runtime::outOfSteps() const { raise("the template does more work than a rendering may (" + std::to_string(options.limits.steps) + " steps)"); }

void Runtime::checkSize(size_t bytes) const {
    if (bytes > options.limits.outputBytes) raise("the template makes a text of over " + std::to_string(options.limits.outputBytes) + " bytes");
}

const Str* Runtime::view(std::string_view text, Tag tag) {
    Str s;
    s.data = text.data();
    s.size = static_cast<uint32_t>(text.size());
    s.tag = tag;
    return arena.make(s);
}

const Str* Runtime::str(std::string_view text, Tag tag) {
    checkSize(text.size());
    spend(text.size());
    char* data = arena.array<char>(text.size());
    std::copy(text.begin(), text.end(), data);
    return view({data, text.size()}, tag);
}

const Str* Runtime::str(const Writer& writer) {
    const auto& runs = writer.runs();
    auto* s = const_cast<Str*>(str(const_cast<Writer&>(writer).text(), runs.empty() ? 0 : runs[0].tag));
    if (runs.size() > 1) {
        Run* copy = arena.array<Run>(runs.size());
        std::copy(runs.begin(), runs.end(), copy);
        s->run = copy;
        s->runs = static_cast<uint32_t>(runs.size());
    }
    return s;
}

const Str* Runtime::slice(const Str& s, size_t begin, size_t end) {
    step();
    end = std::min<size_t>(end, s.size);
    begin = std::min(begin, end);
    if (begin == 0 && end == s.size && !s.markup) return &s;
    if (s.runs == 0) return view({s.data + begin, end - begin}, s.tag);
    Str out;
    out.data = s.data + begin;
    out.size = static_cast<uint32_t>(end - begin);
    out.tag = out.size ? tagAt(s, begin) : s.tag;
    const Run* first = std::upper_bound(s.run, s.run + s.runs, begin, [](size_t b, const Run& r) { return b < r.end; });
    const Run* last = first;
    while (last != s.run + s.runs && last->end < end) ++last;
    if (out.size && last != first) {
        const auto n = static_cast<uint32_t>(last - first + 1);
        step(n);
        Run* runs = arena.array<Run>(n);
        for (uint32_t i = 0; i < n; ++i) runs[i] = {static_cast<uint32_t>(std::min<size_t>(first[i].end, end) - begin), first[i].tag};
        out.run = runs;
        out.runs = n;
    }
    return arena.make(out);
}

const Str* Runtime::concat(const Str& a, const Str& b) {
    if (a.size == 0 && !a.markup) return &b;
    if (b.size == 0 && !b.markup) return &a;
    const size_t size = size_t{a.size} + b.size;
    checkSize(size);
    spend(size);
    char* data = arena.array<char>(size);
    std::memcpy(data, a.data, a.size);
    std::memcpy(data + a.size, b.data, b.size);
    Str out;
    out.data = data;
    out.size = static_cast<uint32_t>(size);
    out.tag = a.size ? tagAt(a, 0) : b.tag;
    if (a.runs || b.runs || (a.tag != b.tag && a.size && b.size)) {
        const uint32_t n = std::max(a.runs, 1u) + std::max(b.runs, 1u);
        step(n);
        Run* runs = arena.array<Run>(n);
        uint32_t k = 0;
        const auto copy = [&](const Str& s, uint32_t offset) {
            for (uint32_t i = 0; i < s.runs; ++i) runs[k++] = {s.run[i].end + offset, s.run[i].tag};
            if (s.runs == 0 && s.size) runs[k++] = {s.size + offset, s.tag};
        };
        copy(a, 0);
        copy(b, a.size);
        out.run = runs;
        out.runs = k;
    }
    return arena.make(out);
}

Value Runtime::seq(Kind kind, const std::vector<Value>& items) {
    Seq s;
    s.size = static_cast<uint32_t>(items.size());
    step(static_cast<int64_t>(items.size() / 4 + 1));
    auto* copy = arena.array<Value>(items.size());
    for (size_t i = 0; i < items.size(); ++i) {
        new (copy + i) Value(items[i]);
        if (items[i].isSeq()) s.depth = std::max(s.depth, items[i].seq->depth + 1);
        if (items[i].kind == Kind::kDict) s.depth = std::max(s.depth, items[i].dict->depth + 1);
    }
    if (s.depth > kMaxDepth) raise("lists lie in lists more than " + std::to_string(kMaxDepth) + " deep");
    s.items = copy;
    Value v = Value::of(kind);
    v.seq = arena.make(s);
    return v;
}

Value Runtime::pair(const Value& a, const Value& b) { return tuple({a, b}); }

Value Runtime::dict(std::vector<Dict::Entry>& entries) {
    Dict d;
    d.size = static_cast<uint32_t>(entries.size());
    step(static_cast<int64_t>(entries.size() / 4 + 1));
    auto* copy = arena.array<Dict::Entry>(entries.size());
    for (size_t i = 0; i < entries.size(); ++i) {
        new (copy + i) Dict::Entry(entries[i]);
        const Value& v = entries[i].value;
        if (v.isSeq()) d.depth = std::max(d.depth, v.seq->depth + 1);
        if (v.kind == Kind::kDict) d.depth = std::max(d.depth, v.dict->depth + 1);
    }
    if (d.depth > kMaxDepth) raise("objects lie in objects more than " + std::to_string(kMaxDepth) + " deep");
    d.entries = copy;
    return Value::of(static_cast<const Dict*>(arena.make(d)));
}

Value Runtime::undefined(Undefined::Why why, const Str* name, const char* type) {
    Value v;
    v.undefined = arena.make(Undefined{why, name, type});
    return v;
}

}  // namespace assay::data::jinja
