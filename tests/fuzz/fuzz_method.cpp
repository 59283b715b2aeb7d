// The METHOD grammar against a registry with every kind of parameter. What is accepted survives being written and read.
#include "core/base/choice.h"

#include <array>
#include <cstdint>
#include <cstdlib>

using namespace attnscope;

namespace {

Entry row(const std::string& id, const std::string& textLabel)
{
    Entry entry;
    entry.id = id;
    entry.label = "Row";
    entry.formula = "{kappa} ln {n} + {steps}";
    entry.parameters = {{"kappa", "κ", 1, -10, 10, Parameter::Kind::Real, ""},
                        {"steps", "steps", 2, 0, 100, Parameter::Kind::Integer, ""},
                        {"row", "by row", 0, 0, 1, Parameter::Kind::Switch, ""}};
    entry.textLabel = textLabel;
    return entry;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const std::array<Entry, 2> rows{row("plain", ""), row("custom", "an expression")};
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const auto choice = parseChoice(input, std::span<const Entry>(rows), "row");
    if (!choice) {
        if (choice.error().message.empty())
            std::abort();
        return 0;
    }
    const Entry& entry = choice->id == "plain" ? rows[0] : rows[1];
    if (!validate(entry, *choice))
        std::abort();
    describeChoice(entry, *choice);
    workedFormula(entry, *choice, {{"n", 1024}});
    const auto again = parseChoice(formatChoice(*choice), std::span<const Entry>(rows), "row");
    if (!again || !(*again == *choice))
        std::abort();
    return 0;
}
