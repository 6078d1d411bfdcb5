#include "tokenizer/added_tokens.h"

#include <algorithm>

#include "tokenizer/unicode.h"

namespace assay::data {

void AddedTokenMatcher::add(std::string_view content, const AddedToken& token) {
    if (content.empty()) return;
    starts_[static_cast<unsigned char>(content[0])] = true;
    uint32_t node = 0;
    for (char c : content) {
        const auto byte = static_cast<unsigned char>(c);
        auto& next = nodes_[node].next;
        auto found = std::find_if(next.begin(), next.end(), [&](const auto& n) { return n.first == byte; });
        if (found != next.end()) {
            node = found->second;
        } else {
            const auto fresh = static_cast<uint32_t>(nodes_.size());
            next.emplace_back(byte, fresh);
            nodes_.emplace_back();
            node = fresh;
        }
    }
    if (nodes_[node].token < 0) nodes_[node].token = static_cast<int32_t>(tokens_.size());
    tokens_.push_back(token);
}

void AddedTokenMatcher::cut(std::string_view text, bool parseSpecial, std::vector<Part>& parts, const Plain& plain) const {
    size_t done = 0;
    for (size_t at = 0; at < text.size() && !tokens_.empty();) {
        if (!starts_[static_cast<unsigned char>(text[at])]) {
            ++at;
            continue;
        }
        int32_t best = -1;
        size_t bestEnd = at;
        uint32_t node = 0;
        for (size_t i = at; i < text.size(); ++i) {
            const auto& next = nodes_[node].next;
            const auto byte = static_cast<unsigned char>(text[i]);
            auto found = std::find_if(next.begin(), next.end(), [&](const auto& n) { return n.first == byte; });
            if (found == next.end()) break;
            node = found->second;
            if (nodes_[node].token >= 0) {
                best = nodes_[node].token;
                bestEnd = i + 1;
            }
        }
        if (best < 0) {
            ++at;
            continue;
        }
        const AddedToken& token = tokens_[static_cast<size_t>(best)];
        size_t begin = at, end = bestEnd;
        at = bestEnd;
        if (token.special && (!parseSpecial || (plain && plain(begin, end)))) continue;
        if (token.singleWord) {
            const bool before = begin > 0 && (charClass(codePointBefore(text, begin).value) & kWord);
            const bool after = end < text.size() && (charClass(codePointAt(text, end).value) & kWord);
            if (before || after) continue;
        }
        while (token.stripLeft && begin > done) {
            const CodePoint c = codePointBefore(text, begin);
            if (!(charClass(c.value) & kSpace)) break;
            begin -= c.bytes;
        }
        while (token.stripRight && end < text.size()) {
            const CodePoint c = codePointAt(text, end);
            if (!(charClass(c.value) & kSpace)) break;
            end += c.bytes;
        }
        if (begin > done) parts.push_back({done, begin, -1});
        parts.push_back({std::max(begin, done), std::max(end, done), token.id});
        done = std::max(end, done);
    }
    if (done < text.size()) parts.push_back({done, text.size(), -1});
}

}  // namespace assay::data
