#include "node.h"

namespace assay::config {
namespace {

// Length of the UTF-8 sequence at `at` (Unicode 15, table 3-7: no overlong forms, no surrogates), 0 when malformed.
size_t sequenceLength(std::string_view text, size_t at) {
    auto byte = [&](size_t i) { return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u; };
    auto tail = [&](size_t i) { return (byte(i) & 0xC0) == 0x80; };
    const unsigned b = byte(0);
    if (b < 0x80) return 1;
    if (b >= 0xC2 && b <= 0xDF) return tail(1) ? 2 : 0;
    if (b >= 0xE0 && b <= 0xEF) {
        if (!tail(1) || !tail(2) || (b == 0xE0 && byte(1) < 0xA0) || (b == 0xED && byte(1) > 0x9F)) return 0;
        return 3;
    }
    if (b >= 0xF0 && b <= 0xF4) {
        if (!tail(1) || !tail(2) || !tail(3) || (b == 0xF0 && byte(1) < 0x90) || (b == 0xF4 && byte(1) > 0x8F)) return 0;
        return 4;
    }
    return 0;
}

std::string hexByte(unsigned char c) {
    constexpr char kDigits[] = "0123456789abcdef";
    return {'0', 'x', kDigits[c >> 4], kDigits[c & 15]};
}

}  // namespace

bool checkText(std::string_view text, const Source* source, Context& context, std::string& clean, size_t maxBytes) {
    if (text.size() > maxBytes) {
        context.problem({1, 1}, source, "", "the file is larger than " + std::to_string(maxBytes >> 20) + " MiB",
                        "an experiment file holds settings; keep data in files of its own and name their paths");
        return false;
    }
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
        context.problem({1, 1}, source, "", "the file is UTF-16, not UTF-8", "save it as UTF-8");
        return false;
    }
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    clean.clear();
    clean.reserve(text.size() + 1);
    Mark mark{1, 1};
    bool indentation = true, usable = true;
    std::vector<Mark> tabs;
    for (size_t i = 0; i < text.size();) {
        const unsigned char c = static_cast<unsigned char>(text[i]);
        const size_t length = sequenceLength(text, i);
        if (length == 0) {
            context.problem(mark, source, "", "byte " + hexByte(c) + " is not UTF-8", "save the file as UTF-8");
            return false;
        }
        if (c == '\r' || c == '\n') {
            i += c == '\r' && i + 1 < text.size() && text[i + 1] == '\n' ? 2 : 1;
            clean += '\n';
            mark = {mark.line + 1, 1};
            indentation = true;
            tabs.clear();
            continue;
        }
        if (c == '\t') {
            if (indentation) tabs.push_back(mark);
        } else if (c < 0x20 || c == 0x7F) {
            context.problem(mark, source, "", c == 0 ? "the file contains a NUL byte" : "control character " + hexByte(c),
                            c == 0 ? "this is not a text file" : "remove it, or write it as an escape in double quotes");
            return false;
        } else if (c != ' ' && indentation) {
            indentation = false;
            if (!tabs.empty() && c != '#') {
                context.problem(tabs[0], source, "", "a tab is used for indentation", "use spaces");
                usable = false;
            }
        }
        clean.append(text.substr(i, length));
        i += length;
        ++mark.column;
    }
    return usable;
}

}  // namespace assay::config
