#pragma once
// Tokens that are found in the text itself, before the model sees it.
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::data {

struct AddedToken {
    int32_t id = -1;
    std::string content;
    bool special = false, normalized = false, singleWord = false, stripLeft = false, stripRight = false;
};

// Leftmost-longest matcher over one set of added tokens.
class AddedTokenMatcher {
public:
    struct Part {
        size_t begin, end;
        int32_t id;  // -1: plain text
    };
    void add(std::string_view content, const AddedToken& token);
    bool empty() const { return tokens_.empty(); }
    // Cuts the text; special tokens are left as plain text unless `parseSpecial`, and where `plain` says so even then.
    // `plain(begin, end)`: whether that stretch of the text holds bytes in which no token is looked for.
    using Plain = std::function<bool(size_t begin, size_t end)>;
    void cut(std::string_view text, bool parseSpecial, std::vector<Part>& parts, const Plain& plain = {}) const;

private:
    struct Node {
        int32_t token = -1;
        std::vector<std::pair<unsigned char, uint32_t>> next;
    };
    std::vector<AddedToken> tokens_;
    std::vector<Node> nodes_{1};
    std::array<bool, 256> starts_{};
};

}  // namespace assay::data
