// language_probe: the language of each line of standard input, one code a line.
#include "prepare/language.h"

#include <iostream>
#include <string>

int main() {
    std::ios::sync_with_stdio(false);
    for (std::string line; std::getline(std::cin, line);) std::cout << assay::data::languageCode(assay::data::identifyLanguage(line).language) << '\n';
}
