#include "checked.h"

#include <arrow/array.h>
#include <arrow/array/validate.h>
#include <arrow/extension_type.h>
#include <arrow/memory_pool.h>
#include <arrow/type.h>
#include <arrow/util/checked_cast.h>

namespace assay::data {
namespace {
using arrow::internal::checked_cast;
using TypePtr = std::shared_ptr<arrow::DataType>;
using DataPtr = std::shared_ptr<arrow::ArrayData>;

int depthOf(const arrow::DataType& type, int limit) {
    if (limit < 0) return 1;
    int deepest = 0;
    const auto look = [&](const arrow::DataType& inner) { deepest = std::max(deepest, depthOf(inner, limit - 1)); };
    if (type.id() == arrow::Type::DICTIONARY) look(*checked_cast<const arrow::DictionaryType&>(type).value_type());
    if (type.id() == arrow::Type::EXTENSION) look(*checked_cast<const arrow::ExtensionType&>(type).storage_type());
    for (const auto& field : type.fields()) look(*field->type());
    return deepest + 1;
}

// The same layout with bytes in place of strings, which are not asked to be UTF-8.
TypePtr asBytes(const TypePtr& type) {
    const auto inner = [&](int i) { return type->field(i)->WithType(asBytes(type->field(i)->type())); };
    switch (type->id()) {
        case arrow::Type::STRING: return arrow::binary();
        case arrow::Type::LARGE_STRING: return arrow::large_binary();
        case arrow::Type::STRING_VIEW: return arrow::binary_view();
        case arrow::Type::EXTENSION: return asBytes(checked_cast<const arrow::ExtensionType&>(*type).storage_type());
        case arrow::Type::LIST: return arrow::list(inner(0));
        case arrow::Type::LARGE_LIST: return arrow::large_list(inner(0));
        case arrow::Type::LIST_VIEW: return arrow::list_view(inner(0));
        case arrow::Type::LARGE_LIST_VIEW: return arrow::large_list_view(inner(0));
        case arrow::Type::FIXED_SIZE_LIST: return arrow::fixed_size_list(inner(0), checked_cast<const arrow::FixedSizeListType&>(*type).list_size());
        case arrow::Type::MAP: return std::make_shared<arrow::MapType>(inner(0), checked_cast<const arrow::MapType&>(*type).keys_sorted());
        case arrow::Type::RUN_END_ENCODED: return arrow::run_end_encoded(type->field(0)->type(), asBytes(type->field(1)->type()));
        case arrow::Type::DICTIONARY: {
            const auto& dictionary = checked_cast<const arrow::DictionaryType&>(*type);
            return arrow::dictionary(dictionary.index_type(), asBytes(dictionary.value_type()), dictionary.ordered());
        }
        case arrow::Type::STRUCT:
        case arrow::Type::SPARSE_UNION:
        case arrow::Type::DENSE_UNION: {
            arrow::FieldVector fields;
            for (int i = 0; i < type->num_fields(); ++i) fields.push_back(inner(i));
            if (type->id() == arrow::Type::STRUCT) return arrow::struct_(fields);
            const auto& codes = checked_cast<const arrow::UnionType&>(*type).type_codes();
            return type->id() == arrow::Type::SPARSE_UNION ? arrow::sparse_union(fields, codes) : arrow::dense_union(fields, codes);
        }
        default: return type;
    }
}

void relabel(arrow::ArrayData& data, const TypePtr& type) {
    data.type = type;
    if (type->id() == arrow::Type::DICTIONARY && data.dictionary) {
        data.dictionary = data.dictionary->Copy();
        relabel(*data.dictionary, checked_cast<const arrow::DictionaryType&>(*type).value_type());
    }
    for (size_t i = 0; i < data.child_data.size() && i < static_cast<size_t>(type->num_fields()); ++i) {
        if (!data.child_data[i]) continue;
        data.child_data[i] = data.child_data[i]->Copy();
        relabel(*data.child_data[i], type->field(static_cast<int>(i))->type());
    }
}

}  // namespace

arrow::MemoryPool* cappedPool() {
    static arrow::CappedMemoryPool pool(arrow::default_memory_pool(), kMaxColumnarMemory);
    return &pool;
}

arrow::Status checkSchema(const arrow::Schema& schema) {
    if (schema.num_fields() == 0) return arrow::Status::Invalid("it has no columns");
    for (const auto& field : schema.fields())
        if (depthOf(*field->type(), kMaxColumnarDepth) > kMaxColumnarDepth)
            return arrow::Status::NotImplemented("a column is nested deeper than ", kMaxColumnarDepth, " levels");
    return arrow::Status::OK();
}

arrow::Status checkBatch(const arrow::RecordBatch& batch) {
    for (int i = 0; i < batch.num_columns(); ++i) {
        const DataPtr& data = batch.column_data(i);
        if (data->length != batch.num_rows()) return arrow::Status::Invalid("column ", i, " has ", data->length, " rows, its batch ", batch.num_rows());
        const DataPtr copy = data->Copy();
        relabel(*copy, asBytes(data->type));
        ARROW_RETURN_NOT_OK(arrow::internal::ValidateArray(*copy));
        ARROW_RETURN_NOT_OK(arrow::internal::ValidateArrayFull(*copy));
    }
    return arrow::Status::OK();
}

}  // namespace assay::data
