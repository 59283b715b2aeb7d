// ATTNSCOPE_ENGINE=avx2 test_engines: every test program can be run as on a narrower processor, or with another engine.
// Without it "auto" is the processor's fastest, on machines with a graphics device too.

#include "core/attention/engines.h"

#include <cstdio>
#include <cstdlib>

namespace {

const bool chosen = [] {
    const char* engine = std::getenv("ATTNSCOPE_ENGINE");
    if (const auto set = attnscope::setAutomaticEngine(engine && *engine ? engine : attnscope::processorEngine().id);
        !set) {
        std::fprintf(stderr, "ATTNSCOPE_ENGINE: %s\n", set.error().message.c_str());
        std::exit(2);
    }
    return true;
}();

}  // namespace
