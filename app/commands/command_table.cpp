// Every subcommand, in the order of the help. A new one is a file in this folder and a row here.

#include "app/commands/command_table.h"

#include <array>

namespace attnscope {

std::span<const Command> commands()
{
    static const std::array all{
        methodsCommand(),    normalisersCommand(), positionsCommand(),  masksCommand(),  kernelsCommand(),
        measuresCommand(),   sourcesCommand(),     enginesCommand(),    scaleCommand(),  entropyCommand(),
        solveCommand(),      inspectCommand(),     headsCommand(),      statsCommand(),  heatmapCommand(),
        modelCommand(),      probeCommand(),       tuneCommand(),       figureCommand(), figuresCommand(),
        labsCommand(),       labCommand(),         scoreboardCommand(), sweepCommand(),  benchCommand(),
        completionCommand(), manualPageCommand(),
    };
    return all;
}

}  // namespace attnscope
