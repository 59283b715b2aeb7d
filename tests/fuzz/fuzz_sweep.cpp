// A sweep's specification, a JSON object; any other text is the table of a sweep's rows. Whatever is accepted can be
// run and looked at.
#include "core/sweep/sweep_view.h"

#include <cstdint>
#include <cstdlib>

using namespace attnscope;

namespace {

const std::vector<SweptCommand> known{
    {"entropy", {{"d", false, false}, {"method", false, true}, {"n", false, false}, {"log", true, false}}, false},
    {"lab", {{"table", false, false}}, true}};

void require(bool holds)
{
    if (!holds)
        std::abort();
}

void readSpec(std::string_view text, std::span<const SweptCommand> commands)
{
    const auto spec = parseSweepSpec(text, "spec", commands);
    if (!spec)
        return require(!spec.error().message.empty());
    require(spec->tasks() >= 1 && spec->tasks() <= mostTasks);
    for (const std::int64_t task : {std::int64_t{0}, spec->tasks() - 1}) {
        require(spec->argumentsOf(task).front() == spec->command);
        require(spec->valuesOf(task).size() == spec->axes.size());
    }
    require(sweepTable(*spec, {{0, {0, "a,a,task\n1,2,3\n", {}, 0}}}).rows.size() == 1);
}

void readTable(std::string_view text)
{
    auto table = parseSweepTable(text, "rows.csv");
    if (!table)
        return require(!table.error().message.empty());
    SweepFolder folder;
    folder.table = std::move(*table);
    const std::vector<SweepColumn> columns = sweepColumns(folder);
    const SweepChoice choice = firstChoice(columns);
    const auto view = viewOf(folder, choice);
    require(view.has_value() == (!choice.x.empty() && !choice.y.empty()));
    if (view)
        require(view->facets.size() <= mostFacets && view->colours.size() <= mostLines);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (!text.starts_with('{'))
        readTable(text);
    else {
        readSpec(text, known);
        readSpec(text, {});
    }
    return 0;
}
