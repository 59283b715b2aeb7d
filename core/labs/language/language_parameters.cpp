// The parameters that the language labs share.

#include "core/labs/lab_parameters.h"
#include "core/labs/language/language_experiment.h"

namespace attnscope {

std::vector<Parameter> languageParameters(const LanguageDefaults& d, const std::string& helpOnSteps,
                                          std::vector<Parameter> own)
{
    std::vector<Parameter> all{
        whole("steps", "training steps", d.steps, d.leastSteps, 1e7, helpOnSteps),
        whole("networks", "networks", 1, 1, 100,
              "Trained with one seed after another; each is tested, and several are compared over their seeds."),
        whole("seed", "seed", 1, 0, 999'999'999'900,  // with a hundred networks below testTextSeed
              "The weights at the start, the windows and the generated text are functions of it."),
        whole("length", "training length", d.length, 8, 16384, "N: tokens of a window in training."),
        whole("batch", "windows a step", d.batch, 1, 1024, "Each of N tokens."),
        whole("parts", "parts of a step", 1, 1, 1024,
              "In which its windows go through the network, one after another: the same step, to within rounding, in "
              "less memory; with dropout other draws."),
        whole("layers", "layers", d.layers, 1, 64, "Of attention and feed-forward."),
        whole("width", "width", d.width, 2, 4096, "Of the stream."),
        whole("inner", "inner width", d.inner, 1, 16384, "Of the feed-forward."),
        whole("heads", "heads", d.heads, 1, 256, "Query heads; the head size is the width over these."),
        whole("vocabulary", "vocabulary", d.vocabulary, 257, 65536,
              "Byte-level pieces, learned from the text; fewer where it has no more. The generated one has 843."),
        real("megabytes", "megabytes of text", d.megabytes, 0.01, 200,
             "Generated to train on; of a text of your own nine tenths are."),
        learningRate(d.rate, "AdamW"),
        matrixDecay(),
        real("dropout", "dropout", 0, 0, 0.9,
             "Of what layers write to the stream, in training: for texts that are short."),
        clipping(),
        warmup(),
        whole("sentence", "pictured from", 0, 0, 1e9,
              "Token of the test text at which the passage begins whose attention is shown while the network learns."),
        whole("most", "longest test", 16, 1, 1024, "In training lengths; tested are N, 2 N, 4 N and so on.")};
    std::ranges::move(own, std::back_inserter(all));
    return all;
}

}  // namespace attnscope
