#pragma once
// What the command palette finds: every command of the menus, every row of every registry, lessons, figures, labs,
// heads of the file.

#include "ui/window/command_palette.h"

#include <vector>

namespace attnscope {

class MainWindow;

/// As the window is now: commands that are disabled are left out, a ticked method can be unticked.
std::vector<PaletteEntry> paletteEntries(MainWindow& window);

}  // namespace attnscope
