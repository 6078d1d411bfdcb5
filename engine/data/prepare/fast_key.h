#pragma once
// The short way to prepared data that is there: a declaration and files that are the same ones (device, inode, size, times)
// mean the same key, so that neither the tokenizer nor the data need be opened. Kept in `<cache>/data/declared.json`; losing
// it costs only time.
#include <assay/config/spec.h>
#include <assay/data/prepare.h>

namespace assay::data {

// What the declaration and its files are now; empty: a file is missing or changed too lately to be told apart by its times.
std::string fastKey(const config::DataSpec& spec, const PrepareOptions& options);
std::string rememberedKey(const std::string& folder, const std::string& fastKey);  // empty: none
void rememberKey(const std::string& folder, const std::string& fastKey, const std::string& key);

}  // namespace assay::data
