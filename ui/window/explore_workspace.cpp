#include "ui/window/main_window.h"
#include "ui/window/workspaces.h"

namespace attnscope::workspace {

Workspace explore()
{
    return {"Explore", "One head and many scales: maps, entropy against n, dispersion", {}, [](MainWindow& window) {
                return WorkspacePage{&window.explore(), {}};
            }};
}

}  // namespace attnscope::workspace
