// manual-page: attnscope(1), made of what --help says.

#include "app/commands/command_help.h"
#include "app/commands/command_table.h"
#include "core/base/text.h"
#include "core/base/version.h"

#include <ostream>

namespace attnscope {

namespace {

/// Text for troff: no character of it is a request, and a hyphen is one that can be copied.
std::string escaped(const std::string& text)
{
    std::string out;
    for (const char c : text) {
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else
            out += c;
    }
    return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string bold(const std::string& text) { return "\\fB" + escaped(text) + "\\fR"; }

std::string italic(const std::string& text) { return "\\fI" + escaped(text) + "\\fR"; }

/// "-o, --output FILE".
std::string heading(const OptionHelp& option)
{
    if (option.positional)
        return italic(option.names.front());
    const std::string out = joined(option.names, ", ", bold);
    return option.value.empty() ? out : out + " " + italic(option.value) + (option.several ? " ..." : "");
}

void writeCommand(std::ostream& out, const Command& command)
{
    out << ".SS " << escaped(command.name) << '\n' << escaped(command.summary) << ".\n";
    for (const OptionHelp& option : optionsOf(command)) {
        out << ".TP\n" << heading(option) << '\n' << escaped(option.about) << '.';
        if (option.required)
            out << " Required.";
        if (!option.byDefault.empty())
            out << " Default: " << escaped(option.byDefault) << '.';
        out << '\n';
    }
    out << ".PP\n" << (command.examples.size() > 1 ? "Examples:" : "Example:") << "\n.PP\n.nf\n";
    for (const std::string& example : command.examples)
        out << "    " << escaped("attnscope " + example) << '\n';
    out << ".fi\n";
}

void writePage(std::ostream& out)
{
    out << ".TH ATTNSCOPE 1 \"\" \"" << escaped(std::string(versionedName())) << "\" \"User Commands\"\n"
        << ".ad l\n"  // long names of files and choices leave no room to adjust a line to both sides
        << ".SH NAME\nattnscope \\- an oscilloscope for attention\n.SH SYNOPSIS\n.nf\n";
    for (const Usage& usage : usages())
        out << escaped(usage.call) << '\n';
    out << ".fi\n.SH DESCRIPTION\n"
           "Attnscope shows what the softmax of attention does: heatmaps, the entropy of rows against the length of "
           "the sequence, and how weight\n"
           "disperses over ever more keys, for synthetic queries and keys, by exact theory, and for the tensors of a "
           "model.\n";
    for (const Usage& usage : usages())
        out << ".TP\n" << bold(usage.call) << '\n' << escaped(usage.about) << '\n';
    out << ".SH COMMANDS\n";
    for (const Command& command : commands())
        writeCommand(out, command);
    out << ".SH EXIT STATUS\n" << escaped(exitStatusText) << '\n';
}

}  // namespace

Command manualPageCommand()
{
    return {"manual-page",
            "The manual page attnscope(1), made of what --help says",
            {"manual-page > attnscope.1"},
            [](CLI::App&) -> Action {
                return [](const Console& console) -> Result<void> {
                    writePage(console.out);
                    return {};
                };
            }};
}

}  // namespace attnscope
