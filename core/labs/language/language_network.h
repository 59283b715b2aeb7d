#pragma once
// What labs do with the small transformers that they train: keep them in folders that core/model opens, and read what
// attention is to be in training and in tests.

#include "core/labs/lab_support.h"
#include "core/labs/language/language_trainer.h"
#include "core/labs/checkpoint_store.h"
#include "core/networks/llama_folder.h"
#include "core/model/model.h"
#include "core/model/policy.h"

#include <map>
#include <optional>

namespace attnscope {

/// Choices with semicolons between them, each a scale method ("softmax_plus:B=64") or, with vanilla's scale, a
/// normaliser ("adaptive"). Errors: UnknownName, InvalidArgument.
Result<std::vector<Choice>> parseAttentions(const std::string& text);

/// What may stand in such a list; `training`: of those that networks learn with.
std::vector<Entry> attentionRows(bool training);

/// Such a choice put into a model, and of a model.
Policy attentionPolicy(const Choice& choice);
const Choice& attentionOf(const Policy& policy);
/// Vanilla attention with the model's own mask: what other policies are held against.
bool isVanillaPolicy(const Policy& policy);

/// Where tokens stand for a network, or which of them it sees: one of positions(), or a window of masks(), in which its
/// own positions stay; neither: it is as it was trained.
struct Placement {
    std::optional<Choice> position, mask;
};
/// The part of a lab's text that lists them, with the windows that look where its networks do.
LabPart positionsPart(bool causal);

/// A lab's text by its parts (Lab::textParts): "methods" and "train" are attentions, vanilla where none is named to
/// train with; "positions" are what networks are tested with; others stand as they are written.
struct LlamaText {
    std::vector<Choice> methods, trained;
    std::vector<Placement> positions;
    std::map<std::string, std::string> others;
};
/// Windows reach both ways in networks that are not causal. Errors: UnknownName, InvalidArgument (too many parts, no
/// method, a window that looks to other sides than the network).
Result<LlamaText> parseLlamaText(const Lab& lab, const std::string& text, bool causal);

/// Such a choice in force while a network learns.
struct TrainingAttention {
    std::vector<float> multipliers;  ///< of rows 0 .. length - 1; empty: 1
    MultipliersOf multipliersOf;     ///< of shorter sequences; 1 where the method has no value
    learn::InverseTemperature beta;  ///< empty: 1
};
/// Errors: those of resolve, InvalidArgument (a normaliser that is neither softmax nor one with a temperature by
/// entropy).
Result<TrainingAttention> trainingAttention(const Choice& choice, const learn::LlamaShape& shape, std::int64_t length);

/// "_softmax_plus", "_adaptive_2": what tells the files of networks trained with different choices apart; nothing for
/// vanilla.
std::string trainedSuffix(const std::vector<Choice>& trained, const Choice& choice);

/// Saves networks and opens them: tests are of what is kept.
class NetworkStore {
public:
    /// As FOLDER/NAME; without a folder in one that goes with the value. Errors: NotWritable, those of openModel.
    Result<Model> keep(learn::Llama& network, const std::string& folder, const std::string& name,
                       const learn::LlamaFolder& about);

private:
    StoreFolder m_store;
};

}  // namespace attnscope
