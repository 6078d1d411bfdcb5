#include "train_step.h"

namespace assay::plan {

// Head and loss in chunks of rows; both gradients are made here.
void Step::loss() {
    const int64_t scored = R;  // nearly every position has a label
    const int64_t most = std::clamp<int64_t>((s.device ? kDeviceLossChunk : kLossChunk) / std::max<int64_t>(c.vocab, 1), 32, 4096), chunks = (scored + most - 1) / most;
    const int64_t chunk = chunks > 0 ? (scored + chunks - 1) / chunks : 0;
    tape.add(Tape::kOther, R + R * kLong);
    keep(H);  // the scored rows
    keep(H);  // their gradient
    tape.add(c.tieEmbeddings && !hasGradients ? Tape::kGradients : A, c.vocab * c.hidden * element);
    int64_t logits = chunk * c.vocab * (narrow ? kHalf + kFloat : kFloat);
    if (s.device) {  // as they come from the product, widened, and their softmax; a narrow copy of the head's weight
        logits = chunk * c.vocab * (2 * kFloat + (inner == kHalf ? kHalf : 0));
        if (mixed) logits += c.vocab * c.hidden * kHalf;
    }
    tape.add(Tape::kOther, logits);
    keep(H);  // the gradient with zeros for rows without a label
    tape.drop(Tape::kOther, logits);
    free(2 * H);
    tape.drop(Tape::kOther, R + R * kLong);
}

// With checkpointing the forward pass leaves the input of every group of layers, or everything but what is marked. That it holds
// a group whole while it runs is more than it does, and less than the backward pass does later.
void Step::forwardLayers() {
    for (int64_t first = 0; first < c.layers; first += std::max<int64_t>(together, 1)) {
        const int64_t before = tape.live(A);
        for (int64_t l = first; l < std::min(first + std::max<int64_t>(together, 1), c.layers); ++l) layerForward();
        if (together > 0) free(tape.live(A) - before - H);
        free(marked);
        marked = 0;
        if (!offload) continue;
        // What the layer before kept has left by now; the last layer's stays.
        free(layerKept);
        offloaded += layerKept;
        layerKept = tape.live(A) - before + layerKept;
    }
}

void Step::backwardLayers() {
    const int64_t size = std::max<int64_t>(together, 1);
    for (int64_t last = c.layers; last > 0;) {
        const int64_t first = (last - 1) / size * size;
        if (together > 0) {
            for (int64_t l = first; l < last; ++l) layerForward();
            free(H);  // the group's result is not needed
        }
        for (; last > first; --last) {
            if (offload && last > 1) keep(layerKept);  // what the layer before it kept comes back meanwhile
            layerBackward();
        }
    }
    layerKept = 0;
}

void Step::run() {
    const int64_t table = c.vocab * c.hidden, before = tape.total();
    offloaded = layerKept = 0;
    tape.phase("forward");
    tape.add(Tape::kOther, constants());
    tape.brief(Tape::kOther, masked * 2);
    keep(H);  // embedded tokens
    if (gpt2()) brief(H);
    dropoutForward();
    forwardLayers();
    if (gpt2() || fusedNorm()) {
        keep(H + finalStatistics());
    } else {
        brief(H);
        keep(H + R * element);
    }
    saved = tape.live(A) + offloaded;
    tape.phase("loss");
    loss();
    free(H);  // the hidden states themselves: the loss is done with them
    tape.phase("backward");
    if (!c.tieEmbeddings) {  // the head has its gradient now
        free(table * element);
        gradient(table);
    }
    if (fusedNorm()) {
        fusedNormBackward();
    } else if (gpt2()) {
        keep(H);
        free(2 * H + finalStatistics());
        gradient(2 * c.hidden);
    } else {
        rmsBackward();
    }
    backwardLayers();
    dropoutBackward();
    if (gpt2()) gradient(c.context * c.hidden);
    if (!c.tieEmbeddings) gradient(table);
    else if (hasGradients) free(table * element);  // the head's, to which the lookup's rows were added
    free(H);
    tape.drop(Tape::kOther, constants());
    balanced = tape.live(A) == 0 && (hasGradients ? tape.total() == before : true);
    hasGradients = true;
}

Memory trainMemory(const model::ModelConfig& config, const TrainShape& shape) {
    Memory out;
    const StaticBytes held = staticBytes(config, shape);
    const int64_t parameters = parameterTotals(config).elements * kFloat;
    out.weights = held.weights;
    out.gradients = held.gradients;
    out.optimizer = held.optimizer;
    Tape tape;
    tape.add(Tape::kWeights, held.weights);
    tape.add(Tape::kOptimizer, held.optimizer);
    const bool buckets = shape.ranks > 1;  // they are there from the start; what a backward pass makes goes into them at once
    if (buckets) tape.add(Tape::kGradients, held.gradients);
    // Gradients and copies for a checkpoint outlive the step that made them; those of the last step are freed when the
    // next one begins.
    const bool narrow = held.weights < parameters, summed = narrow && shape.accumulation > 1 && !buckets;
    Step step{config, shape, tape};
    step.hasGradients = buckets;
    auto batches = [&] {
        for (int64_t m = 0; m < std::min<int64_t>(shape.accumulation, 2); ++m) {
            step.run();
            if (!summed) continue;  // else the parts are added in fp32 and freed one by one
            if (m == 0) tape.add(Tape::kGradients, held.gradients);
            tape.drop(Tape::kGradients, held.weights);
            step.hasGradients = false;
        }
    };
    batches();
    ASSAY_CHECK(step.balanced, "the plan of a training step frees what it allocates");
    ASSAY_CHECK(tape.live(Tape::kGradients) == held.gradients, "the plan of a training step makes every gradient once");
    out.saved = step.saved;
    out.offloaded = step.offloaded;
    tape.phase("update");
    tape.brief(Tape::kOther, updateBytes(config, shape));
    if (held.exchange > 0) {
        tape.phase("gradient exchange");
        tape.brief(Tape::kOther, held.exchange);
    }
    if (shape.saves) {
        tape.phase("checkpoint");
        TrainShape unsharded = shape;  // rank 0 brings the state of all ranks together
        unsharded.ranks = 1;
        tape.add(Tape::kOther, held.weights + staticBytes(config, unsharded).optimizer);
        if (shape.savesMeanwhile) {
            if (!buckets) tape.drop(Tape::kGradients, held.gradients);
            step.hasGradients = buckets;
            batches();
        }
    }
    out.peak = tape.peak();
    out.moment = std::string(tape.peakPhase());
    // Weights, gradients and moments are counted whole: what activations take while gradients are not there yet is theirs.
    const int64_t rest = out.peak - out.weights - out.gradients - out.optimizer;
    out.other = std::clamp<int64_t>(tape.atPeak()[Tape::kOther], 0, rest);
    out.activations = rest - out.other;
    return out;
}

}  // namespace assay::plan
