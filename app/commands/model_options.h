#pragma once
// The options of `attnscope model`.

#include "app/commands/options.h"
#include "core/model/model.h"
#include "core/model/products.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attnscope {

struct ModelSettings {
    std::string folder = shippedModel, text, ids;
    std::vector<std::int64_t> lengths;
    std::vector<Choice> methods{{"vanilla", {}, {}}};
    std::vector<std::optional<Choice>> positions{std::nullopt};  ///< nothing: the model's own
    std::optional<Choice> mask;
    std::optional<Choice> normaliser;
    Choice kernel{"dot", {}, {}};
    double temperature = 1;
    double nTrain = 0;          ///< 0: the model's
    std::vector<int> inLayers;  ///< empty: everywhere
    std::string headFactors;    ///< a file of theirs; empty: 1
    bool captured = false;
    std::vector<std::int64_t> windows;  ///< empty: spread over the text
    std::int64_t stride = 4096, last = 0;
    bool byPosition = false, heads = false, layers = false, gradients = false, bounds = false;
    std::int64_t generate = 0;
    double sample = 0;       ///< the temperature of draws; 0: the likeliest token
    std::uint64_t seed = 1;  ///< of the draws
    std::string prompt, saveHeads;
    std::string engine = "auto";
    Products products = Products::Exact;
    bool progress = false;
    std::optional<Format> format;
    std::string output;
    Options ofDraws;
};

/// --positions CHOICE...: nothing is the model's own.
void addModelPositions(CLI::App& app, std::vector<std::optional<Choice>>& target);

void addModelOptions(CLI::App& app, ModelSettings& settings);

}  // namespace attnscope
