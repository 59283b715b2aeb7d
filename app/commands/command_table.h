#pragma once
// What each file of this folder provides.

#include "app/commands/command.h"

namespace attnscope {

Command methodsCommand();  // the registries: list_registry.cpp
Command normalisersCommand();
Command positionsCommand();
Command masksCommand();
Command kernelsCommand();
Command measuresCommand();
Command sourcesCommand();
Command enginesCommand();
Command scaleCommand();
Command entropyCommand();
Command solveCommand();
Command inspectCommand();
Command headsCommand();
Command statsCommand();
Command heatmapCommand();
Command modelCommand();
Command probeCommand();
Command tuneCommand();
Command figureCommand();
Command figuresCommand();
Command benchCommand();
Command completionCommand();
Command manualPageCommand();
Command labsCommand();  // labs.cpp
Command labCommand();   // lab.cpp
/// A lab's name and parameters, key=value, as of `lab NAME --set ...`. Errors: UnknownName, InvalidArgument.
Result<void> checkLab(const std::string& name, const std::vector<std::string>& values);
Command scoreboardCommand();
Command sweepCommand();

}  // namespace attnscope
