#pragma once
// What a window works on, and what works for it: made before the window, and there until after it, so that nothing that
// is drawn holds on to something that is gone, and what is being written is written.

#include "ui/job/save_queue.h"
#include "ui/workbench/analyser.h"
#include "ui/workbench/document.h"
#include "ui/workbench/file_offers.h"
#include "ui/workbench/lab_runner.h"
#include "ui/workbench/model_runner.h"
#include "ui/workbench/probe_runner.h"
#include "ui/workbench/scale_finder.h"
#include "ui/workbench/pins.h"
#include "ui/workbench/pointer.h"

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
