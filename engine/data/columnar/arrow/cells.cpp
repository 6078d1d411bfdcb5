#include "cells.h"

#include <arrow/extension_type.h>
#include <arrow/scalar.h>
#include <arrow/util/checked_cast.h>
#include <arrow/util/float16.h>
#include <arrow/util/utf8.h>

#include <charconv>

#include "json_text.h"

namespace assay::data {
namespace {
using arrow::Array;
using arrow::Type;
using arrow::internal::checked_cast;

int64_t perSecond(arrow::TimeUnit::type unit) {
    switch (unit) {
        case arrow::TimeUnit::SECOND: return 1;
        case arrow::TimeUnit::MILLI: return 1'000;
        case arrow::TimeUnit::MICRO: return 1'000'000;
        case arrow::TimeUnit::NANO: return 1'000'000'000;
    }
    return 1;
}

template <class T>
void appendWhole(std::string& out, T value) {
    char text[24];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    out.append(text, end);
}

bool isUtf8(std::string_view bytes) { return arrow::util::ValidateUTF8(reinterpret_cast<const uint8_t*>(bytes.data()), static_cast<int64_t>(bytes.size())); }

// The array and place that hold a value behind dictionaries, runs, unions and extension types.
struct Place {
    const Array* array;
    int64_t i;
    bool null = false;
    std::shared_ptr<Array> keep;  // of arrays that Arrow makes when asked
};
Place resolve(const Array& array, int64_t i) {
    Place p{&array, i, false, nullptr};
    const auto enter = [&p](std::shared_ptr<Array> inner, int64_t at) {
        p.keep = std::move(inner);
        p.array = p.keep.get();
        p.i = at;
    };
    for (int depth = 0; depth < 4 * kMaxColumnarDepth; ++depth) {
        const Array& a = *p.array;
        switch (a.type_id()) {
            case Type::EXTENSION: {
                const std::shared_ptr<Array> storage = checked_cast<const arrow::ExtensionArray&>(a).storage();
                enter(storage, p.i);
                break;
            }
            case Type::DICTIONARY: {
                if (a.IsNull(p.i)) return {p.array, p.i, true, p.keep};
                const auto& d = checked_cast<const arrow::DictionaryArray&>(a);
                const int64_t at = d.GetValueIndex(p.i);
                enter(d.dictionary(), at);
                break;
            }
            case Type::RUN_END_ENCODED: {
                const auto& r = checked_cast<const arrow::RunEndEncodedArray&>(a);
                // Its runs are sorted by their ends; the run is found by halving.
                const auto& ends = *r.run_ends();
                const int64_t wanted = r.offset() + p.i;
                const auto endOf = [&](int64_t k) -> int64_t {
                    switch (ends.type_id()) {
                        case Type::INT16: return checked_cast<const arrow::Int16Array&>(ends).Value(k);
                        case Type::INT32: return checked_cast<const arrow::Int32Array&>(ends).Value(k);
                        default: return checked_cast<const arrow::Int64Array&>(ends).Value(k);
                    }
                };
                int64_t low = 0, high = ends.length();
                while (low < high) {
                    const int64_t middle = (low + high) / 2;
                    if (endOf(middle) <= wanted) low = middle + 1;
                    else high = middle;
                }
                if (low >= ends.length()) return {p.array, p.i, true, p.keep};
                enter(r.values(), low);
                break;
            }
            case Type::SPARSE_UNION: {
                const auto& u = checked_cast<const arrow::SparseUnionArray&>(a);
                enter(u.field(u.child_id(p.i)), p.i);
                break;
            }
            case Type::DENSE_UNION: {
                const auto& u = checked_cast<const arrow::DenseUnionArray&>(a);
                const int64_t at = u.value_offset(p.i);
                enter(u.field(u.child_id(p.i)), at);
                break;
            }
            default:
                p.null = a.type_id() == Type::NA || a.IsNull(p.i);
                return p;
        }
    }
    p.null = true;
    return p;
}

bool textOf(const Array& array, int64_t i, std::string_view& out) {
    switch (array.type_id()) {
        case Type::STRING:
        case Type::BINARY: out = checked_cast<const arrow::BinaryArray&>(array).GetView(i); return true;
        case Type::LARGE_STRING:
        case Type::LARGE_BINARY: out = checked_cast<const arrow::LargeBinaryArray&>(array).GetView(i); return true;
        case Type::STRING_VIEW:
        case Type::BINARY_VIEW: out = checked_cast<const arrow::BinaryViewArray&>(array).GetView(i); return true;
        case Type::FIXED_SIZE_BINARY: out = checked_cast<const arrow::FixedSizeBinaryArray&>(array).GetView(i); return true;
        default: return false;
    }
}

struct Range {
    std::shared_ptr<Array> values;
    int64_t begin = 0, end = 0;
};
template <class T>
Range rangeOf(const Array& array, int64_t i) {
    const auto& list = checked_cast<const T&>(array);
    const int64_t begin = list.value_offset(i);
    return {list.values(), begin, begin + list.value_length(i)};
}
bool listOf(const Array& array, int64_t i, Range& out) {
    switch (array.type_id()) {
        case Type::LIST: out = rangeOf<arrow::ListArray>(array, i); return true;
        case Type::LARGE_LIST: out = rangeOf<arrow::LargeListArray>(array, i); return true;
        case Type::FIXED_SIZE_LIST: out = rangeOf<arrow::FixedSizeListArray>(array, i); return true;
        case Type::LIST_VIEW: out = rangeOf<arrow::ListViewArray>(array, i); return true;
        case Type::LARGE_LIST_VIEW: out = rangeOf<arrow::LargeListViewArray>(array, i); return true;
        case Type::MAP: out = rangeOf<arrow::MapArray>(array, i); return true;
        default: return false;
    }
}

class JsonAppender {
public:
    JsonAppender(size_t limit, std::string& out) : limit_(limit), out_(out) {}
    ColumnarFault fault() const { return out_.size() > limit_ ? ColumnarFault::kTooLong : notUtf8_ ? ColumnarFault::kNotUtf8 : ColumnarFault::kNone; }
    void value(const Array& array, int64_t i) {
        const Place p = resolve(array, i);
        if (p.null) {
            out_ += "null";
        } else if (!nested(*p.array, p.i)) {
            scalar(*p.array, p.i);
        }
    }

private:
    bool nested(const Array& array, int64_t i) {
        Range range;
        if (array.type_id() == Type::STRUCT) {
            const auto& s = checked_cast<const arrow::StructArray&>(array);
            out_ += '{';
            for (int f = 0; f < s.num_fields() && out_.size() <= limit_; ++f) {
                if (f > 0) out_ += ',';
                key(s.struct_type()->field(f)->name());
                value(*s.field(f), i);
            }
            out_ += '}';
        } else if (array.type_id() == Type::MAP) {
            const auto& m = checked_cast<const arrow::MapArray&>(array);
            const Type::type keys = m.map_type()->key_type()->id();
            const bool object = keys == Type::STRING || keys == Type::LARGE_STRING || keys == Type::STRING_VIEW;
            out_ += object ? '{' : '[';
            const int64_t begin = m.value_offset(i), end = begin + m.value_length(i);
            for (int64_t k = begin; k < end && out_.size() <= limit_; ++k) {
                if (k > begin) out_ += ',';
                if (!object) out_ += '[';
                value(*m.keys(), k);
                out_ += object ? ':' : ',';
                value(*m.items(), k);
                if (!object) out_ += ']';
            }
            out_ += object ? '}' : ']';
        } else if (listOf(array, i, range)) {
            out_ += '[';
            for (int64_t k = range.begin; k < range.end && out_.size() <= limit_; ++k) {
                if (k > range.begin) out_ += ',';
                value(*range.values, k);
            }
            out_ += ']';
        } else {
            return false;
        }
        return true;
    }
    void key(const std::string& name) {
        text(name, true);
        out_ += ':';
    }
    void text(std::string_view bytes, bool isString) {
        if (bytes.size() > limit_) {
            out_.resize(limit_ + 1);
        } else if (isUtf8(bytes)) {
            appendQuoted(out_, bytes);
        } else {
            notUtf8_ |= isString;
            appendBase64(out_, bytes);
        }
    }
    void scalar(const Array& a, int64_t i) {
        std::string_view bytes;
        const Type::type id = a.type_id();
        if (textOf(a, i, bytes)) return text(bytes, id == Type::STRING || id == Type::LARGE_STRING || id == Type::STRING_VIEW);
        switch (id) {
            case Type::BOOL: out_ += checked_cast<const arrow::BooleanArray&>(a).Value(i) ? "true" : "false"; return;
            case Type::INT8: return appendWhole(out_, int{checked_cast<const arrow::Int8Array&>(a).Value(i)});
            case Type::UINT8: return appendWhole(out_, int{checked_cast<const arrow::UInt8Array&>(a).Value(i)});
            case Type::INT16: return appendWhole(out_, checked_cast<const arrow::Int16Array&>(a).Value(i));
            case Type::UINT16: return appendWhole(out_, checked_cast<const arrow::UInt16Array&>(a).Value(i));
            case Type::INT32: return appendWhole(out_, checked_cast<const arrow::Int32Array&>(a).Value(i));
            case Type::UINT32: return appendWhole(out_, checked_cast<const arrow::UInt32Array&>(a).Value(i));
            case Type::INT64: return appendWhole(out_, checked_cast<const arrow::Int64Array&>(a).Value(i));
            case Type::UINT64: return appendWhole(out_, checked_cast<const arrow::UInt64Array&>(a).Value(i));
            case Type::HALF_FLOAT: return appendReal(out_, arrow::util::Float16::FromBits(checked_cast<const arrow::HalfFloatArray&>(a).Value(i)).ToFloat());
            case Type::FLOAT: return appendReal(out_, checked_cast<const arrow::FloatArray&>(a).Value(i));
            case Type::DOUBLE: return appendReal(out_, checked_cast<const arrow::DoubleArray&>(a).Value(i));
            case Type::DATE32: return appendDate(out_, checked_cast<const arrow::Date32Array&>(a).Value(i));
            case Type::DATE64: return appendDate(out_, checked_cast<const arrow::Date64Array&>(a).Value(i) / 86'400'000);
            case Type::TIMESTAMP: {
                const auto& type = checked_cast<const arrow::TimestampType&>(*a.type());
                return appendMoment(out_, checked_cast<const arrow::TimestampArray&>(a).Value(i), perSecond(type.unit()), !type.timezone().empty());
            }
            case Type::TIME32: return appendTimeOfDay(out_, checked_cast<const arrow::Time32Array&>(a).Value(i), perSecond(checked_cast<const arrow::Time32Type&>(*a.type()).unit()));
            case Type::TIME64: return appendTimeOfDay(out_, checked_cast<const arrow::Time64Array&>(a).Value(i), perSecond(checked_cast<const arrow::Time64Type&>(*a.type()).unit()));
            case Type::DURATION: return appendSeconds(out_, checked_cast<const arrow::DurationArray&>(a).Value(i), perSecond(checked_cast<const arrow::DurationType&>(*a.type()).unit()));
            case Type::DECIMAL32: return appendQuoted(out_, checked_cast<const arrow::Decimal32Array&>(a).FormatValue(i));
            case Type::DECIMAL64: return appendQuoted(out_, checked_cast<const arrow::Decimal64Array&>(a).FormatValue(i));
            case Type::DECIMAL128: return appendQuoted(out_, checked_cast<const arrow::Decimal128Array&>(a).FormatValue(i));
            case Type::DECIMAL256: return appendQuoted(out_, checked_cast<const arrow::Decimal256Array&>(a).FormatValue(i));
            default: break;
        }
        // Intervals: Arrow's own words for them.
        const auto scalar = a.GetScalar(i);
        text(scalar.ok() ? (*scalar)->ToString() : std::string(), false);
    }

