// What the kernels of this folder do, by ATen's operations: for tensors that do not lie in the host's memory.
#include <assay/torch.h>

#include <algorithm>
#include <array>

#include <assay/core/random.h>
#include <assay/nn/device.h>

#include "eight_bit_kernels.h"
#include "optimizers.h"

namespace assay::train {
namespace {

constexpr int64_t kRoundedAtOnce = int64_t{1} << 22;  // 64-bit temporaries: 32 MiB each

at::Tensor shiftedRight(const at::Tensor& x, int64_t bits) {  // as if unsigned
    return x.bitwise_right_shift(bits).bitwise_and_((int64_t{1} << (64 - bits)) - 1);
}

// mixBits of core/random.h; products of int64 wrap as those of uint64 do.
at::Tensor mixed(at::Tensor x) {
    x = x.add(static_cast<int64_t>(0x9E3779B97F4A7C15ull));
    x = x.bitwise_xor(shiftedRight(x, 30)).mul_(static_cast<int64_t>(0xBF58476D1CE4E5B9ull));
    x = x.bitwise_xor(shiftedRight(x, 27)).mul_(static_cast<int64_t>(0x94D049BB133111EBull));
    return x.bitwise_xor(shiftedRight(x, 31));
}

at::Tensor inBlocks(const at::Tensor& values, int64_t blocks) {  // [blocks, 256], filled up with zeros
    const at::Tensor flat = values.flatten();
    return at::constant_pad_nd(flat, {0, blocks * kEightBitBlock - flat.numel()}).view({blocks, kEightBitBlock});
}

}  // namespace

void roundStochastically(const at::Tensor& wide, at::Tensor narrow, uint64_t key, int64_t begin) {
    const at::Tensor from = wide.flatten().view(at::kInt);
    at::Tensor to = narrow.view({narrow.numel()}).view(at::kShort);
    for (int64_t first = 0; first < from.numel(); first += kRoundedAtOnce) {
        const int64_t count = std::min(kRoundedAtOnce, from.numel() - first);
        const at::Tensor bits = from.narrow(0, first, count).to(at::kLong).bitwise_and_(0xFFFFFFFF);
        const at::Tensor place = at::arange(begin + first, begin + first + count, bits.options()).bitwise_xor_(static_cast<int64_t>(key));
        const at::Tensor rounded = mixed(place).bitwise_and_(0xFFFF).add_(bits).bitwise_right_shift_(16);
        const at::Tensor special = bits.bitwise_and(0x7F800000).eq(0x7F800000), nan = special.logical_and(bits.bitwise_and(0x007FFFFF).ne(0));
        const at::Tensor kept = bits.bitwise_right_shift(16).bitwise_or_(nan.to(at::kLong).mul_(0x40));
        to.narrow(0, first, count).copy_(at::where(special, kept, rounded));
    }
}

void EightBitTables::moveTo(at::Device device) {
    if (signed_.levels.defined() && signed_.levels.device() == device) return;
    auto fill = [&](const Codebook& from, Book& to) {
        std::array<float, 256> levels, middles;
        for (size_t i = 0; i < 256; ++i) {
            levels[i] = from.level(static_cast<uint8_t>(i));
            middles[i] = from.middle(static_cast<uint8_t>(i));
        }
        to.levels = nn::toDevice(at::from_blob(levels.data(), {256}, at::kFloat).clone(), device);
        to.middles = nn::toDevice(at::from_blob(middles.data(), {255}, at::kFloat).clone(), device);
    };
    fill(signedCodebook(), signed_);
    fill(unsignedCodebook(), unsigned_);
}

at::Tensor EightBitTables::decode(const at::Tensor& codes, const at::Tensor& scales, bool withSign) const {
    const at::Tensor levels = (withSign ? signed_ : unsigned_).levels.index_select(0, codes.flatten().to(at::kInt));
    return inBlocks(levels, scales.numel()).mul_(scales.unsqueeze(1)).flatten().narrow(0, 0, codes.numel()).view(codes.sizes());
}

void EightBitTables::encode(const at::Tensor& values, at::Tensor codes, at::Tensor scales, bool withSign) const {
    const at::Tensor blocks = inBlocks(values, scales.numel());
    scales.copy_(blocks.abs().amax(1));
    const at::Tensor inverse = at::where(scales.gt(0), scales.reciprocal(), at::zeros_like(scales)).unsqueeze(1);
    // The number of middles below a value is the code of its nearest level.
    at::Tensor code = at::bucketize((blocks * inverse).clamp_(-1, 1), (withSign ? signed_ : unsigned_).middles, /*out_int32=*/true);
    if (!withSign) code = at::where(blocks.gt(0), code.clamp_min(1), code);  // above zero never to zero
    codes.copy_(code.flatten().narrow(0, 0, codes.numel()).view(codes.sizes()));
}

}  // namespace assay::train
