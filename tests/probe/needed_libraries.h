#pragma once
// The DT_NEEDED entries of a 64-bit ELF file.
#include <elf.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace assay::testing {

inline std::vector<std::string> neededLibraries(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    auto read = [&](auto& out, uint64_t offset) {
        file.seekg(static_cast<std::streamoff>(offset));
        return static_cast<bool>(file.read(reinterpret_cast<char*>(&out), sizeof out));
    };
    Elf64_Ehdr header{};
    if (!read(header, 0) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return {};
    std::vector<Elf64_Phdr> segments(header.e_phnum);
    for (size_t i = 0; i < segments.size(); ++i)
        if (!read(segments[i], header.e_phoff + i * header.e_phentsize)) return {};
    auto offsetOf = [&](uint64_t address) -> uint64_t {
        for (const auto& segment : segments)
            if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
                address < segment.p_vaddr + segment.p_filesz)
                return address - segment.p_vaddr + segment.p_offset;
        return 0;
    };
    std::vector<uint64_t> names;
    uint64_t strings = 0;
    for (const auto& segment : segments) {
        if (segment.p_type != PT_DYNAMIC) continue;
        for (uint64_t at = 0; at < segment.p_filesz; at += sizeof(Elf64_Dyn)) {
            Elf64_Dyn entry{};
            if (!read(entry, segment.p_offset + at) || entry.d_tag == DT_NULL) break;
            if (entry.d_tag == DT_NEEDED) names.push_back(entry.d_un.d_val);
            if (entry.d_tag == DT_STRTAB) strings = offsetOf(entry.d_un.d_ptr);
        }
    }
    std::vector<std::string> libraries;
    for (uint64_t name : names) {
        file.seekg(static_cast<std::streamoff>(strings + name));
        std::string text;
        std::getline(file, text, '\0');
        libraries.push_back(text);
    }
    return libraries;
}

}  // namespace assay::testing
