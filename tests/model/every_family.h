#pragma once
// A small model of every family that is run. Those of small_models.h are written out, and known by a forward pass of
// their own; of some others the config stands here, and the tensors are those that the family's reader misses, one
// after another; the rest are those of transformers.json: for tests that need a model of each kind and not its numbers.

#include "tests/model/small_models.h"

#include <string>

#include <tl/expected.hpp>

/// Writes the folder of a model of this model_type, or of "llama3", and gives what it has written, or why it could not.
/// `changes` are merged into its config.
tl::expected<SmallModel, std::string> writeFamily(const std::string& type, const std::string& folder,
                                                  const nlohmann::json& changes = nlohmann::json::object());

/// What transformers_losses.py has computed of small models: their configs, tensors, losses, and heads' entropies.
const nlohmann::json& ofTransformers();
SmallModel modelOfTransformers(const nlohmann::json& entry);

/// A tensor whose numbers are functions of its name and their places in it: about 1 where it is the factors of a norm.
SmallTensor tensorOfName(const std::string& name, const std::vector<std::int64_t>& shape);
