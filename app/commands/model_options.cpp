#include "app/commands/model_options.h"

#include "app/commands/model_text.h"
#include "core/attention/kernels.h"
#include "core/attention/masks.h"
#include "core/attention/normaliser.h"
#include "core/attention/positions.h"
#include "core/base/text.h"
#include "core/model/policy.h"

#include <algorithm>

namespace attnscope {

namespace {

constexpr NumberRange wholeFrom0{.minimum = 0, .maximum = 1e9, .whole = true},
    wholeFrom1{.minimum = 1, .maximum = 1e9, .whole = true};

}  // namespace

void addModelPositions(CLI::App& app, std::vector<std::optional<Choice>>& target)
{
    const auto read = [](const std::string& text, std::vector<std::optional<Choice>>& all) -> Result<void> {
        const std::optional<Choice> position = TRY(parsePositions(text));
        if (std::ranges::find(all, position) != all.end())
            return failure(ErrorKind::InvalidArgument, "{} is there twice; name each once", text);
        all.push_back(position);
        return {};
    };
    addSeveral(app, "--positions", "CHOICE", target, read,
               "Positions in place of the model's own: ids of `attnscope positions`; own keeps the model's. What is "
               "not given is the model's: base, pairs; s is n/N, at least 1; w is 128, at most N")
        ->default_str(std::string(ownPositions));
}

void addModelOptions(CLI::App& app, ModelSettings& s)
{
    addModelText(app, s.folder, s.text, s.ids);
    CLI::Option* lengths = addLengths(app, s.lengths);
    addMethods(app, s.methods)->default_str("vanilla");
    addModelPositions(app, s.positions);
    addChoice(app, "--mask", s.mask, masks(), "mask",
              "Mask in place of the model's own: an id of `attnscope masks`, as window:512");
    addChoice(app, "--normaliser", s.normaliser, normalisers(), "normaliser",
              "Normaliser of the rows: an id of `attnscope normalisers`; without it softmax, with the sinks that the "
              "model has");
    addChoice(app, "--kernel", s.kernel, kernels(), "kernel",
              "Kernel of queries and keys: an id of `attnscope kernels`");
    addTemperature(app, s.temperature);
    addTrainLength(app, s.nTrain)
        ->description("Reference (training) length N; without it the one of config.json")
        ->default_str("");
    addOption(
        app, "--in-layers", "LIST", s.inLayers,
        [](const std::string& text) { return readNumbers<int>(text, wholeFrom0); },
        "Only in these layers, as 0,1,5; the others stay as they are");
    app.add_option("--head-factors", s.headFactors,
                   "A number for each layer and head, on its multiplier: .npy, .npz or .safetensors of shape (layers, "
                   "heads) or (heads). With ssmax:s=1 it is the table of learned s")
        ->type_name("FILE");
    app.add_option_function<std::string>(
           "--products",
           [&s](const std::string& word) {
               if (word != "exact" && word != "integers")
                   throw CLI::ValidationError("--products", "expected exact or integers, got '" + word + "'");
               s.products = word == "integers" ? Products::Integers : Products::Exact;
           },
           "How weights of Q8_0 and Q4_0 are multiplied. exact: widened to float32; integers: as they are, with "
           "activations rounded to eight bits, faster and off by about half a percent a product")
        ->type_name("exact|integers")
        ->default_str("exact");
    CLI::Option* policy =
        app.add_option_function<std::string>(
               "--policy",
               [&s](const std::string& word) {
                   if (word != "in-force" && word != "captured")
                       throw CLI::ValidationError("--policy", "expected in-force or captured, got '" + word + "'");
                   s.captured = word == "captured";
               },
               "in-force: every layer computes with it; captured: it is put on the queries and keys of the unchanged "
               "model, for entropies alone")
            ->type_name("in-force|captured")
            ->default_str("in-force");
    CLI::Option* windows = addOption(
        app, "--windows", "LIST", s.windows,
        [](const std::string& text) { return readNumbers<std::int64_t>(text, wholeFrom0); },
        "Windows by number, as 0,1,2: window w begins at token w times --stride; without it four, as far "
        "apart as the text allows for the longest n, so that other lengths begin at the same tokens: another "
        "longest n is other windows. Where they overlap there is no standard error");
    addNumber(app, "--stride", s.stride, wholeFrom1, "Tokens from one window to the next")->needs(windows);
    CLI::Option* last = addNumber(app, "--last", s.last, wholeFrom0,
                                  "Only the last predictions of a window count, this many and at most n/2; 0: all");
    CLI::Option* byPosition =
        app.add_flag("--by-position", s.byPosition, "A row a range of places in the window, in place of their mean");
    CLI::Option* layers = app.add_flag("--layers", s.layers, "A row a layer: its mean entropy")->excludes(byPosition);
    CLI::Option* heads = app.add_flag(
        "--heads", s.heads,
        "A row a head: its mean entropy, and what it is for: the mean weight on the first token and on the first four "
        "(sinks), on the previous token, on itself, fewer than 8 tokens away, on what followed the last token like "
        "this one (induction; see --text repeated), the distance of the largest weight, e^H over the keys seen "
        "(spread), the largest logit less the smallest (gap), and over several n the slope of H over ln n");
    heads->excludes(byPosition)->excludes(layers);
    app.add_flag("--gradients", s.gradients,
                 "Beside the heads the gradient of the mean loss over ln m of each, others held: below 0 it wants to "
                 "be sharper. Over the windows of --windows, or two: by the backward pass where the model's layers are "
                 "Llama's, as those of ours are; else by central differences, ln m moved by 0.05, for which each "
                 "window runs twice for every head")
        ->needs(heads);
    app.add_flag("--bounds", s.bounds,
                 "Beside the heads the largest gap of logits that their weights allow, whatever the text, in nats "
                 "(proposition 3.1 of \"softmax is not enough\"); inf: nothing bounds it")
        ->needs(heads);
    CLI::Option* generate = addNumber(app, "--generate", s.generate,
                                      {.minimum = 1, .maximum = static_cast<double>(longestRun), .whole = true},
                                      "Continue the prompt by this many tokens, the likeliest ones or as --sample has "
                                      "it, in place of predicting a text")
                                ->default_str("");
    CLI::Option* sample = addNumber(app, "--sample", s.sample, {.minimum = 0, .maximum = 1000},
                                    "Draw each token with probability softmax(logits / T); 1: the model's own "
                                    "distribution, 0: the likeliest token")
                              ->type_name("T")
                              ->needs(generate);
    s.ofDraws = {addSeed(app, s.seed)->description("Seed of the draws")->needs(sample)};
    app.add_option("--prompt", s.prompt, "What to continue; without it the begin token alone")
        ->type_name("TEXT")
        ->needs(generate);
    CLI::Option* saveHeads =
        app.add_option("--save-qk", s.saveHeads,
                       "Write the queries and keys of the first window, before positions, to a .safetensors file")
            ->type_name("FILE");
    CLI::Option* engine = addEngine(app, s.engine);
    for (CLI::Option* ofText : {app.get_option("--text"), app.get_option("--ids"), lengths, policy, windows, last,
                                byPosition, layers, heads, saveHeads, engine})
        generate->excludes(ofText);
    addFormat(app, s.format);
    addOutput(app, s.output);
    addProgress(app, s.progress);
}

}  // namespace attnscope