    const size_t limit_;
    std::string& out_;
    bool notUtf8_ = false;
};

}  // namespace

bool stringCell(const Array& array, int64_t i, ColumnarCell& out) {
    const Place p = resolve(array, i);
    std::string_view bytes;
    if (p.null) {
        out = {};
        return true;
    }
    if (!textOf(*p.array, p.i, bytes)) return false;
    out = {ColumnarCell::Kind::kString, bytes};
    return true;
}

ColumnarFault appendJson(const Array& array, int64_t i, size_t limit, std::string& out) {
    JsonAppender appender(out.size() + limit, out);
    appender.value(array, i);
    return appender.fault();
}

bool appendIntegers(const Array& array, int64_t i, std::vector<int64_t>& out) {
    const Place p = resolve(array, i);
    if (p.null) return true;
    Range range;
    if (!listOf(*p.array, p.i, range)) return false;
    const Array& values = *range.values;
    const auto take = [&](const auto& typed) {
        for (int64_t k = range.begin; k < range.end; ++k) {
            if (typed.IsNull(k)) return false;
            out.push_back(static_cast<int64_t>(typed.Value(k)));
        }
        return true;
    };
    switch (values.type_id()) {
        case Type::INT8: return take(checked_cast<const arrow::Int8Array&>(values));
        case Type::UINT8: return take(checked_cast<const arrow::UInt8Array&>(values));
        case Type::INT16: return take(checked_cast<const arrow::Int16Array&>(values));
        case Type::UINT16: return take(checked_cast<const arrow::UInt16Array&>(values));
        case Type::INT32: return take(checked_cast<const arrow::Int32Array&>(values));
        case Type::UINT32: return take(checked_cast<const arrow::UInt32Array&>(values));
        case Type::INT64: return take(checked_cast<const arrow::Int64Array&>(values));
        default: return false;
    }
}

}  // namespace assay::data
