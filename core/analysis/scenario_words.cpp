#include "core/analysis/scenario_words.h"

#include "core/analysis/source.h"
#include "core/attention/kernels.h"
#include "core/attention/masks.h"
#include "core/attention/normaliser.h"
#include "core/attention/positions.h"
#include "core/scaling/scale_method.h"

#include <algorithm>
#include <filesystem>

namespace attnscope {

namespace {

constexpr std::string_view becomes = " → ";

std::string described(const Choice& method) { return describeChoice(scaleMethods(), method); }

class Differences {
public:
    void number(std::string_view name, double from, double to)
    {
        if (from != to)
            add(name, formatNumber(from, 6), formatNumber(to, 6));
    }
    void text(std::string_view name, const std::string& from, const std::string& to)
    {
        if (from != to)
            add(name, from, to);
    }
    template <class Row>
    void choice(std::string_view name, std::span<const Row> rows, const Choice& from, const Choice& to)
    {
        if (from != to)
            add(name, describeChoice(rows, from), describeChoice(rows, to));
    }
    /// A method whose parameters changed stands in both lists under one id: that is one change.
    void methods(std::vector<Choice> from, std::vector<Choice> to)
    {
        const auto both = [&](const Choice& method) { return std::ranges::find(to, method) != to.end(); };
        const std::vector<Choice> before = from;
        std::erase_if(from, both);
        std::erase_if(to, [&](const Choice& method) { return std::ranges::find(before, method) != before.end(); });
        for (const Choice& added : to) {
            const auto same = std::ranges::find(from, added.id, &Choice::id);
            said.push_back(same == from.end() ? "+ " + described(added)
                                              : described(*same) + std::string(becomes) + described(added));
            if (same != from.end())
                from.erase(same);
        }
        for (const Choice& gone : from)
            said.push_back("− " + described(gone));
    }
    std::vector<std::string> said;

private:
    void add(std::string_view name, const std::string& from, const std::string& to)
    {
        said.push_back((name.empty() ? "" : std::string(name) + " ") + from + std::string(becomes) + to);
    }
};

std::string fileOf(const TensorSelection& tensors) { return std::filesystem::path(tensors.path).filename().string(); }

std::string sourceOf(const Scenario& scenario)
{
    if (!scenario.ofFile())
        return describeChoice(sourceEntries(), scenario.source);
    const std::string& query = scenario.tensors.query;
    return fileOf(scenario.tensors) + ", " + (query.empty() ? "" : query + ", ") + describeHeads(scenario.tensors);
}

}  // namespace

std::vector<std::string> scenarioDifferences(const Scenario& from, const Scenario& to)
{
    Differences changes;
    if (!from.ofFile() || !to.ofFile()) {
        changes.text("", sourceOf(from), sourceOf(to));
    } else {
        changes.text("", fileOf(from.tensors), fileOf(to.tensors));
        changes.text("", from.tensors.query, to.tensors.query);
        changes.text("", describeHeads(from.tensors), describeHeads(to.tensors));
        changes.number("batch", double(from.tensors.batch), double(to.tensors.batch));
    }
    changes.number("n", double(from.n), double(to.n));
    changes.number("N", from.nTrain, to.nTrain);
    changes.number("d", from.d, to.d);
    changes.number("τ", from.temperature, to.temperature);
    changes.number("seed", double(from.seed), double(to.seed));
    changes.choice("", kernels(), from.attention.kernel, to.attention.kernel);
    changes.choice("positions", positions(), from.attention.position, to.attention.position);
    changes.choice("mask", masks(), from.attention.mask, to.attention.mask);
    changes.choice("", normalisers(), from.attention.normaliser, to.attention.normaliser);
    changes.number("soft-cap", from.attention.softCap, to.attention.softCap);
    changes.methods(from.methods, to.methods);
    return std::move(changes.said);
}

std::string scenarioSubject(const Scenario& scenario)
{
    return fmt::format("{}, n = {}", sourceOf(scenario), scenario.n);
}

}  // namespace attnscope
