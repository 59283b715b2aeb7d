#pragma once
// Names and styles of what the max-retrieval lab compares.

#include <QString>

#include <vector>

namespace attnscope {

/// Of "METHOD" or "METHOD|NORMALISER" (core/labs/max_retrieval_evaluation.h), as markup; a text that is no method's is its own.
QString variantLabel(const QString& variant);

/// Their methods' styles (ui/plot/method_style.h); a normaliser's name among them is a variant of vanilla. Where none is a method's, 0, 1, 2, ...
std::vector<int> variantStyles(const std::vector<QString>& variants);

}  // namespace attnscope
