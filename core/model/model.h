#pragma once
// A published transformer, open: its Architecture, its weights under the names of its family, and its tokeniser.

#include "core/model/architecture.h"
#include "core/model/layer_weights.h"
#include "core/model/shipped_models.h"
#include "core/model/tokenizer.h"
#include "core/model/weight_files.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace attnscope {

/// What encoders that find hidden tokens do before the head: norm(act(map x)).
struct HeadTransform {
    Linear map;  ///< without outputs: there is none
    Activation activation = Activation::Gelu;
    NormWeights norm;
};

/// What the next token is that a model says: of any text, or of networks of the lab recall what a key was told with, or
/// the word that followed this one before, and no other.
enum class TrainedToSay { Text, Values, Copies };

struct Model {
    std::string folder;
    Architecture architecture;
    std::uint64_t configStamp = 0;             ///< another where config.json, or what a .gguf file has for it, is
    std::vector<std::string> unknownFields;    ///< of config.json
    std::vector<std::string> unreadTensors;    ///< of the weights, whose names say nothing of being harmless
    std::vector<std::string> remarks;          ///< what config and weights contradict each other or themselves in
    TrainedToSay says = TrainedToSay::Text;    ///< by the metadata of its weights
    std::int64_t parameters = 0;               ///< of all that was read, what two matrices share once
    std::shared_ptr<const WeightFiles> files;  ///< what the matrices look at
    StoredMatrix embedding;                    ///< (vocabulary, width)
    StoredMatrix positions;                    ///< (learnedPositions, width), or empty
    std::vector<float> tokenType;              ///< (width), added to every embedding; or empty
    NormWeights embeddingNorm;                 ///< or none
    Linear embeddingMap;                       ///< of narrower embeddings to the width; else without outputs
    std::vector<LayerWeights> layers;
    NormWeights finalNorm;  ///< or none
    HeadTransform headTransform;
    Linear head;                                 ///< (vocabulary, width): the embedding again where they are tied
    std::shared_ptr<const Tokenizer> tokenizer;  ///< null where the folder has none that is read
    std::string withoutTokenizer;                ///< and why
};

/// What a model is, known from its config and the headers of its files: before its tokeniser and its weights are read,
/// which of large ones takes a while.
struct ModelOutline {
    Architecture architecture;
    std::string dtypes;  ///< of the weights: "Q4_K and F32"
    std::uint64_t bytes = 0;
    std::uint64_t numbers = 0;  ///< of all tensors
};
/// What a person asks first, a line each: family and sizes; how many numbers in what, in how many bytes; positions.
std::vector<std::string> linesOf(const ModelOutline& outline);
ModelOutline outlineOf(const Model& model);

/// A folder in Hugging Face's layout: config.json, weights, perhaps a tokeniser; a .gguf file, whatever its name; or a
/// model that comes with the program, where nothing else has its name. Errors: those of readModelConfig, WeightFiles
/// and openGguf. `soon` is told what it is as soon as that is known.
Result<Model> openModel(const std::string& folder, const std::function<void(const ModelOutline&)>& soon = {});

/// One that comes with the program, whatever lies on the disk.
Result<Model> openShipped(const ShippedModel& model);

/// What a reader of its numbers should know, a sentence each: fields and tensors that were passed over, contradictions.
std::vector<std::string> notesOf(const Model& model);

/// A folder with a config.json, or a .gguf file?
bool isModel(const std::string& path);

}  // namespace attnscope
