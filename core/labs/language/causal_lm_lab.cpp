// The lab `causal-lm`: trains small Llamas (or takes the one that comes with the program) and tests how they predict at
// up to 16 times the length trained at, under scale methods and positions.

#include "core/base/parameter.h"
#include "core/labs/lab_parameters.h"
#include "core/labs/lab_charts.h"
#include "core/labs/language/language_experiment.h"
#include "core/labs/language/language_network.h"

namespace attnscope {

namespace {

std::vector<Parameter> causalLmParameters()
{
    return languageParameters({.steps = 1500,
                               .leastSteps = 0,
                               .length = 256,
                               .batch = 8,
                               .layers = 3,
                               .width = 96,
                               .inner = 256,
                               .heads = 6,
                               .vocabulary = 1024,
                               .megabytes = 4,
                               .rate = 3e-3},
                              "0 takes the model that comes with the program.",
                              {whole("key_heads", "key heads", 3, 1, 256, "Shared by the query heads."),
                               toggle("log_n", "train with log n", false,
                                      "Logits of a row are multiplied by ln n / ln N in training, n the keys that it "
                                      "sees: Su's and Scalable-Softmax's recipe. Test with softmax_plus:row=1."),
                               whole("windows", "test windows", 8, 1, 1000,
                                     "Of each length, as far apart as the text allows; every policy sees the same."),
                               whole("last", "predictions", 128, 0, 1e6,
                                     "The last ones of a window, which count, at most half of it; 0: all.")});
}

std::vector<LabChart> causalLmCharts()
{
    return {lossOfTraining("nats a token", "seed"),
            accuracyInTraining("seed"),
            perplexityOf("Perplexity on longer texts"),
            againstLength("recall", "Facts recalled", inTokens, "Share of the answers", "recall"),
            recallOverDistance("Recall against distance, in the longest texts", "recall"),
            entropyOfHeads()};
}

}  // namespace

Lab causalLmLab()
{
    return {{"causal-lm",
             "A language model",
             "next token",
             "Su 2021; Li et al. 2025 (InfoScale), tables 1 to 3",
             "A small Llama learns a text, generated stories or yours, at N tokens, and predicts it at up to 16 N "
             "under any scale method and positions; the generated stories ask for facts told long before.",
             causalLmParameters(),
             {{"with the defaults", "causal-lm", "makes the shipped model again"},
              {"small",
               "causal-lm:steps=1200,length=128,layers=2,width=64,inner=176,heads=4,key_heads=2,vocabulary=768,"
               "megabytes=3,rate=0.004",
               "the quickest that recalls"},
              {"larger", "causal-lm:steps=3000,layers=4,width=128,inner=344,heads=8,key_heads=4,megabytes=6",
               "4 layers, 128 wide"},
              {"the shipped model", "causal-lm:steps=0", "no training"},
              {"trained with log n", "causal-lm:log_n=1", "Su 2021; Scalable-Softmax 2025"}},
             "METHODS | POSITIONS | FILE: scale methods or normalisers and positions or windows to test, with "
             "semicolons between them, and a text of your own in place of the generated one",
             "vanilla; softmax_plus:row=1; infoscale:row=1 | rope; ntk; yarn_rope; rerope |"},
            qualityTable,
            "methods",
            causalLmCharts(),
            runCausalLm,
            {{"methods", attentionRows(false)}, positionsPart(true), {"text"}}};
}

}  // namespace attnscope
