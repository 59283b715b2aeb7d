// The lab `routing`: trains an Attention Model, takes the one that comes with the program or opens another, and measures its greedy tours
// at up to 16 times the length trained at, under scale methods in its encoder, its decoder or both.

#include "core/base/parameter.h"
#include "core/labs/lab_rows.h"
#include "core/labs/routing_experiment.h"

namespace attnscope {

namespace {

std::vector<Parameter> routingParameters()
{
    return {
        toggle("vehicles", "vehicles", false, "Trains on vehicles with a capacity (CVRP), or takes the network for them that comes with the program; off: tours of cities (TSP). A model's file says it itself."),
        whole("steps", "training steps", 4000, 0, 1e7, "Each of a batch of instances; some ten minutes on two cores. 0: no training but the networks that come with the program."),
        whole("length", "training length", 0, 0, 1e5, "N, cities or customers; 0: 20 in training, and of a model what its file says, or where it says nothing the smallest of the instances' file."),
        whole("networks", "networks", 1, 1, 100, "Trained with one seed after another; each is tested, and several are compared over their seeds."),
        whole("batch", "instances a step", 64, 1, 4096, "Drawn anew at every step."),
        whole("tours", "tours of each", 20, 2, 1024, "Drawn from the network; the baseline of REINFORCE is their mean length. Tours of cities start at cities of their own."),
        real("rate", "learning rate", 3e-4, 1e-7, 1, "Adam's step after the warm-up; it falls along a cosine to a twentieth."),
        whole("warmup", "warm-up", 100, 1, 1e6, "Steps in which the rate rises."),
        real("clip", "clipping", 1, 1e-3, 1e9, "The largest norm of all gradients together."),
        whole("layers", "layers", 3, 1, 64, "Of the encoder."),
        whole("width", "width", 128, 1, 4096, "Of the stream."),
        whole("inner", "inner width", 512, 1, 16384, "Of the feed-forward."),
        whole("heads", "heads", 8, 1, 256, "Of the encoder and of the glimpse; the head size is the width over these."),
        whole("sets", "instances tested", 32, 1, 10000, "Of N cities; half as many of 2 N and so on, at least 8. Every policy sees the same."),
        whole("most", "longest test", 16, 1, 1024, "In training lengths; tested are N, 2 N, 4 N and so on."),
        whole("seed", "seed", 1, 0, 1e12, "Instances, the weights at the start and the tours drawn are functions of it."),
        real("capacity", "capacity", 0, 0, 1e6, "CVRP: what a vehicle carries. 0: as Kool et al. have it, 20 up to N = 10, 30 up to 20, 40 up to 50, else 50."),
        toggle("whole_demands", "whole demands", true, "CVRP: customers demand 1 to 9, as Kool et al. draw them; off: uniform in 0 to 1, as in EIE, whose capacities are 10, 15 and 20.")};
}

std::vector<LabChart> routingCharts()
{
    return {{"training", "Tours drawn in training", "Step", "Length", {{"training", "step", "length", "mean"}, {"training", "step", "shortest", "shortest of each instance"}}, false, false, "seed"},
            {"length", "Tours beside 2-opt with Or-opt", "Cities or customers, $n$", "Longer by (%)", {{"quality", "n", "gap_improved", ""}}, true, false, "policy"},
            {"change", "Change against vanilla", "Cities or customers, $n$", "Longer by (%)", {{"quality", "n", "change", ""}}, true, false, "policy"},
            {"encoder", "Entropy of the encoder's heads", "Cities or customers, $n$", "Row entropy (nats)", {{"quality", "n", "entropy_encoder", ""}}, true, false, "policy"},
            {"decoder", "Entropy of the decoder's glimpse", "Cities or customers, $n$", "Row entropy (nats)", {{"quality", "n", "entropy_decoder", ""}}, true, false, "policy"}};
}

}  // namespace

Lab routingLab()
{
    return {{"routing", "Routing", "n nodes \u2192 a tour", "Kool et al. 2019; EIE, tables 2 and 3",
             "An Attention Model learns by REINFORCE to route among N cities or customers and then makes greedy tours at up to 16 N, under any scale method in its encoder, its decoder's glimpse or both; beside the nearest neighbour and 2-opt with Or-opt. Trains one, takes one that comes with the program, or opens yours.",
             routingParameters(),
             {{"the shipped network", "routing:steps=0", "20 cities"},
              {"the shipped network of 50 cities", "routing:length=50,steps=0", "tested with 50 to 800"},
              {"train on 20 cities", "routing", "ten minutes on two cores"},
              {"train one quickly", "routing:steps=1200,width=64,inner=128,heads=4,rate=0.0005,sets=16,most=8", "a smaller network, a minute"},
              {"the shipped network for vehicles", "routing:vehicles=1,steps=0", "20 customers, capacity 30"},
              {"the shipped network of 50 customers", "routing:vehicles=1,length=50,steps=0", "capacity 40"},
              {"train on vehicles", "routing:vehicles=1,steps=2000", "five minutes on two cores"}},
             "METHODS | WHERE | MODEL | INSTANCES: scale methods, and where each acts (encoder, decoder, both, or one layer of the encoder, layer 1), with semicolons between them; an Attention Model's file, none to train; a file of instances in place of drawn ones",
             "vanilla; softmax_plus; infoscale; entropy_exact | encoder; decoder; both | |"},
            "quality", "methods", routingCharts(), runRoutingLab, {"methods", "where", "model", "instances"}};
}

}  // namespace attnscope
