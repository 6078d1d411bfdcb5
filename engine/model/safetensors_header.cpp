#include "safetensors_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_set>

#include "assay/model/gguf.h"
#include "checked.h"

namespace assay::model {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors and GGUF files are little-endian");

constexpr size_t kMaxDimensions = 16;

struct RawEntry {
    std::string name, dtype;
    std::vector<int64_t> shape;
    int64_t begin = 0, end = 0;
};

// Reads the header without building a document, so that time and memory stay linear in its size: a header may be 100 MB
// and hold a million names, more than the document type with ordered keys can take.
class HeaderReader : public nlohmann::json_sax<Json> {
public:
    std::vector<RawEntry> entries;
    Json metadata = Json::object();
    std::string error;

    bool null() override { return stop("null where a value is needed"); }
    bool boolean(bool) override { return stop("true or false where a value is needed"); }
    bool number_integer(number_integer_t) override { return stop("negative number" + here()); }
    bool number_float(number_float_t, const string_t& text) override { return stop("number " + text + " is no integer" + here()); }
    bool binary(binary_t&) override { return stop("binary value"); }

    bool number_unsigned(number_unsigned_t v) override {
        if (place_ != Place::kShape && place_ != Place::kOffsets) return stop("number where none belongs" + here());
        if (v > static_cast<uint64_t>(INT64_MAX)) return stop(fmt::format("number {} is too large{}", v, here()));
        if (place_ == Place::kShape) {
            if (entries.back().shape.size() == kMaxDimensions) return stop(fmt::format("more than {} dimensions{}", kMaxDimensions, here()));
            entries.back().shape.push_back(static_cast<int64_t>(v));
        } else {
            if (offsets_ == 2) return stop("data_offsets must hold two numbers" + here());
            (offsets_++ == 0 ? entries.back().begin : entries.back().end) = static_cast<int64_t>(v);
        }
        return true;
    }
    bool string(string_t& v) override {
        if (place_ == Place::kMetadata) {
            metadata.get_ref<Json::object_t&>().emplace_back(key_, std::move(v));
            return true;
        }
        if (place_ != Place::kEntry || key_ != "dtype") return stop("string where none belongs" + here());
        entries.back().dtype = std::move(v);
        return true;
    }
    bool start_object(size_t) override {
        if (place_ == Place::kStart) {
            place_ = Place::kTop;
        } else if (place_ == Place::kTop) {
            keys_.clear();
            place_ = key_ == "__metadata__" ? Place::kMetadata : Place::kEntry;
            if (place_ == Place::kEntry) {
                entries.emplace_back();
                entries.back().name = key_;
            }
        } else {
            return stop("object where none belongs" + here());
        }
        return true;
    }
    bool key(string_t& name) override {
        if (!(place_ == Place::kTop ? names_ : keys_).insert(name).second) return stop("duplicate key \"" + name + "\"" + here());
        if (place_ == Place::kEntry && name != "dtype" && name != "shape" && name != "data_offsets")
            return stop("unknown key \"" + name + "\"" + here());
        key_ = std::move(name);
        return true;
    }
    bool end_object() override {
        if (place_ == Place::kEntry && keys_.size() != 3) return stop("dtype, shape or data_offsets is missing" + here());
        place_ = place_ == Place::kTop ? Place::kEnd : Place::kTop;
        return true;
    }
    bool start_array(size_t) override {
        if (place_ != Place::kEntry || key_ == "dtype") return stop("array where none belongs" + here());
        place_ = key_ == "shape" ? Place::kShape : Place::kOffsets;
        offsets_ = 0;
        return true;
    }
    bool end_array() override {
        if (place_ == Place::kOffsets && offsets_ != 2) return stop("data_offsets must hold two numbers" + here());
        place_ = Place::kEntry;
        return true;
    }
    bool parse_error(size_t position, const std::string&, const nlohmann::detail::exception&) override {
        if (error.empty()) error = fmt::format("not JSON at byte {} of the header", position);
        return false;
    }

private:
    enum class Place { kStart, kTop, kMetadata, kEntry, kShape, kOffsets, kEnd };
    bool stop(std::string why) {
        error = std::move(why);
        return false;
    }
    std::string here() const {
        const bool inside = place_ == Place::kEntry || place_ == Place::kShape || place_ == Place::kOffsets;
        return inside ? " in tensor \"" + entries.back().name + "\"" : "";
    }
    Place place_ = Place::kStart;
    std::string key_;
    int offsets_ = 0;
    std::unordered_set<std::string> names_, keys_;
};

std::optional<DType> dtypeOf(std::string_view name) {
    for (int i = 0; i <= static_cast<int>(DType::kF64); ++i)
        if (dtypeName(static_cast<DType>(i)) == name) return static_cast<DType>(i);
    return std::nullopt;
}

bool isKnownElsewhere(std::string_view name) {  // in the format, but of no use here
    for (std::string_view known : {"I16", "U16", "U32", "U64", "F8_E4M3", "F8_E5M2", "F8_E8M0", "F4", "F6_E2M3", "F6_E3M2", "C64"})
        if (name == known) return true;
    return false;
}

}  // namespace

