// ATTNSCOPE_ENGINE=avx2 test_engines: every test program can be run as on a narrower processor, or with another engine.

#include "core/attention/engine.h"

#include <cstdio>
#include <cstdlib>

namespace {

const bool chosen = [] {
    const char* engine = std::getenv("ATTNSCOPE_ENGINE");
    if (!engine || !*engine)
        return false;
    if (const auto set = attnscope::setAutomaticEngine(engine); !set) {
        std::fprintf(stderr, "ATTNSCOPE_ENGINE: %s\n", set.error().message.c_str());
        std::exit(2);
    }
    return true;
}();

}  // namespace
