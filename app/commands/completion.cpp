// completion: scripts that let a shell complete commands, options and their values, made of what --help says.

#include "app/commands/command_help.h"
#include "app/commands/command_table.h"
#include "app/commands/options.h"
#include "core/base/text.h"

#include <ostream>

namespace attnscope {

namespace {

std::string replaced(std::string text, const std::vector<std::pair<std::string, std::string>>& pairs)
{
    std::string out;
    for (size_t at = 0; at < text.size();) {
        const auto pair = std::find_if(pairs.begin(), pairs.end(),
                                       [&](const auto& p) { return text.compare(at, p.first.size(), p.first) == 0; });
        out += pair == pairs.end() ? std::string(1, text[at]) : pair->second;
        at += pair == pairs.end() ? 1 : pair->first.size();
    }
    return out;
}

/// For bash and zsh: within single quotes.
std::string shellQuoted(const std::string& text) { return "'" + replaced(text, {{"'", "'\\''"}}) + "'"; }

void bashOption(std::ostream& out, const OptionHelp& option)
{
    if (option.positional || option.value.empty())
        return;
    out << "        " << joined(option.names, "|") << ") ";
    if (!option.words.empty())
        out << "words=" << shellQuoted(joined(option.words, " "));
    else
        out << "takes=" << (takesFolder(option) ? "folder" : takesFile(option) ? "file" : "text");
    out << " ;;\n";
}

/// $last is the option before the word that is completed: directly before it, or earlier where it takes several values.
void writeBash(std::ostream& out)
{
    out << "# bash completion for attnscope\n"
           "_attnscope() {\n"
           "  local current=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD-1]} options='' words='' named='' "
           "takes='' several='' i\n"
           "  COMPREPLY=()\n"
           "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "    compopt -o filenames 2>/dev/null\n"
           "    mapfile -t COMPREPLY < <(compgen -W "
        << shellQuoted(joined(commands(), " ", &Command::name) + " --help --version")
        << " -- \"$current\"; compgen -f -- \"$current\")\n"
           "    return\n"
           "  fi\n"
           "  case ${COMP_WORDS[1]} in\n";
    for (const Command& command : commands()) {
        std::vector<std::string> options, several, named;
        const std::vector<OptionHelp> all = optionsOf(command);
        for (const OptionHelp& option : all) {
            if (option.positional)
                named.insert(named.end(), option.words.begin(), option.words.end());
            else
                options.insert(options.end(), option.names.begin(), option.names.end());
            if (option.several && !option.positional)
                several.insert(several.end(), option.names.begin(), option.names.end());
        }
        out << "    " << command.name << ") options=" << shellQuoted(joined(options, " "))
            << " named=" << shellQuoted(joined(named, " "))
            << " several=" << shellQuoted(' ' + joined(several, " ") + ' ') << " ;;\n";
    }
    out << "  esac\n"
           "  for ((i = COMP_CWORD - 1; i > 1; --i)); do\n"
           "    [[ ${COMP_WORDS[i]} == -* ]] || continue\n"
           "    [[ $several == *\" ${COMP_WORDS[i]} \"* ]] && last=${COMP_WORDS[i]}\n"
           "    break\n"
           "  done\n"
           "  case ${COMP_WORDS[1]} in\n";
    for (const Command& command : commands()) {
        out << "    " << command.name << ")\n      case $last in\n";
        for (const OptionHelp& option : optionsOf(command))
            bashOption(out, option);
        out << "      esac ;;\n";
    }
    out << "  esac\n"
           "  if [[ $current == -* ]]; then\n"
           "    mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$current\")\n"
           "  elif [ -n \"$words\" ]; then\n"
           "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
           "  elif [ \"$takes\" = folder ]; then\n"
           "    compopt -o filenames 2>/dev/null\n"
           "    mapfile -t COMPREPLY < <(compgen -d -- \"$current\")\n"
           "  elif [ \"$takes\" != text ]; then\n"
           "    compopt -o filenames 2>/dev/null\n"
           "    mapfile -t COMPREPLY < <([ \"$takes\" = file ] || compgen -W \"$named\" -- \"$current\"; compgen -f -- "
           "\"$current\")\n"
           "  fi\n"
           "}\n"
           "complete -F _attnscope attnscope\n";
}

/// '(-o --output)'{-o,--output}'[File to write]:FILE:_files'
void zshOption(std::ostream& out, const OptionHelp& option)
{
    const auto plain = [](const std::string& text) {
        return replaced(text, {{"'", "'\\''"}, {"[", "\\["}, {"]", "\\]"}, {":", "\\:"}, {"\\", "\\\\"}});
    };
    const std::string words = option.words.empty() ? std::string() : "(" + joined(option.words, " ") + ")";
    const std::string action = takesFolder(option) ? "_files -/"
                               : takesFile(option) ? "_files"
                               : words.empty()     ? " "
                                                   : words;
    out << " \\\n        ";
    if (option.positional) {
        out << "'*:" << plain(option.names.front()) << ':'
            << (words.empty() ? action
                              : "{_alternative \"names:" + option.names.front() + ":" + words + "\" \"files::_files\"}")
            << "'";
        return;
    }
    if (option.names.size() > 1)
        out << "'(" << joined(option.names, " ") << ")'{" << joined(option.names, ",") << "}'";
    else
        out << "'" << option.names.front();
    out << '[' << plain(option.about) << ']';
    if (!option.value.empty())
        out << (option.several ? ":*-*:" : ":") << plain(option.value) << ':' << action;
    out << "'";
}

void writeZsh(std::ostream& out)
{
    out << "#compdef attnscope\n\n_attnscope() {\n  local -a commands\n  commands=(\n";
    for (const Command& command : commands())
        out << "    " << shellQuoted(command.name + ":" + replaced(command.summary, {{":", "\\:"}})) << '\n';
    out << "    '--help:the commands'\n    '--version:the version'\n  )\n"
           "  if (( CURRENT == 2 )); then\n    _describe -t commands command commands\n    _files\n    return\n  fi\n"
           "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
    for (const Command& command : commands()) {
        out << "    " << command.name << ")\n      _arguments -s";
        for (const OptionHelp& option : optionsOf(command))
            zshOption(out, option);
        out << " ;;\n";
    }
    out << "  esac\n}\n\n_attnscope \"$@\"\n";
}

void fishOption(std::ostream& out, const Command& command, const OptionHelp& option)
{
    const auto single = [](const std::string& text) {
        return "'" + replaced(text, {{"\\", "\\\\"}, {"'", "\\'"}}) + "'";
    };
    out << "complete -c attnscope -n '__fish_seen_subcommand_from " << command.name << "'";
    if (!option.positional)
        for (const std::string& name : option.names)
            out << (name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1));
    if (!option.positional && !option.value.empty())
        out << (takesFile(option) || takesFolder(option) ? " -r -F" : " -x");
    if (!option.words.empty())
        out << " -a " << single(joined(option.words, " "));
    out << " -d " << single(option.about) << '\n';
}

void writeFish(std::ostream& out)
{
    out << "# fish completion for attnscope\n";
    for (const char* name : {"help", "version"})
        out << "complete -c attnscope -n __fish_use_subcommand -l " << name << '\n';
    for (const Command& command : commands()) {
        out << "complete -c attnscope -n __fish_use_subcommand -a " << command.name << " -d '"
            << replaced(command.summary, {{"\\", "\\\\"}, {"'", "\\'"}}) << "'\n";
        for (const OptionHelp& option : optionsOf(command))
            fishOption(out, command, option);
    }
}

struct Shell {
    std::string name;
    void (*write)(std::ostream&);
};
const Shell shells[] = {{"bash", writeBash}, {"zsh", writeZsh}, {"fish", writeFish}};

Result<void> writeScript(const std::string& asked, const Console& console)
{
    std::ranges::find(shells, asked, &Shell::name)->write(console.out);
    return {};
}

}  // namespace

Command completionCommand()
{
    return commandWith<std::string>(
        "completion", "A script that lets a shell complete the command line",
        {"completion bash > ~/.local/share/bash-completion/completions/attnscope",
         "completion fish > ~/.config/fish/completions/attnscope.fish"},
        [](CLI::App& app, std::string& shell) {
            addWord(app, "SHELL", shell, eachOnce(shells, &Shell::name), "The shell")->required();
        },
        writeScript);
}

}  // namespace attnscope
