// The lab `recall`: multi-query associative recall, a task that no window of N tokens solves. Its parameters and
// charts.

#include "core/labs/lab_charts.h"
#include "core/labs/lab_parameters.h"
#include "core/labs/language/language_experiment.h"
#include "core/labs/language/language_network.h"

namespace attnscope {

namespace {

std::vector<Parameter> recallParameters()
{
    return {
        whole("steps", "training steps", 6000, 1, 1e7, "Of AdamW, each on a batch of sequences."),
        whole("networks", "networks", 1, 1, 100,
              "For each method to train with, one seed after another; several are compared over their seeds."),
        whole("seed", "seed", 1, 0, 1e12, "The weights at the start and the sequences are functions of it."),
        whole("length", "training length", 64, 8, 4096, "N: tokens of a sequence, at most, in training."),
        whole("batch", "sequences a step", 16, 1, 1024, "Of N tokens; of shorter ones as many more."),
        whole("layers", "layers", 2, 1, 64,
              "Of attention and feed-forward. Two are needed: one carries keys to their values, one finds them."),
        whole("width", "width", 64, 2, 4096, "Of the stream."),
        whole("inner", "inner width", 128, 1, 16384, "Of the feed-forward."),
        whole("heads", "heads", 1, 1, 256, "The head size is the width over these."),
        cosineFactor(),
        whole("pairs", "pairs", 4, 1, 1024, "D: keys told with their values, and asked for, in a sequence."),
        whole("keys", "keys", 16, 1, 16384, "Words that keys are chosen from."),
        whole("values", "values", 16, 2, 16384, "Words that values are chosen from."),
        whole("fillers", "fillers", 16, 1, 16384, "Words that stand everywhere else."),
        real("power", "power of the gaps", 1, 0.01, 1,
             "a: how far behind the pairs a key is asked for has the density a u^(a - 1); 1: all places alike."),
        real("scattered", "scattered", 0, 0, 1,
             "Share of the sequences, of training and of tests, whose pairs stand anywhere, each before its key is "
             "asked "
             "for; 0: all pairs come first."),
        real("copied", "copied", 0, 0, 1,
             "Share of the sequences that are copies: words drawn at random, then the same ones again, each of which "
             "asks for the next."),
        whole("skips", "skips", 0, 0, 64,
              "Places in training sequences where positions jump ahead, so that none is new in longer tests; 0: "
              "they stand at 0, 1, 2 and so on."),
        real("reach", "reach of skips", 16, 1, 1024, "To which they do, in N."),
        real("growth", "growth", 0.5, 0, 1,
             "Share of the steps in which sequences grow from 16 tokens to N, and values ask for the key before them."),
        learningRate(1e-3, "AdamW"),
        real("decay", "decay", 0, 0, 10, "Decoupled weight decay of the matrices."),
        clipping(),
        whole("warmup", "warm-up", 200, 1, 1e6, "Steps in which the rate rises."),
        whole("sequences", "test sequences", 256, 2, 1e6,
              "At N, as many fewer as they are longer, but 8 at least; every method sees the same."),
        whole("most", "longest test", 16, 1, 1024, "In N; tested are N, 2 N, 4 N and so on."),
        real("qualified", "qualified from", 95, 0, 100,
             "Per cent of what was told that a network must find at N, and of what was told three quarters of N "
             "before or earlier, to be tested beyond.")};
}

std::vector<LabChart> recallCharts()
{
    LabChart recall = againstLength("recall", "Recall in longer sequences", inTokens, "Answers right (%)", "percent");
    addReference(recall, "window", "who sees $N$ tokens");
    addReference(recall, "guessed", "guessed");
    return {lossOfTraining("nats an answer", "network"), accuracyInTraining("network"), recall,
            recallOverDistance("Recall against distance, in the longest sequences", "distance"), entropyOfHeads()};
}

}  // namespace

Lab recallLab()
{
    return {{"recall",
             "Recall of far pairs",
             "values of keys",
             "Arora et al. 2023 (Zoology)",
             "A small Llama learns which value each key was told with, at N tokens, and is asked at up to 16 N, among "
             "ever more fillers, under any scale method and positions. A network that does not find what was told N "
             "tokens before is not tested.",
             recallParameters(),
             {{"with the defaults", "recall", "about a minute of one core"},
              {"three seeds", "recall:networks=3", "compared over networks"},
              {"positions that jump", "recall:skips=2", "so that far ones are not new"},
              {"cosine", "recall:alpha=16", "Li et al. 2025, CosScale"},
              {"windows", "recall:\"vanilla; infoscale | rope; window:w=64; sink_window:w=64; lambda:w=64 |\"",
               "as a scheme beside positions, without a scale and with one"},
              {"needles", "recall:scattered=1", "pairs anywhere among the fillers"},
              {"copies", "recall:copied=1,fillers=992", "words, and the same ones again"}},
             "METHODS | POSITIONS | METHODS TO TRAIN WITH: scale methods or normalisers and positions or windows to "
             "test, with semicolons between them, and those in force in training, a network for each",
             "vanilla; softmax_plus; infoscale | rope; ntk; rerope:w=64 |"},
            qualityTable,
            "methods",
            recallCharts(),
            runRecall,
            {{"methods", attentionRows(false)}, positionsPart(true), {"train", attentionRows(true)}}};
}

}  // namespace attnscope
