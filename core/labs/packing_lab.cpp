// The lab `packing`: trains a network that packs boxes, takes the one that comes with the program or opens another, and measures its
// packings at up to 16 times the length trained at, under scale methods in its encoder, its decoder or both.

#include "core/base/parameter.h"
#include "core/labs/lab_rows.h"
#include "core/labs/packing_experiment.h"

namespace attnscope {

namespace {

std::vector<Parameter> packingParameters()
{
    return {
        whole("bin", "bin", 0, 0, 3, "1, 2, 3: EIE's 120 x 100, 140 x 110, 160 x 120; 0: all three, one instance of each after another in training."),
        whole("steps", "training steps", 3000, 0, 1e7, "Each of a batch of instances; some ten minutes on two cores. 0: no training but the network that comes with the program."),
        whole("length", "training length", 0, 0, 1e4, "N, boxes; 0: 20 in training, and of a model what its file says."),
        whole("networks", "networks", 1, 1, 100, "Trained with one seed after another; each is tested, and several are compared over their seeds."),
        whole("batch", "instances a step", 64, 1, 4096, "Drawn anew at every step."),
        whole("packings", "packings of each", 8, 2, 1024, "Drawn from the network; the baseline of REINFORCE is their mean cost."),
        real("rate", "learning rate", 5e-4, 1e-7, 1, "Adam's step after the warm-up; it falls along a cosine to a twentieth."),
        whole("warmup", "warm-up", 100, 1, 1e6, "Steps in which the rate rises."),
        real("clip", "clipping", 1, 1e-3, 1e9, "The largest norm of all gradients together."),
        whole("layers", "layers", 3, 1, 64, "Of the encoder."),
        whole("width", "width", 128, 1, 4096, "Of the stream."),
        whole("inner", "inner width", 512, 1, 16384, "Of the feed-forward."),
        whole("heads", "heads", 8, 1, 256, "Of the encoder and of the glimpse; the head size is the width over these."),
        whole("sets", "instances tested", 32, 1, 10000, "Of N boxes in each bin; half as many of 2 N and so on, at least 8. Every policy sees the same."),
        whole("most", "longest test", 16, 1, 1024, "In training lengths; tested are N, 2 N, 4 N and so on."),
        whole("samples", "packings drawn", 0, 0, 1024, "In tests: 0: one greedy packing; else the best of so many that are drawn."),
        whole("seed", "seed", 1, 0, 1e12, "Instances, the weights at the start and the packings drawn are functions of it.")};
}

std::vector<LabChart> packingCharts()
{
    const auto ofBin = [](const char* id, const char* title, const char* y, const char* yTitle) { return LabChart{id, title, "Boxes, $n$", yTitle, {{"means", "n", y, ""}}, true, false, "policy"}; };
    LabChart load = ofBin("load", "How full the bin is", "load_rate", "Load rate (%)");
    load.lines.push_back({"means", "n", "volume_order", "in order of volume", LabLine::Look::Reference, false});
    load.lines.push_back({"means", "n", "random_order", "in random order", LabLine::Look::Reference, false});
    return {{"training", "Packings drawn in training", "Step", "Load rate (%)", {{"training", "step", "load_rate", "mean"}, {"training", "step", "best", "best of each instance"}}, false, false, "seed"},
            load,
            ofBin("change", "Change against vanilla", "change", "Load rate (points)"),
            ofBin("encoder", "Entropy of the encoder's heads", "entropy_encoder", "Row entropy (nats)"),
            ofBin("decoder", "Entropy of the decoder's glimpse", "entropy_decoder", "Row entropy (nats)")};
}

}  // namespace

Lab packingLab()
{
    return {{"packing", "Packing", "n boxes \u2192 a bin as low as can be", "EIE, table 1; Zhang et al. 2021",
             "A network learns by REINFORCE in which order N boxes go into a bin and how each is turned, and then packs up to 16 N, under any scale method in its encoder, its decoder's glimpse or both; beside boxes in order of volume and in random order. Trains one, takes the one that comes with the program, or opens yours.",
             packingParameters(),
             {{"the shipped network", "packing:steps=0", "20 boxes"},
              {"train on 20 boxes", "packing", "ten minutes on two cores"},
              {"train one quickly", "packing:steps=600,width=64,inner=128,heads=4,sets=16,most=8", "a smaller network, a minute"},
              {"train in one bin", "packing:bin=1", "120 x 100, ten minutes"}},
             "METHODS | WHERE | MODEL: scale methods, and where each acts (encoder, decoder, both, or one layer of the encoder, layer 1), with semicolons between them; a network's file, none to train",
             "vanilla; softmax_plus; infoscale; entropy_exact | encoder; decoder; both |"},
            "quality", "methods", packingCharts(), runPackingLab, {"methods", "where", "model"}};
}

}  // namespace attnscope
