#include "core/rows/head_role.h"

#include "core/attention/masks.h"
#include "core/attention/normaliser.h"
#include "core/attention/row_logits.h"
#include "core/statistics/measures.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

namespace attnscope {

namespace {

/// For each key the place after the last one before it with its token; -1: there is none, or it is the key itself.
std::vector<std::int64_t> placesAfterTheSame(std::span<const int> tokens)
{
    std::vector<std::int64_t> places(tokens.size(), -1);
    std::map<int, std::int64_t> before;  // the last place of a token, two places back or more
    for (std::size_t t = 0; t < tokens.size(); ++t) {
        if (t >= 2)
            before[tokens[t - 2]] = static_cast<std::int64_t>(t) - 2;
        if (const auto found = before.find(tokens[t]); found != before.end())
            places[t] = found->second + 1;
    }
    return places;
}

class Sums {
public:
    void add(HeadRole role, double value)
    {
        m_sums[static_cast<std::size_t>(role)] += isGeometric(role) ? std::log(value) : value;
        m_counts[static_cast<std::size_t>(role)] += 1;
    }
    HeadRoles means() const
    {
        HeadRoles roles;
        for (std::size_t r = 0; r < headRoleCount; ++r)
            if (m_counts[r] > 0) {
                const double mean = m_sums[r] / m_counts[r];
                roles.values[r] = isGeometric(static_cast<HeadRole>(r)) ? std::exp(mean) : mean;
            }
        return roles;
    }

private:
    static bool isGeometric(HeadRole role) { return role == HeadRole::Spread; }

    std::array<double, headRoleCount> m_sums{}, m_counts{};
};

}  // namespace

Result<HeadRoles> rolesOf(const AttentionHead& head, const Choice& normaliser, std::span<const RowSummary> rows,
                          std::span<const double> scale, std::int64_t firstRow, std::span<const int> tokens)
{
    const Normaliser* weighs = TRY(findRow(normalisers(), normaliser.id, "normaliser"));
    const Parameters parameters(*weighs, normaliser);
    const bool oneSequence = head.queryCount() == head.keyCount || looksAtPositions(head.mask);
    const std::vector<std::int64_t> after =
        std::ssize(tokens) == head.keyCount ? placesAfterTheSame(tokens) : std::vector<std::int64_t>{};
    Sums sums;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const RowSummary& summary = rows[r];
        if (summary.visible == 0 || summary.mass == 0)
            continue;
        const std::int64_t row = firstRow + static_cast<std::int64_t>(r), t = head.position(row);
        const VisibleKeys visible = head.visible(row, head.keyCount);
        const auto weight = [&](std::int64_t key) {
            return visible.sees(key)
                       ? std::min(weighs->weight(logitOf(head, row, key, scale[r]), summary.state, parameters) /
                                      summary.mass,
                                  1.0)
                       : 0.0;
        };
        sums.add(HeadRole::First, weight(0));
        sums.add(HeadRole::Sinks, summary.sinkMass);
        sums.add(HeadRole::Spread, effectiveKeys(summary.entropy) / static_cast<double>(summary.visible));
        sums.add(HeadRole::Gap, summary.logitMax - summary.logitMin);
        if (!oneSequence || t < 0 || t >= head.keyCount)
            continue;
        sums.add(HeadRole::Reach, static_cast<double>(std::abs(t - summary.argmax)));
        double near = 0;
        for (std::int64_t key = std::max<std::int64_t>(0, t - nearTokens + 1);
             key < std::min(head.keyCount, t + nearTokens); ++key) {
            const double of = weight(key);
            near += of;
            if (key == t)
                sums.add(HeadRole::Itself, of);
            else if (key == t - 1)
                sums.add(HeadRole::Previous, of);
        }
        sums.add(HeadRole::Near, std::min(near, 1.0));  // a share, whatever rounding makes of the sum
        if (const std::int64_t next = after.empty() ? -1 : after[static_cast<std::size_t>(t)]; next >= 0)
            sums.add(HeadRole::Induction, weight(next));
    }
    return sums.means();
}

HeadRoles meanRoles(std::span<const HeadRoles> each)
{
    Sums sums;
    for (const HeadRoles& one : each)
        for (std::size_t r = 0; r < headRoleCount; ++r)
            if (std::isfinite(one.values[r]))
                sums.add(static_cast<HeadRole>(r), one.values[r]);
    return sums.means();
}

std::vector<int> idsOfLabels(std::span<const std::string> labels)
{
    std::map<std::string, int> known;
    std::vector<int> ids;
    for (const std::string& label : labels)
        ids.push_back(known.try_emplace(label, static_cast<int>(known.size())).first->second);
    return ids;
}

}  // namespace attnscope
