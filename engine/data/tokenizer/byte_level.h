#pragma once
// GPT-2's alphabet: every byte written as one printable character, so that a vocabulary is valid text (Radford et al.
// 2019). Printable Latin-1 bytes stand for themselves, the other 68 for U+0100 onwards in order.
#include <optional>
#include <string>
#include <string_view>

namespace assay::data {

std::string_view byteChar(unsigned char byte);                 // UTF-8 of the character that stands for the byte
int byteOf(char32_t c);                                        // -1: not in the alphabet
std::string toByteChars(std::string_view bytes);
std::optional<std::string> fromByteChars(std::string_view t);  // nothing when a character is not in the alphabet

}  // namespace assay::data
