#pragma once
// Names as figures print them, and the styles of what labs compare.

#include "core/base/choice.h"

#include <QString>

#include <cstddef>
#include <vector>

namespace attnscope {

/// A label as markup: what stands alone as one letter is a symbol. "Log n" -> "Log $n$", "Softmax Plus (B = 64)" ->
/// "... ($B$ = 64)".
QString symbolsIn(const QString& label);

/// Of a scale method: "Softmax Plus (B = 64)", as markup; the id if the choice is unknown.
QString methodLabel(const Choice& method);

/// Of a panel: "a", "b", ...
QString panelLetter(std::size_t index);

/// Of "METHOD" or "METHOD|NORMALISER" (core/labs/retrieval/max_retrieval_evaluation.h), as markup; a text that is no
/// method's is its own.
QString variantLabel(const QString& variant);

/// Of what a lab calls a policy, "rope, infoscale:row=1, trained with log_n", or of a network's file: its parts by the
/// names that the registries have, as markup.
QString policyLabel(const QString& policy);

/// Of one part: a scale method, positions or a normaliser; any other text is its own.
QString policyPartLabel(const QString& part);

/// Their methods' styles (ui/plot/method_style.h); a normaliser's name among them is a variant of vanilla, while
/// vanilla under another normaliser or mask is a baseline. Where none is a method's, 0, 1, 2, ...
std::vector<int> variantStyles(const std::vector<QString>& variants);

}  // namespace attnscope
