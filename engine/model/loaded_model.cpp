#include "loaded_model.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "assay/model/gguf.h"
#include "checked.h"

namespace assay::model {
namespace {

constexpr int64_t kChunk = 1 << 18;  // elements a thread takes at a time: some hundred µs of work

// Row of the file that holds row `row` of the Hugging Face matrix. Converters to GGUF interleave the two halves of every
// head (row j and j + headDim/2 become 2j and 2j + 1), for the pairing of rotary positions that ggml uses.
int64_t storedRow(int64_t row, int64_t headDim) {
    const int64_t head = row / headDim, inside = row % headDim, half = headDim / 2;
    return head * headDim + 2 * (inside % half) + inside / half;
}

}  // namespace

LoadedModel::LoadedModel(Parts parts) : parts_(std::move(parts)) {
    index_.reserve(parts_.tensors.size());
    for (size_t i = 0; i < parts_.tensors.size(); ++i) index_.emplace(parts_.tensors[i].name, i);
}

const TensorView* LoadedModel::find(std::string_view name) const {
    auto it = index_.find(name);
    return it == index_.end() ? nullptr : &parts_.tensors[it->second];
}

Result<void> LoadedModel::readF32(const TensorView& tensor, float* out, int threads) const {
    const BlockSize block = blockSizeOf(tensor.type);
    const int64_t total = elementsOf(tensor.shape);
    if (total == 0) return {};
    const int64_t rows = tensor.shape.empty() ? 1 : tensor.shape[0], columns = total / rows;
    const int64_t rowBytes = columns / block.elements * block.bytes;
    const int64_t rowsPerChunk = std::max<int64_t>(1, kChunk / columns), chunks = (rows + rowsPerChunk - 1) / rowsPerChunk;

    std::atomic<int64_t> next{0};
    std::mutex mutex;
    Result<void> outcome;
    auto work = [&] {
        for (int64_t chunk; (chunk = next++) < chunks;) {
            const int64_t first = chunk * rowsPerChunk, last = std::min(rows, first + rowsPerChunk);
            Result<void> done;
            if (!tensor.permutedRows) {
                done = toF32(tensor.type, tensor.bytes.data() + first * rowBytes, (last - first) * columns, out + first * columns);
            } else {
                for (int64_t row = first; row < last && done; ++row)
                    done = toF32(tensor.type, tensor.bytes.data() + storedRow(row, parts_.config.headDim) * rowBytes, columns, out + row * columns);
            }
            if (!done) {
                std::lock_guard lock(mutex);
                outcome = std::move(done);
                next = chunks;
            }
        }
    };
    const int64_t workers = std::min<int64_t>(std::clamp(threads, 1, 256), chunks);
    std::vector<std::jthread> pool;
    for (int64_t i = 1; i < workers; ++i) pool.emplace_back(work);
    work();
    pool.clear();
    if (!outcome) return fail(std::move(outcome.error()).with(parts_.path + ": tensor " + tensor.name));
    return outcome;
}

}  // namespace assay::model
