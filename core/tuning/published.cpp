// What others published, with its defaults, as settings to compare with: every scale method on the model's own
// positions; where positions are searched every scheme (of those that were asked for), YaRN with its temperature, and
// every method on the best of them.

#include "core/tuning/search.h"

#include "core/attention/positions.h"

#include <algorithm>

namespace attnscope {

namespace {

struct PublishedSetting {
    std::string name;
    Setting setting;
};

Setting withMethod(const Choice& method, const std::optional<Choice>& position, double trainLength)
{
    Setting setting = untuned(trainLength, position);
    setting.policy.method = method;
    return setting;
}

std::vector<PublishedSetting> methodsOn(const std::optional<Choice>& position, const Search& search)
{
    std::vector<PublishedSetting> all;
    for (const ScaleMethod& method : scaleMethods())
        if (!isVanilla(method.id) && !method.written)
            all.push_back({method.label + (position ? ", " + formatChoice(*position) : ""),
                           withMethod({method.id, {}, {}}, position, search.request().trainLength)});
    return all;
}

std::vector<PublishedSetting> schemesOf(const Search& search)
{
    std::vector<PublishedSetting> all;
    const std::vector<std::string>& asked = search.request().schemes;
    for (const Position& row : positions())
        if (row.frequencies && row.id != "long_rope" && !isRope({row.id, {}, {}}) &&
            (asked.empty() || std::ranges::find(asked, row.id) != asked.end())) {
            Choice position{row.id, {}, {}};
            if (row.id == "yarn_rope")
                position.values["by_index"] = 1;
            all.push_back({row.label, withMethod({"vanilla", {}, {}}, position, search.request().trainLength)});
            if (row.id == "yarn_rope")
                all.push_back({"YaRN", withMethod({"yarn", {}, {}}, position, search.request().trainLength)});
        }
    return all;
}

Result<TriedSetting> bestOf(Search& search, const std::vector<PublishedSetting>& settings)
{
    const auto left = TRY(search.halve(settings.size(), [&](std::size_t which, std::size_t windows) {
        return search.loss(settings[which].setting, windows, settings[which].name);
    }));
    const PublishedSetting& best = settings[left.front()];
    const double loss = TRY(search.loss(best.setting, search.all(), best.name));
    return TriedSetting{best.setting, search.all(), loss, best.name, loss - search.asItIs(search.all())};
}

}  // namespace

Result<TriedSetting> bestPublished(Search& search)
{
    search.say("what is published");
    TriedSetting best = TRY(bestOf(search, methodsOn({}, search)));
    if (!searchesPositions(search.request().over))
        return best;
    const std::vector<PublishedSetting> schemes = schemesOf(search);
    if (schemes.empty())
        return best;
    const TriedSetting scheme = TRY(bestOf(search, schemes));
    const TriedSetting both = TRY(bestOf(search, methodsOn(scheme.setting.policy.position, search)));
    for (const TriedSetting& other : {scheme, both})
        if (other.loss < best.loss)
            best = other;
    return best;
}

}  // namespace attnscope
