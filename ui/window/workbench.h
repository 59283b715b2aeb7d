#pragma once
// What a window works on, and what works for it: made before the window, and there until after it, so that nothing that
// is drawn holds on to something that is gone, and what is being written is written.

#include "ui/job/save_queue.h"
#include "ui/window/analyser.h"
#include "ui/window/document.h"
#include "ui/window/file_offers.h"
#include "ui/window/labs/lab_runner.h"
#include "ui/window/model/model_runner.h"
#include "ui/window/model/probe_runner.h"
#include "ui/window/model/scale_finder.h"
#include "ui/window/pins.h"
#include "ui/window/pointer.h"

namespace attnscope {

struct Workbench {
    explicit Workbench(Scenario scenario = {}) : document(std::move(scenario)) {}

    SaveQueue saves;  // first: it goes last, when nothing is left to ask for a file
    Document document;
    Pointer pointer;
    Analyser analyser{document};
    Pins pins{document, analyser};
    FileOffers offers{document};
    ModelRunner model{document, saves};
    ScaleFinder scale{document, model};
    ProbeRunner probes{document, model};
    LabRunner lab;
};

}  // namespace attnscope
