#pragma once
// What a head is for, as the means over its rows of the weight at a few keys that its position or its token names. With
// p the weights of a row at position t, renormalised to sum 1:
//
//   first      p_0
//   sinks      p_0 + .. + p_3                          (attention sinks: Xiao et al. 2023, StreamingLLM)
//   previous   p_(t-1)                                 (previous-token heads: Voita et al. 2019)
//   itself     p_t
//   near       sum of p_j with |t - j| < 8
//   induction  p_(j+1), j <= t - 2 the last place before t with the token of t (Olsson et al. 2022): on repeated tokens
//              1 for a head that copies what came next
//   reach      |t - argmax p|, tokens
//   spread     e^H / keys seen: 1 for uniform rows; the geometric mean, as that of e^H is (statistics/measures.h)
//   gap        max z - min z, nats: no weight is above e^gap / keys seen       (lemma 2.1: Velickovic et al. 2024)
//
// Where queries are of another sequence than keys, what t names is absent, and so is induction without tokens. A row
// that sees no key, or gives them no weight, counts nowhere; one without a key at t - 1, or whose token is new, does
// not count for that role. A key that is named and hidden by the mask has weight 0.

#include "core/attention/attention_head.h"
#include "core/attention/row_summary.h"
#include "core/base/choice.h"

#include <array>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace attnscope {

enum class HeadRole : std::size_t { First, Sinks, Previous, Itself, Near, Induction, Reach, Spread, Gap };
inline constexpr std::size_t headRoleCount = 9;
inline constexpr std::int64_t nearTokens = 8;  ///< of HeadRole::Near

/// A number a role; NaN where no row has one.
struct HeadRoles {
    std::array<double, headRoleCount> values = unknown();
    double operator[](HeadRole role) const { return values[static_cast<std::size_t>(role)]; }

    static constexpr std::array<double, headRoleCount> unknown()
    {
        std::array<double, headRoleCount> all{};
        for (double& value : all)
            value = std::numeric_limits<double>::quiet_NaN();
        return all;
    }
};

/// `rows` are those of the head from `firstRow` on, `scale` is theirs, `tokens` the ids of its keys, or empty. Errors:
/// UnknownName (the normaliser).
Result<HeadRoles> rolesOf(const AttentionHead& head, const Choice& normaliser, std::span<const RowSummary> rows,
                          std::span<const double> scale, std::int64_t firstRow, std::span<const int> tokens);

/// Means over those that have a value.
HeadRoles meanRoles(std::span<const HeadRoles> each);

/// Equal labels, equal ids.
std::vector<int> idsOfLabels(std::span<const std::string> labels);

}  // namespace attnscope
