#pragma once
// Names of what the max-retrieval lab compares.

#include <QString>

namespace attnscope {

/// Of "METHOD" or "METHOD|NORMALISER" (core/labs/max_retrieval_evaluation.h), as markup; a text that is no method's is its own.
QString variantLabel(const QString& variant);

}  // namespace attnscope
