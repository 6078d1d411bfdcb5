#pragma once
#include "assay/train/optimizer.h"

namespace assay::train {

std::unique_ptr<UpdateRule> makeAdamW(const config::OptimizerSpec& spec);
std::unique_ptr<UpdateRule> makeAdam(const config::OptimizerSpec& spec);
std::unique_ptr<UpdateRule> makeSgd(const config::OptimizerSpec& spec);
std::unique_ptr<UpdateRule> makeLion(const config::OptimizerSpec& spec);
std::unique_ptr<UpdateRule> makeAdafactor(const config::OptimizerSpec& spec);
std::unique_ptr<UpdateRule> makeAdamW8bit(const config::OptimizerSpec& spec);

// A zeroed state tensor without a gradient of its own.
at::Tensor makeState(const std::vector<int64_t>& shape, at::ScalarType type, at::Device device);

// The kernels of this folder read the host's memory. These do the same by ATen's operations, for tensors on any device.
void roundStochastically(const at::Tensor& wide, at::Tensor narrow, uint64_t key, int64_t place = 0);  // bit-equal to rounding_kernels.h
class EightBitTables {  // the codebooks of eight_bit_kernels.h on a device
public:
    void moveTo(at::Device device);
    at::Tensor decode(const at::Tensor& codes, const at::Tensor& scales, bool withSign) const;  // fp32, of the codes' shape
    void encode(const at::Tensor& values, at::Tensor codes, at::Tensor scales, bool withSign) const;

private:
    struct Book {
        at::Tensor levels, middles;
    };
    Book signed_, unsigned_;
};

}  // namespace assay::train