Result<SafetensorsHeader> parseSafetensors(std::string_view file, const std::string& path) {
    auto bad = [&](std::string why) { return fail(ErrorCode::kInvalidFile, path + " is not a valid safetensors file: " + std::move(why)); };
    if (file.size() < 8) return bad(fmt::format("{} bytes are too few for a header", file.size()));
    uint64_t length;
    std::memcpy(&length, file.data(), 8);
    if (length > kMaxSafetensorsHeader) return bad(fmt::format("header length {} is above the limit of {}", length, kMaxSafetensorsHeader));
    if (length > file.size() - 8) return bad(fmt::format("header length {} is beyond the end of the file ({} bytes)", length, file.size()));
    if (length < 2) return bad(fmt::format("header length {} is too small", length));
    const std::string_view text = file.substr(8, length);
    if (text[0] != '{') return bad("the header does not start with '{'");

    HeaderReader reader;
    if (!Json::sax_parse(text.begin(), text.end(), &reader)) return bad(reader.error);
    const std::string_view data = file.substr(8 + length);
    std::vector<RawEntry>& raw = reader.entries;
    // Offsets must tile the data exactly; tensors without elements may share a place.
    std::stable_sort(raw.begin(), raw.end(), [](const RawEntry& a, const RawEntry& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
    });

    SafetensorsHeader out;
    out.metadata = std::move(reader.metadata);
    out.entries.reserve(raw.size());
    int64_t position = 0;
    for (RawEntry& e : raw) {
        auto dtype = dtypeOf(e.dtype);
        if (!dtype && isKnownElsewhere(e.dtype))
            return fail(ErrorCode::kUnsupported, fmt::format("{}: tensor \"{}\" has the type {}, which is not supported", path, e.name, e.dtype));
        if (!dtype) return bad(fmt::format("tensor \"{}\" has the unknown type \"{}\"", e.name, e.dtype));
        auto elements = checkedProduct(e.shape);
        auto bytes = elements ? checkedProduct(*elements, dtypeBytes(*dtype)) : std::nullopt;
        if (!bytes) return bad(fmt::format("the shape [{}] of tensor \"{}\" overflows", fmt::join(e.shape, ", "), e.name));
        if (e.begin > e.end) return bad(fmt::format("data_offsets [{}, {}] of tensor \"{}\" run backwards", e.begin, e.end, e.name));
        if (e.end - e.begin != *bytes)
            return bad(fmt::format("tensor \"{}\" of shape [{}] needs {} bytes but its data_offsets hold {}", e.name, fmt::join(e.shape, ", "), *bytes,
                                   e.end - e.begin));
        if (static_cast<uint64_t>(e.end) > data.size())
            return bad(fmt::format("tensor \"{}\" ends at byte {} of the data, the file has {}; it may be truncated", e.name, e.end, data.size()));
        if (e.begin < position) return bad(fmt::format("tensor \"{}\" overlaps the one before it", e.name));
        if (e.begin > position) return bad(fmt::format("{} bytes before tensor \"{}\" belong to no tensor", e.begin - position, e.name));
        position = e.end;
        out.entries.push_back({std::move(e.name), *dtype, std::move(e.shape), data.substr(static_cast<size_t>(e.begin), static_cast<size_t>(*bytes))});
    }
    if (static_cast<uint64_t>(position) != data.size()) return bad(fmt::format("{} bytes at the end belong to no tensor", data.size() - static_cast<size_t>(position)));
    return out;
}

}  // namespace assay::model
