#pragma once
// A mixture of sources by weight. One epoch has as many tokens as all sources together; of these each source gives its
// share of the weights. A source with too few tokens for its share is read several times: whole passes in the order of its
// file, then a part. The part, like that of a source with too many, is taken in a pseudo-random order that depends on
// nothing but the source's number and size, and ends where the share is met best. Equal weights are no mixture: every
// document once.
#include <assay/core/json.h>

#include <functional>

#include "prepare/part_writer.h"
#include "prepare/spill.h"

namespace assay::data {

class Mixture {
public:
    Mixture(const std::string& folder, std::vector<double> weights);
    Result<void> add(size_t source, const int32_t* ids, const uint8_t* mask, size_t n, int64_t line);
    struct Share {
        int64_t tokensIn = 0, tokens = 0;        // of the source; in one epoch
        int64_t documents = 0, documentsOut = 0; // of the source; times that one of them stands in an epoch
        int64_t leftOut = 0;                     // documents of it that an epoch is without
    };
    // Into the writer; what each source gave.
    Result<std::vector<Share>> emit(PartWriter& out, const std::function<bool()>& stopped);

private:
    struct Source {
        explicit Source(const std::string& folder) : ids(folder), mask(folder), ends(folder), lines(folder) {}
        double weight = 1;
        bool masked = false;
        SpillArray<int32_t> ids;
        SpillArray<uint8_t> mask;
        SpillArray<uint64_t> ends;
        SpillArray<int64_t> lines;
    };
    Result<void> put(Source& source, size_t document, PartWriter& out, Share& share);
    std::vector<Source> sources_;
};

}  // namespace assay::data
