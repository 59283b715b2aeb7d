// The lab `masked-lm`: small encoders learn to find hidden tokens in windows of N and are tested at up to 16 N, under
// scale methods and positions: the experiment of Su 2021, and of Li et al. 2025 with the cosine.

#include "core/base/parameter.h"
#include "core/labs/lab_parameters.h"
#include "core/labs/lab_charts.h"
#include "core/labs/language/language_experiment.h"
#include "core/labs/language/language_network.h"

namespace attnscope {

namespace {

std::vector<Parameter> maskedLmParameters()
{
    return languageParameters(
        {.steps = 1000,
         .leastSteps = 1,
         .length = 64,
         .batch = 32,
         .layers = 2,
         .width = 64,
         .inner = 128,
         .heads = 4,
         .vocabulary = 512,
         .megabytes = 3,
         .rate = 4e-3},
        "Of AdamW, a batch of windows each.",
        {cosineFactor(),
         real("base", "base of the positions", 10, 1.01, 1e9,
              "Rotary pair j turns by base^(-2j/d) a place. With 10 and d = 16 every pair goes round within N = 64, so "
              "that no angle beyond N is new; with the usual 10000 new angles spoil more than dispersion does."),
         real("hidden", "hidden share", 0.15, 0.01, 0.9, "Of the tokens of a window in training; in tests 15 % are."),
         whole("tokens", "test tokens", 16384, 64, 1e8,
               "Of each length, in as many windows as hold so many, two at least; every policy sees the same.")});
}

std::vector<LabChart> maskedLmCharts()
{
    return {lossOfTraining("nats a hidden token", "seed"),
            againstLength("accuracy", "Hidden tokens found in longer texts", inTokens, "Share found", "accuracy"),
            perplexityOf("Perplexity of hidden tokens"), entropyOfHeads(), accuracyInTraining("seed")};
}

}  // namespace

Lab maskedLmLab()
{
    return {
        {"masked-lm",
         "A masked language model",
         "find what is hidden",
         "Su 2021; Li et al. 2025 (InfoScale), tables 9 and 10",
         "A small encoder learns to find hidden tokens in windows of N, and does so at up to 16 N under any scale "
         "method and positions: vanilla attention disperses over ever more keys, and one that grows with ln n less.",
         maskedLmParameters(),
         {{"with the defaults", "masked-lm", "two minutes on two cores"},
          {"three seeds", "masked-lm:networks=3", "with a test over the seeds, in the table seeds"},
          {"Su's table", "masked-lm:networks=3,\"vanilla; softmax_plus:B=512 | rope | | vanilla; softmax_plus:B=512\"",
           "Su 2021: trained and tested with 1 and with ln n / ln 512"},
          {"cosine", "masked-lm:alpha=16", "Li et al. 2025, CosScale"},
          {"the usual base", "masked-lm:base=10000,\"vanilla; softmax_plus; infoscale | rope; ntk; rerope | |\"",
           "positions decide first"},
          {"larger", "masked-lm:steps=4000,layers=4,width=128,inner=344,heads=8,megabytes=6,rate=0.002",
           "4 layers, 128 wide, as labs of this kind are"}},
         "METHODS | POSITIONS | FILE | METHODS TO TRAIN WITH: scale methods or normalisers and positions or windows to "
         "test, with semicolons between them, a text of your own in place of the generated one, and those in force in "
         "training, a network for each",
         "vanilla; softmax_plus; infoscale | rope | |"},
        qualityTable,
        "methods",
        maskedLmCharts(),
        runMaskedLm,
        {{"methods", attentionRows(false)}, positionsPart(false), {"text"}, {"train", attentionRows(true)}}};
}

}  // namespace attnscope
