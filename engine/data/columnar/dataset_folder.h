#pragma once
// Folders that hold datasets, as Hugging Face datasets and its hub lay them out: save_to_disk folders (state.json), dictionaries of
// such (dataset_dict.json), the library's own cache (dataset_info.json beside .arrow files) and downloaded repositories
// (data/train-00000-of-00002.parquet …). Nothing in such a folder is trusted: names lead nowhere outside of it.
// https://huggingface.co/docs/datasets/repository_structure, datasets 5.2 arrow_dataset.py (save_to_disk, load_from_disk).

#include <assay/core/error.h>

#include <cstdint>
#include <string>
#include <vector>

namespace assay::data {

// Files that are read as one: the shards of one split.
struct DatasetPart {
    std::string path;    // opens exactly these files: a file, a folder, or a pattern with one * in its last component
    std::string split;   // "train", "validation", "test", or as the folder names it; empty: not said
    std::string config;  // folder inside the repository, for people; empty: its top
    std::string format;  // hf, parquet, arrow, jsonl, csv, text
    std::vector<std::string> files, indices;
    int64_t bytes = 0;
};

bool isSavedDataset(const std::string& folder);  // made by save_to_disk, or a dictionary of such

// Every part below the folder, by name. Bad state files are errors; a folder without data has none.
Result<std::vector<DatasetPart>> datasetParts(const std::string& folder);
// The one part that the path of a folder means: the only one, else the training split. Otherwise an error that names them.
Result<DatasetPart> chosenPart(const std::string& folder);

bool isPattern(const std::string& path);  // does not exist and has a * in its last component
Result<std::vector<std::string>> matchingFiles(const std::string& pattern);  // by name; none: an error

}  // namespace assay::data
