#include <algorithm>

#include "node.h"

namespace assay::config {
namespace {

// Edit distance in which swapping two neighbours counts once (optimal string alignment).
size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
    for (size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
    for (size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
    for (size_t i = 1; i <= a.size(); ++i)
        for (size_t j = 1; j <= b.size(); ++j) {
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[a.size()][b.size()];
}

std::string folded(std::string_view text) {  // case, "-" and "_" do not count
    std::string out;
    for (char c : text)
        if (c != '-' && c != '_' && c != ' ') out += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    return out;
}

}  // namespace

std::string suggestion(std::string_view written, const std::vector<std::string>& known) {
    if (written.size() > 64) return {};
    const std::string wanted = folded(written);
    std::string best;
    size_t bestDistance = SIZE_MAX;
    for (const std::string& word : known) {
        const std::string candidate = folded(word);
        const size_t steps = distance(wanted, candidate);
        if (steps <= std::max<size_t>(1, std::max(wanted.size(), candidate.size()) / 3) && steps < bestDistance) {
            best = word;
            bestDistance = steps;
        }
    }
    return best;
}

std::string didYouMean(std::string_view written, const std::vector<std::string>& known) {
    const std::string word = suggestion(written, known);
    return word.empty() ? word : "did you mean " + word + "?";
}

}  // namespace assay::config
