// How far the sampled preview of a heatmap is from the exact picture: a table over sources, masks, multipliers and
// lengths.
//
//   preview_error [N,N,...]      CSV; e.g. preview_error 2048,8192,32768
//
// The columns are those of PreviewDistance, for 512 x 512 pixels.

#include "core/base/length_list.h"
#include "tests/support/preview_distance.h"

#include <cstdio>

using namespace attnscope;

int main(int argc, char** argv)
{
    const auto lengths = parseLengths(argc > 1 ? argv[1] : "2048,8192");
    if (!lengths) {
        std::fprintf(stderr, "%s\n", lengths.error().message.c_str());
        return 2;
    }
    std::puts("source,mask,multiplier,n,within_2,factor_of_half,factor_of_nine_tenths,moved,largest,entropy");
    for (const char* source : {"local", "gaussian", "clustered", "needle", "vocabulary"})
        for (const char* mask : {"causal", "full", "window"})
            for (const std::int64_t n : *lengths)
                for (const double m :
                     {1.0, std::log(static_cast<double>(n)) / std::log(128.0), std::log(static_cast<double>(n))}) {
                    const auto far = previewDistance(source, mask, m, n, 512);
                    if (!far) {
                        std::fprintf(stderr, "%s\n", far.error().message.c_str());
                        return 1;
                    }
                    std::printf("%s,%s,%.3f,%lld,%.3f,%.3g,%.3g,%.3f,%.3f,%.3f\n", source, mask, m,
                                static_cast<long long>(n), far->withinTwo, far->factorOfHalf, far->factorOfNineTenths,
                                far->moved, far->largest, far->entropy);
                    std::fflush(stdout);
                }
    return 0;
}
