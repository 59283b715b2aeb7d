#pragma once
// Small models made on the spot: a config.json and weights that are functions of their names, in the layouts of the
// published families; and a plain forward pass over the same tensors, in double precision, written from the papers and
// sharing no code with core/model.

#include "core/tensor/tensor_file.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

struct SmallTensor {
    std::vector<std::int64_t> shape;
    std::vector<float> values;
};

struct SmallModel {
    nlohmann::json config;
    std::map<std::string, SmallTensor> tensors;
};

/// "llama", "llama3" (a Llama with stretched positions), "mistral", "qwen2", "qwen3", "gemma2", "gpt2", "gpt_neox",
/// "gemma", "gemma3_text", "olmo2", "smollm3", "granite", "mixtral", "qwen3_moe".
SmallModel smallModel(const std::string& name);

/// A number in (-1, 1) that depends on a tensor's name and a place in it.
double numberOfName(const std::string& name, std::size_t place);

/// The values that `dtype` can hold: what was written is what the plain forward pass then uses.
void roundTo(SmallModel& model, attnscope::Dtype dtype);

/// Writes the folder: one file, or `files` of them with an index. Empty if it was written, else why not.
std::string writeModel(const SmallModel& model, const std::string& folder,
                       attnscope::Dtype dtype = attnscope::Dtype::F32, int files = 1);

/// What is put inside: a factor on the logits of the query at place i (from 0), and a stretch of the positions.
struct PlainPolicy {
    std::function<double(int i)> multiplier = [](int) { return 1.0; };
    double stretch = 1;
};

/// Logits (tokens, vocabulary).
std::vector<std::vector<double>> plainLogits(const SmallModel& model, const std::vector<int>& ids,
                                             const PlainPolicy& policy = {});

/// -ln p(next) from a row of logits.
double plainLoss(const std::vector<double>& logits, int next);
