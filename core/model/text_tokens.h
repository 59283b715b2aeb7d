#pragma once
// The tokens of the text that a model is run on, by the text's name: a file, or one of those that are made.

#include "core/model/model.h"

#include <cstdint>
#include <string>
#include <vector>

namespace attnscope {

/// What a model is tried on that brings no text: so many tokens, or a few more, of stories (generated_text.h); for
/// networks of the lab recall of fillers, drawn evenly, or of N/2 random tokens that come again and again. Errors:
/// Unavailable (no tokeniser), those of the tokeniser.
Result<std::vector<int>> generatedTokens(const Model& model, double tokens);

inline constexpr const char* repeatedTokensName = "repeated";  ///< in place of a text's file
inline constexpr std::int64_t repeatedBlock = 256;             ///< of these, unless something else is asked for
/// Ids for a model without a text: `block` random ones (no begin or mask token among them, and none twice while there
/// are enough), again and again up to `count`. What comes twice can be predicted by a head that looks back to its first
/// time. Every `row` of a seed has ids of its own.
std::vector<int> repeatedTokens(const Architecture& architecture, std::int64_t block, std::int64_t count,
                                std::uint64_t seed, std::uint64_t row = 0);

/// Those of "generated", of "repeated", both so many or a few more, or of a file, all. Errors: Unavailable (no
/// tokeniser), DataError (an empty file, what its tokeniser cannot read), those of reading.
Result<std::vector<int>> namedTokens(const Model& model, const std::string& text, double tokens);

}  // namespace attnscope
