#pragma once
// A published transformer, open: its Architecture, its weights under the names of its family, and its tokeniser.

#include "core/model/architecture.h"
#include "core/model/shipped_models.h"
#include "core/model/tokenizer.h"
#include "core/model/weight_files.h"

#include <memory>
#include <string>
#include <vector>

namespace attnscope {

struct NormWeights {
    std::vector<float> weight, bias;  ///< (width); no bias in RMS norms
};

/// Where the coordinates of head h are in the output of a projection: columns first + h stride .. + d.
struct HeadColumns {
    size_t projection = 0;  ///< which of LayerWeights::projections
    Index first = 0, stride = 0;
};

struct LayerWeights {
    NormWeights beforeAttention, afterAttention, beforeFeed, afterFeed;  ///< `after`: of two-sided norms alone
    std::vector<Linear> projections;  ///< of the queries, keys and values: three, or one for all
    HeadColumns query, key, value;
    std::vector<float> queryNorm, keyNorm;  ///< (d), or empty
    Linear output;                          ///< (width, H d)
    Linear gate, up, down;                  ///< gate: of gated feed-forwards alone
};

struct Model {
    std::string folder;
    Architecture architecture;
    std::vector<std::string> unknownFields;    ///< of config.json
    std::shared_ptr<const WeightFiles> files;  ///< what the matrices look at
    StoredMatrix embedding;                    ///< (vocabulary, width)
    StoredMatrix positions;                    ///< (learnedPositions, width), or empty
    std::vector<LayerWeights> layers;
    NormWeights finalNorm;
    Linear head;                                 ///< (vocabulary, width): the embedding again where they are tied
    std::shared_ptr<const Tokenizer> tokenizer;  ///< null where the folder has none that is read
    std::string withoutTokenizer;                ///< and why
};

/// A folder in Hugging Face's layout: config.json, weights, perhaps a tokeniser; or a model that comes with the
/// program, where no folder has its name. Errors: those of readModelConfig and WeightFiles.
Result<Model> openModel(const std::string& folder);

/// One that comes with the program, whatever lies on the disk.
Result<Model> openShipped(const ShippedModel& model);

/// Is there a config.json?
bool isModelFolder(const std::string& path);

}  // namespace attnscope
