#include "app/commands/command_help.h"

#include "app/commands/options.h"

#include "core/analysis/source.h"
#include "core/attention/kernels.h"
#include "core/attention/masks.h"
#include "core/attention/normaliser.h"
#include "core/attention/positions.h"
#include "core/labs/lab.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/measures.h"
#include "core/theory/logit_density.h"
#include "ui/figure/figure.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace attnscope {

namespace {

using Words = std::vector<std::string>;

Words methodWords()
{
    Words ids = idsOf(scaleMethods());
    ids.push_back("all");
    return ids;
}

/// Options whose values are rows of a registry. An empty command: whichever declares it.
struct KnownWords {
    std::string command, option, value;
    Words (*words)();
};
const KnownWords knownWords[] = {
    {"", "--method", "METHOD", methodWords},
    {"", "--kernel", "CHOICE", [] { return idsOf(kernels()); }},
    {"", "--position", "CHOICE", [] { return idsOf(positions()); }},
    {"", "--mask", "CHOICE", [] { return idsOf(masks()); }},
    {"", "--normaliser", "CHOICE", [] { return idsOf(normalisers()); }},
    {"", "--measure", "CHOICE", [] { return idsOf(measures()); }},
    {"", "--measure", "MEASURE", [] { return idsOf(measures()); }},
    {"", "--source", "CHOICE", [] { return idsOf(logitDensities()); }},
    {"", "--source", "SOURCE", [] { return idsOf(sourceEntries()); }},
    {"figure", "NAME", "", [] { return eachOnce(gallery(), &GalleryRow::name); }},
    {"lab", "NAME", "TEXT", [] { return idsOf(labs()); }},
};

Words wordsOf(const Command& command, const OptionHelp& option)
{
    if (option.value.find('|') != option.value.npos)
        return CLI::detail::split(option.value, '|');
    for (const KnownWords& row : knownWords)
        if ((row.command.empty() || row.command == command.name) && row.option == option.names.back() &&
            row.value == option.value)
            return row.words();
    return {};
}

OptionHelp helpOf(const CLI::Option& option)
{
    OptionHelp help;
    for (const std::string& name : option.get_snames())
        help.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        help.names.push_back("--" + name);
    help.positional = help.names.empty();
    if (help.positional)
        help.names.push_back(option.get_name(true));
    if (option.get_type_size() != 0) {
        help.value = option.get_type_name();
        help.byDefault = option.get_default_str();
        help.several = option.get_expected_max() > 1;
    }
    help.required = option.get_required();
    help.about = option.get_description();
    return help;
}

}  // namespace

const std::array<Usage, 5>& usages()
{
    static const std::array<Usage, 5> all{{
        {"attnscope [FILE]", "the window, with tensors, a session, a model (its folder or a .gguf file), the folder of "
                             "a sweep, or the heads of a model that comes along (for example stories)"},
        {"attnscope --scenario TEXT", "the window, with what Edit, Copy the scenario, made of another"},
        {"attnscope COMMAND [options]", "results on standard output"},
        {"attnscope COMMAND --help", "the options of a command, with examples"},
        {"attnscope --version", "the version"},
    }};
    return all;
}

std::vector<OptionHelp> optionsOf(const Command& command)
{
    CLI::App app{command.summary, command.name};
    (void)command.declare(app);
    std::vector<OptionHelp> all;
    for (const CLI::Option* option : app.get_options()) {
        all.push_back(helpOf(*option));
        all.back().words = wordsOf(command, all.back());
    }
    return all;
}

bool takesFolder(const OptionHelp& option) { return option.value == "DIR"; }

bool takesFile(const OptionHelp& option)
{
    return option.value == "FILE" || (option.positional && option.words.empty());
}

}  // namespace attnscope
