// How far the sampled preview of a heatmap is from the exact picture: a table over sources, masks, methods and lengths.
//
//   preview_error [N,N,...]      CSV; e.g. preview_error 2048,8192,32768
//
// For the pixels whose exact value is above 0: within_2, the share that the preview shows within a factor of 2; factor_half and
// factor_90, the factor that half and nine tenths of them stay within; moved, the sum of |preview - exact| over the sum of exact;
// largest, the largest difference over the largest exact value, what the linear colour scale would show; and entropy, the mean row
// entropy of the rows that were looked at, less that of all rows, in nats.

#include "core/analysis/analysis.h"
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
    std::puts("source,mask,method,n,cells_a_pixel,within_2,factor_half,factor_90,moved,largest,entropy");
    for (const char* source : {"local", "gaussian", "clustered", "needle", "vocabulary"})
        for (const char* mask : {"causal", "full", "window"})
            for (const std::int64_t n : *lengths) {
                Scenario scenario;
                scenario.source.id = source;
                scenario.attention.mask.id = mask;
                scenario.n = n;
                scenario.methods = {{"vanilla", {}, {}}, {"softmax_plus", {{"B", 128}}, {}}, {"log_n", {}, {}}};
                scenario.view.curvePoints = scenario.view.curveRows = 1;
                scenario.view.curveLast = scenario.view.curveFirst;
                scenario.view.table = false;
                const auto distances = previewDistances(scenario);
                if (!distances) {
                    std::fprintf(stderr, "%s\n", distances.error().message.c_str());
                    return 1;
                }
                for (size_t m = 0; m < distances->size(); ++m) {
                    const PreviewDistance& far = (*distances)[m];
                    std::printf("%s,%s,%s,%lld,%lld,%.3f,%.3g,%.3g,%.3f,%.3f,%.3f\n", source, mask, scenario.methods[m].id.c_str(), static_cast<long long>(n),
                                static_cast<long long>(n / scenario.view.pixels), far.withinTwo, far.factorOfHalf, far.factorOfNineTenths, far.moved, far.largest,
                                far.entropy);
                    std::fflush(stdout);
                }
            }
    return 0;
}
