#pragma once
// The model of a figure and its text, by their names; and the texts that the window itself has.

#include "core/model/model.h"

#include <QString>

#include <string>
#include <vector>

namespace attnscope {

class ObjectReader;

inline constexpr const char* manualTextName = "manual";

/// The program's own prose: a text that is always here.
std::string manualText();

/// A token as it is shown on an axis: its text, with signs for what cannot be seen.
QString shownToken(const Model& model, int id);

/// Of a figure: its parameters "model", "text" and "typed".
struct ModelAsked {
    std::string model, text, typed;  ///< a folder, a file or the name of one that ships; a file or a name; in its place
    double tokens = 0;               ///< of a text that is made; 0: as many as its windows need
    /// Those that come with the program.
    ModelAsked();
    void read(ObjectReader& reader);
    /// "stories, on text made for it"; markup.
    QString inWords() const;
    QString textInWords() const;
};
/// Their names, as markup.
QString modelsInWords(const std::vector<std::string>& models);
/// Of a text that is made so many. Errors: those of namedTokens and of the tokeniser.
Result<std::vector<int>> tokensOf(const Model& model, const ModelAsked& asked, double tokens);

}  // namespace attnscope
