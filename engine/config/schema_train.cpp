#include "schema_table.h"

namespace assay::config {

using enum KeyType;
static const KeyInfo kTrainRows[] = {
    {"train", kGroup, L("Training"), "", "", "", "", false, L("How the model is trained."), "", "{steps: 300}"},
    {"train.steps", kInteger, L("Steps"), "", "", "100 – 10,000", "", false, L("Optimizer steps; give steps or epochs.")},
    {"train.epochs", kNumber, L("Epochs"), "", "", "1 – 5", "", false, L("How often the training data is seen; give steps or epochs.")},
    {"train.global_batch", kInteger, L("Global batch"), L("sequences"), "8", "8 – 512", "", false, L("Sequences of one optimizer step, over all processes.")},
    {"train.micro_batch", kInteger, L("Micro batch"), L("sequences"), "auto", "1 – 32", "auto", false,
     L("Sequences that are computed at once; smaller saves memory, the rest is accumulated.")},
    {"train.optimizer", kGroup, L("Optimizer"), "", "", "", "", false, L("How gradients change the weights."), "name"},
    {"train.optimizer.name", kChoice, L("Optimizer"), "", "adamw", "", "adamw|adam|sgd|adafactor|lion|muon", true, L("Algorithm that changes the weights.")},
    {"train.optimizer.lr", kNumber, L("Learning rate"), "", "1e-3", "1e-5 – 4e-3", "", false, L("Size of a step after the warm-up: too large diverges, too small learns slowly.")},
    {"train.optimizer.betas", kTexts, L("Betas"), "", "[0.9, 0.95]", "0.9, 0.95 – 0.999", "", true, L("Decay of the running means of gradient and squared gradient.")},
    {"train.optimizer.eps", kNumber, L("Epsilon"), "", "1e-8", "1e-8 – 1e-6", "", true, L("Keeps the division by small squared gradients finite.")},
    {"train.optimizer.weight_decay", kNumber, L("Weight decay"), "", "0.1", "0 – 0.1", "", true, L("Pulls weights to zero, apart from the gradient.")},
    {"train.schedule", kGroup, L("Schedule"), "", "", "", "", true, L("How the learning rate goes over the run."), "name"},
    {"train.schedule.name", kChoice, L("Schedule"), "", "cosine", "", "constant|linear|cosine|wsd", true, L("Shape of the learning rate after the warm-up.")},
    {"train.schedule.warmup", kInteger, L("Warm-up"), L("steps"), "0", L("1 – 5 % of the steps"), "", true, L("Steps over which the learning rate rises from zero.")},
    {"train.schedule.min_lr", kNumber, L("Final learning rate"), "", "0", L("a tenth of the learning rate"), "", true, L("Where the schedule ends.")},
    {"train.clip_norm", kNumber, L("Clip norm"), "", "1", "0.5 – 2", "", true, L("Gradients longer than this are shortened; 0 turns it off.")},
    {"train.precision", kChoice, L("Precision"), "", "fp32", "", "fp32|bf16|{amp: bf16}|{amp: fp16}", false,
     L("Number format of the computation; amp keeps the weights in fp32.")},
    {"train.precision.amp", kChoice, L("Mixed precision"), "", "", "", "bf16|fp16", true, L("Format of the matrix products.")},
    {"train.precision.scaler", kGroup, L("Loss scaling"), "", "", "", "", true, L("Keeps small gradients of fp16 from becoming zero.")},
    {"train.precision.scaler.init", kNumber, L("First loss scale"), "", "65536", "", "", true, L("What the loss is multiplied by at first.")},
    {"train.precision.scaler.growth", kNumber, L("Growth"), "", "2", "", "", true, L("Factor after many good steps.")},
    {"train.precision.scaler.backoff", kNumber, L("Back-off"), "", "0.5", "", "", true, L("Factor after a step that overflowed.")},
    {"train.precision.scaler.interval", kInteger, L("Growth interval"), L("steps"), "2000", "", "", true, L("Good steps before the scale grows.")},
    {"train.activation_checkpointing", kChoice, L("Activation checkpointing"), "", "none", "", "none|full|selective|offload|{every: 2}", false,
     L("Computes activations again in the backward pass: less memory, about a third more time.")},
    {"train.activation_checkpointing.every", kInteger, L("Checkpoint every"), L("layers"), "", "1 – 4", "", true, L("Keeps the activations of every n-th layer.")},
    {"train.on_nonfinite", kChoice, L("When the loss is not finite"), "", "stop", "", "stop|skip|rollback", true, L("Stops, leaves the step out, or goes back to the last checkpoint.")},
    {"train.early_stop", kGroup, L("Stop early"), "", "", "", "", true, L("Ends the run when a metric no longer falls."), "", "{metric: eval/loss, patience: 3}"},
    {"train.early_stop.metric", kText, L("Metric"), "", "eval/loss", "", "", true, L("What must fall.")},
    {"train.early_stop.patience", kInteger, L("Patience"), L("evaluations"), "3", "2 – 10", "", true, L("Evaluations without a new minimum before the run ends.")},
    {"train.checkpoint", kGroup, L("Checkpoints"), "", "", "", "", true, L("When the state is saved.")},
    {"train.checkpoint.every", kInteger, L("Checkpoint every"), L("steps"), "0", "100 – 1,000", "", true, L("0 saves at the end only.")},
    {"train.checkpoint.keep", kInteger, L("Checkpoints kept"), "", "2", "1 – 5", "", true, L("Older ones are deleted.")},
    {"train.checkpoint.background", kBoolean, L("Save in the background"), "", "true", "", "", true, L("Training goes on while a checkpoint is written.")},
    {"train.eval_every", kInteger, L("Evaluate every"), L("steps"), "0", "50 – 500", "", true, L("0 evaluates at the end only.")},
    {"train.parallel", kGroup, L("Parallel"), "", "", "", "", true, L("How the work is split over processes.")},
    {"train.parallel.data", kInteger, L("Data parallel"), L("processes"), "1", "1 – 64", "", true, L("Processes that hold the whole model and share the batch.")},
    {"train.parallel.zero", kInteger, L("ZeRO stage"), "", "0", "0 – 3", "", true, L("What the data-parallel processes share: 1 optimizer state, 2 gradients too, 3 weights too.")},
    {"train.parallel.tensor", kInteger, L("Tensor parallel"), L("processes"), "1", "1 – 8", "", true, L("Processes that share each matrix.")},
    {"train.parallel.sequence", kBoolean, L("Sequence parallel"), "", "false", "", "", true, L("Splits the activations between tensor-parallel processes too.")},
    {"train.parallel.pipeline", kInteger, L("Pipeline stages"), L("processes"), "1", "1 – 16", "", true, L("Processes that hold consecutive layers.")},
    {"train.parallel.schedule", kChoice, L("Pipeline schedule"), "", "1f1b", "", "gpipe|1f1b|interleaved", true, L("Order of micro-batches in the pipeline.")},
    {"train.parallel.expert", kInteger, L("Expert parallel"), L("processes"), "1", "1 – 64", "", true, L("Processes that share the experts of a mixture model.")},
    {"train.parallel.context", kInteger, L("Context parallel"), L("processes"), "1", "1 – 16", "", true, L("Processes that share each sequence.")},
    {"train.launcher", kChoice, L("Launcher"), "", "local", "", "local|slurm|torchrun", true, L("What starts the processes; {ssh: [hosts]} uses other machines.")},
    {"train.launcher.ssh", kTexts, L("Hosts"), "", "", "", "", true, L("Machines that take part.")},
};

std::span<const KeyInfo> trainRows() { return kTrainRows; }

}  // namespace assay::config
