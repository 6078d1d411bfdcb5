#pragma once
// One function per family file; families.cpp lists them.
#include "assay/model/config.h"

namespace assay::model {

Family gpt2Family();
Family llamaFamily();
std::string familyNames();  // "gpt2, llama", for messages

}  // namespace assay::model
