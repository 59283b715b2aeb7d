#pragma once
// A normaliser turns the logits x of a row's visible keys into weights w. Each is a row of one table: `solve` looks at
// the whole row once and keeps two numbers (a factor on the logits and a shift: softmax's ln Z, sparsemax's threshold,
// ...); after that the weight of a key depends on its own logit alone, so pictures of huge matrices stream.

#include "core/attention/normaliser_gradients.h"
#include "core/attention/row_summary.h"
#include "core/base/choice.h"

#include <optional>
#include <span>

namespace attnscope {

/// Normalisers that are a softmax at heart, w = e^(beta x) / (e^s + sum e^(beta x)), as an engine that streams tiles
/// sees them: no row of logits is ever held.
struct SoftmaxForm {
    double (*beta)(double entropy, const Parameters&) = nullptr;   ///< from the entropy at beta = 1; null: beta is 1
    double (*slope)(double entropy, const Parameters&) = nullptr;  ///< of beta, 0 where beta jumps; null: beta is 1
    double (*eps)(const Parameters&) = nullptr;                    ///< of that entropy, -sum p ln(p + eps); null: 0
    double (*silentLogit)(const Parameters&) = nullptr;            ///< s; null: no silent key
};

struct Normaliser : Entry {
    bool sumsToOne = true;
    /// `logits`: of the visible keys, at least one; may hold -inf and +inf.
    NormaliserState (*solve)(std::span<const double> logits, const Parameters&);
    /// The weight of one key.
    double (*weight)(double logit, const NormaliserState&, const Parameters&);
    NormaliserGradient gradient;  ///< from dL/dweights to dL/dlogits, for heads that learn
    /// ln of the weight of one key, where every key that is seen has some: it goes on where the weight underflows.
    /// Null: weights may be zero.
    double (*logWeight)(double logit, const NormaliserState&, const Parameters&) = nullptr;
    std::optional<SoftmaxForm> softmaxForm = std::nullopt;
    /// May weights rise with their logits as steeply as a root at 0, or with nothing to divide by? Logits of float32
    /// will then not do. Null: never.
    bool (*steep)(const Parameters&) = nullptr;
};

std::span<const Normaliser> normalisers();

/// Plain softmax.
bool isSoftmax(const Choice& normaliser);
/// A softmax with something beside it, as SoftmaxForm says: every key that is seen has a weight.
bool hasSoftmaxForm(const Choice& normaliser);
/// Adaptive temperature with the polynomial of the paper, read as there.
bool isAdaptiveAsPublished(const Choice& normaliser);
/// Softmax beside a silent key of this logit.
Choice sinkOf(double logit);
/// A sink for each head of a model, from the file that the text names (readHeadTable): heads get theirs from a policy.
bool takesSinksOfFile(const Choice& normaliser);

}  // namespace attnscope
