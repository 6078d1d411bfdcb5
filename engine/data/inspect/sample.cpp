#include <algorithm>

#include "inspect/data_file.h"
#include "prepare/encode.h"

namespace assay::data {

Result<DocumentSample> sampleDocuments(const DataFile& file, const Tokenizer& tokenizer, const EncodeChoice& choice, bool spread, const std::stop_token& stop) {
    const auto& rows = static_cast<const RowsFile&>(file);
    const OpenedSource& source = rows.opened();
    // The caller's tokenizer lives longer than the encoder.
    ASSAY_TRY(const RowEncoder encoder, RowEncoder::create(TokenizerPtr(TokenizerPtr(), &tokenizer), source, {choice.chatTemplate, choice.lossOn}));
    DocumentSample out;
    out.sampled = file.bytes() > kSampleAboveBytes;
    ASSAY_TRY(RowReaderPtr reader, openRows(source.request));
    // Batches at even distances, as many as fill the sample.
    std::vector<RowMark> places;
    if (out.sampled && spread && reader->seekable()) {
        ASSAY_TRY(const RowIndex* index, rows.index());
        const auto blocks = index->marks.size();
        const double wanted = static_cast<double>(kSampleBytes) / static_cast<double>(file.bytes()) * static_cast<double>(blocks);
        const auto n = std::clamp<size_t>(static_cast<size_t>(wanted) + 1, 1, std::max<size_t>(blocks, 1));
        for (size_t i = 0; i < n && blocks > 0; ++i) places.push_back(index->marks[i * blocks / n]);
    }
    size_t next = 0;
    int64_t bytes = 0;
    const BatchSource batches = [&](RowBatch& batch, int64_t& fileBytes) -> Result<bool> {
        if (out.sampled && bytes >= kSampleBytes) return false;
        if (!places.empty()) {
            if (next >= places.size()) return false;
            ASSAY_TRY_VOID(reader->seek(places[next++]));
        }
        ASSAY_TRY(const bool more, reader->next(batch));
        if (!more) return places.empty() ? Result<bool>(false) : Result<bool>(true);
        fileBytes = reader->bytesDone();
        for (size_t i = 0; i < batch.size(); ++i)
            for (size_t c = 0; c < batch.row(i).cells; ++c) bytes += static_cast<int64_t>(batch.cell(i, c).text.size());
        return true;
    };
    const auto take = [&](EncodedRows& rowsHere) -> Result<void> {
        out.rows += rowsHere.rows;
        TokenizedDocuments& docs = out.documents;
        if (!rowsHere.mask.empty() && docs.mask.empty()) docs.mask.resize(docs.ids.size(), 1);
        docs.ids.insert(docs.ids.end(), rowsHere.ids.begin(), rowsHere.ids.end());
        if (!rowsHere.mask.empty()) {
            docs.mask.insert(docs.mask.end(), rowsHere.mask.begin(), rowsHere.mask.end());
        } else if (!docs.mask.empty()) {
            docs.mask.resize(docs.ids.size(), 1);
        }
        const uint64_t base = docs.offsets.back();
        for (const EncodedRows::Document& d : rowsHere.documents) {
            docs.offsets.push_back(base + d.end);
            docs.lines.push_back(d.line);
        }
        return {};
    };
    ASSAY_TRY_VOID(encodeBatches(batches, source.mapping, encoder, 0, [](int64_t) { return uint8_t{kTrain}; }, true, take, stop));
    return out;
}

}  // namespace assay::data
