#include "core/theory/row_lengths.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attnscope {

namespace {

/// Gauss's rule for `first` .. `last`.
std::vector<RowLength> ruleOf(double first, double last)
{
    const double count = last - first + 1, middle = (first + last) / 2;
    if (count == 1)
        return {{middle, 1}};
    const double square = (3 * count * count - 7) / 20, outer = (count * count - 1) / (24 * square);
    std::vector<RowLength> rule{{middle - std::sqrt(square), outer}, {middle + std::sqrt(square), outer}};
    if (count > 2)
        rule.push_back({middle, 1 - 2 * outer});
    return rule;
}

class Rows {
public:
    Rows(double count, const std::function<double(double keys)>& multiplier) : m_count(count), m_multiplier(multiplier)
    {
    }

    void add(double first, double last)
    {
        const double count = last - first + 1, middle = std::floor((first + last) / 2);
        if (m_multiplier && count > 3 && m_lengths.size() < mostLengths) {
            const double low = middle - first + 1, whole = mean(first, last) * count,
                         halves = mean(first, middle) * low + mean(middle + 1, last) * (count - low);
            if (std::abs(whole - halves) > 1e-5 * std::abs(whole)) {
                add(middle + 1, last);
                add(first, middle);
                return;
            }
        }
        for (const RowLength& length : ruleOf(first, last))
            m_lengths.push_back({length.keys, length.share * count / m_count});
    }

    std::vector<RowLength> take() { return std::move(m_lengths); }

private:
    static constexpr std::size_t mostLengths = 256;

    double mean(double first, double last) const
    {
        double sum = 0;
        for (const RowLength& length : ruleOf(first, last))
            sum += length.share * m_multiplier(length.keys);
        return sum;
    }

    double m_count;
    const std::function<double(double keys)>& m_multiplier;
    std::vector<RowLength> m_lengths;
};

}  // namespace

std::vector<RowLength> rowLengths(double first, double last, double from,
                                  const std::function<double(double keys)>& multiplier)
{
    Rows rows(last - first + 1, multiplier);
    const bool together = last <= 2 * first;
    for (double end = last; end >= first;) {
        const double half = std::exp2(std::ceil(std::log2(end)) - 1);  // the largest power of two below
        double begin = together ? first : std::max(first, std::min(half + 1, end));
        if (from > begin && from <= end)
            begin = from;
        rows.add(begin, end);
        end = begin - 1;
    }
    return rows.take();
}

}  // namespace attnscope
