#pragma once
// A window with a workbench of its own, which outlives it.

#include "ui/window/main_window.h"

namespace attnscope::testing {

struct OwnBench {
    explicit OwnBench(const Scenario& scenario) : bench(scenario) {}
    Workbench bench;
};

class WholeWindow : private OwnBench, public MainWindow {
public:
    explicit WholeWindow(const Scenario& scenario) : OwnBench(scenario), MainWindow(OwnBench::bench) {}
};

}  // namespace attnscope::testing
