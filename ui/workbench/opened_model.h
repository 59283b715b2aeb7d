#pragma once
// The model that the document names and the tokens of the text that it predicts.

#include "core/base/file_stamp.h"
#include "core/document/look.h"
#include "core/model/model.h"

#include <QString>

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope {

inline constexpr std::uint64_t longestTextFile = 1ULL << 28;  ///< bytes

/// What of a ModelLook decides them, and how often they were asked for: to open is an event, so that a folder that was
/// mended opens, and a text that was edited is read again.
struct ModelSource {
    std::string folder;
    ModelText text = ModelText::Generated;
    std::string file, typed;   ///< where `text` is these
    std::int64_t longest = 0;  ///< tokens of a window, of texts that are made as long as is needed; 0: 4 N
    int windows = 0;           ///< of these texts
    int openings = 0;          ///< of the model
    int readings = 0;          ///< of its text
    bool operator==(const ModelSource&) const = default;
    /// The same model, with whatever text.
    bool sameInput(const ModelSource& other) const { return folder == other.folder && openings == other.openings; }
};
ModelSource sourceOf(const ModelLook& look);

/// Texts that are made are as long as is needed; others are what they are.
inline bool isMade(ModelText text) { return text == ModelText::Repeated || text == ModelText::Generated; }
/// How many tokens of such a text there are for a model: as many as windows need that share none, at most a million.
std::int64_t madeTokensFor(const ModelSource& source, const Architecture& architecture);
/// The first so many tokens of such a text, and at most a million. Errors: Unavailable (stories without a tokeniser).
Result<std::vector<int>> madeTokens(const Model& model, ModelText kind, std::int64_t count);

struct OpenedModel {
    std::shared_ptr<const Model> model;
    std::shared_ptr<const std::vector<int>> ids;
    QString error;                 ///< why there is no model, or no text for it
    QString about;                 ///< what the model is, a line each (linesOf); known before it is open
    std::vector<FileStamp> files;  ///< of its folder as it was opened; none of one that comes with the program
};
/// The model of `before`, if any; and its tokens, where they are the same still: they are told apart by identity. What
/// the model is, is published as soon as that is known.
OpenedModel openModelAndText(const ModelSource& source, const std::shared_ptr<const OpenedModel>& before,
                             const std::stop_token& stop, const std::function<void(OpenedModel)>& publish);

}  // namespace attnscope
