#pragma once
// Which names belong together: "layer3.q" and "layer3.k" differ in one whole word, a query's for a key's.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

/// A name with one word put in the place of another, and where that word was.
struct Counterpart {
    std::string name;
    std::size_t wordBegin = 0, wordEnd = 0;  ///< in the original
};

/// The names that the keys of these queries could have, the likeliest first; empty if no word of it means queries.
std::vector<Counterpart> keyNames(std::string_view query);

/// The names that the queries of these keys could have.
std::vector<Counterpart> queryNames(std::string_view key);

/// "logits" or "weights" if the last part of the name says so ("blocks.0.attn.hook_pattern": weights), else "".
std::string_view heldBy(std::string_view name);

bool saysPreRope(std::string_view name);

/// The name under which TransformerLens records the same queries once positions are applied: hook_rot_q for hook_q.
/// Empty: there is none.
std::string rotatedName(std::string_view query);

/// The layer that a name speaks of: a number after the word layer(s), block(s), blk or l ("layer3.q", "blocks.0.attn",
/// "l2_q"), or after h and a dot ("h.0.attn"; "h3" is a head). Nothing: no digits of it are a layer's.
std::optional<std::int64_t> layerNamed(std::string_view name);

/// Lower case, ASCII only.
std::string lowered(std::string_view text);

}  // namespace attnscope
