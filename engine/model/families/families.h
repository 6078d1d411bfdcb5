#pragma once
// One function per family file; families.cpp lists them.
#include "assay/model/config.h"

namespace assay::model {

Family gpt2Family();
Family llamaFamily();
Family mixtralFamily();
std::string familyNames();  // "gpt2, llama", for messages
std::string modelTypeOf(const Json& config);  // of config.json: model_type, else what "architectures" implies; empty: unknown
const Family::Alias* aliasOf(const Family& family, std::string_view modelType);

}  // namespace assay::model
