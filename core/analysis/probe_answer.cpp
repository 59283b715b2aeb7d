#include "core/analysis/probe_answer.h"

#include "core/analysis/answer.h"
#include "core/analysis/model_answer.h"
#include "core/statistics/multiple_tests.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr double differsBelow = 0.05;
constexpr std::size_t mostPoliciesNamed = 3;

struct ComparedPolicy {
    std::string label;
    double right = 0, change = 0;
    std::optional<double> p;  ///< adjusted; none: no difference, or the same in every sample
    bool tested = true;       ///< the samples share no text
    bool differs() const { return !tested || (p ? *p < differsBelow : change != 0); }
};

void adjustByHolm(std::vector<ComparedPolicy>& others)
{
    std::vector<double> all;
    for (const ComparedPolicy& other : others)
        if (other.p)
            all.push_back(*other.p);
    const std::vector<double> adjusted = holm(all);
    std::size_t at = 0;
    for (ComparedPolicy& other : others)
        if (other.p)
            other.p = adjusted[at++];
}

class ProbeWords {
public:
    explicit ProbeWords(const ProbeRequest& request) : m_request(request) {}

    std::string first(double right) const
    {
        return needle() ? fmt::format("the needle is found in {} of {} samples", found(right),
                                      m_request.samples * std::ssize(m_request.depths))
                        : "the second copy is known to " + share(right) + " %";
    }
    std::string another(const ComparedPolicy& other) const
    {
        const std::string so = needle() ? "in " + found(other.right) : "to " + share(other.right) + " %";
        const std::string tested = !other.tested       ? std::string()
                                   : other.p           ? ", p = " + formatNumber(*other.p, 2)
                                   : other.change == 0 ? ", the same in every sample"
                                                       : ", by as much in every sample";
        return so + " with " + other.label + tested;
    }
    std::string rest(std::span<const ComparedPolicy> others) const
    {
        const auto [least, most] = std::ranges::minmax(others, {}, &ComparedPolicy::right);
        const auto one = [&](double right) { return needle() ? found(right) : share(right); };
        const std::string from = one(least.right), to = one(most.right);
        return (needle() ? "in " : "to ") + (from == to ? from : from + " to " + to) + (needle() ? "" : " %") +
               " with " + std::to_string(others.size()) + (others.size() == 1 ? " other" : " others");
    }

private:
    bool needle() const { return m_request.task == ProbeTask::Needle; }
    std::string found(double right) const
    {
        return std::to_string(std::llround(right * m_request.samples * static_cast<double>(m_request.depths.size())));
    }
    static std::string share(double right) { return formatNumber(100 * right, 3); }

    const ProbeRequest& m_request;
};

}  // namespace

std::string probeInWords(const ProbeRequest& request, std::span<const ProbeCell> cells,
                         std::span<const std::string> labels, std::int64_t n)
{
    const auto own = asItIs(request.policies);
    const std::size_t base = own.value_or(0);
    const ProbeCell reference = overDepths(cells, request, n, base);
    if (reference.scores.empty() || labels.size() != request.policies.size())
        return {};
    std::vector<ComparedPolicy> others;
    for (std::size_t policy = 0; policy < labels.size(); ++policy) {
        const ProbeCell cell = overDepths(cells, request, n, policy);
        if (policy == base || cell.scores.empty())
            continue;
        const ProbeMeans means = meansOf(cell, &reference);
        others.push_back(
            {labels[policy], means.right.mean, means.rightChange.mean, means.rightP, !reference.sharesText});
    }
    adjustByHolm(others);
    std::ranges::stable_sort(others, std::greater{}, &ComparedPolicy::right);
    const auto tests = std::ranges::count_if(others, [](const ComparedPolicy& other) { return other.p.has_value(); });
    const bool none = !others.empty() && std::ranges::none_of(others, &ComparedPolicy::differs);

    const ProbeWords words(request);
    std::vector<std::string> parts;
    for (const ComparedPolicy& other : std::span(others).first(std::min(mostPoliciesNamed, others.size())))
        parts.push_back(words.another(other));
    if (others.size() > mostPoliciesNamed)
        parts.push_back(words.rest(std::span(others).subspan(mostPoliciesNamed)));
    std::string said = "At n = " + lengthInWords(static_cast<double>(n)) + (none ? " no difference counts: " : " ") +
                       words.first(meansOf(reference, nullptr).right.mean) +
                       (own ? " as the model is" : " with " + labels[base]);
    for (std::size_t i = 0; i < parts.size(); ++i)
        said += (i > 0 && i + 1 == parts.size() ? "; and " : "; ") + parts[i];
    if (reference.sharesText)
        said += "; " + std::string(sharesTextNote);
    return said + (tests > 1 ? fmt::format("; each p by Holm over {}", tests) : "");
}

}  // namespace attnscope
