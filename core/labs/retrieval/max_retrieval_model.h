#pragma once
// The single attention head of "softmax is not enough" (section 4.1, appendix A): find the class of the item of largest
// priority in a set.
//
//   item i:  x_i = (p_i, onehot(k_i)), p_i ~ U(0, 1), k_i one of 10 classes;   query: one number ~ U(0, 1), irrelevant
//   h_i = GELU(W2 GELU(W1 x_i))         q = Wq2 GELU(Wq1 query)                    width 128 throughout
//   e_i = (Q q) . (K h_i) / sqrt 128    alpha = softmax(e)      z = O (sum alpha_i V h_i)
//   y = W4 GELU(W3 z)                   cross-entropy against the class of the largest p_i
//
// as in the paper's flax listing (two GELUs on the items' side, biases everywhere, the attention's output layer O).
// Since the query is one row a set, (Q q).(K h) = (K^T Q q).h and sum alpha V h = V sum alpha h: attention runs on h
// itself, and K, V meet one row a set in place of one a key. K's bias adds the same to every logit of a set and has no
// effect. With factors in bfloat16 that is no longer quite the same: K^T Q q is rounded in place of K h, sum alpha h in
// place of V h, and V's bias, here a factor of sum alpha, is rounded too. What the items' own layers round is the same
// either way.

#include "core/learn/layers.h"
#include "core/learn/set_attention.h"

#include <cstdint>
#include <vector>

namespace attnscope {

/// `count` sets of `items` items each.
struct MaxRetrievalBatch {
    std::int64_t count = 0, items = 0;
    learn::Matrix features;             ///< (count items, 1 + classes): a set's items one after another
    learn::Matrix queries;              ///< (count, 1)
    std::vector<int> labels;            ///< class of the largest item
    std::vector<std::int64_t> largest;  ///< its place in the set
};

constexpr int maxRetrievalClasses = 10;

/// The best chance to name a set's class from its priorities as `products` hold them: any of those tied for the largest
/// may be it, so the share among them of their most frequent class. Its mean bounds what any head can be expected to
/// reach. Float32 leaves hardly a tie; bfloat16, with units of 1/256 from 1/2 on, many.
double resolvable(const MaxRetrievalBatch& batch, learn::Index set, learn::Products products);

/// Sets `firstSet` .. firstSet + count - 1 of a seed; their items are functions of (seed, set, place) alone.
MaxRetrievalBatch maxRetrievalBatch(std::uint64_t seed, std::uint64_t firstSet, std::int64_t count, std::int64_t items);

class MaxRetrievalModel {
public:
    /// `products`: how the factors of its products are held, in training and in use; for the tape that it runs on.
    MaxRetrievalModel(learn::Index width, std::uint64_t seed, learn::Products products);

    /// Class logits (count, classes) of a batch on the tape.
    learn::Var operator()(learn::Tape& tape, const MaxRetrievalBatch& batch);

    /// The same with weights alpha = rows(multiplier e) in place of softmax(e): class logits, and alpha (count, items).
    struct Weighed {
        learn::Var classes, weights;
    };
    Weighed weighed(learn::Tape& tape, const MaxRetrievalBatch& batch, const learn::RowFunction& rows,
                    double multiplier);

    /// The parts, for evaluation with other scales and normalisers: h of all items (count items, width); the vector
    /// whose inner product with h is the logit e, (count, width), 1/sqrt(width) included; and the class logits of sum
    /// alpha h, where `mass` (count, 1) is the sum of alpha.
    learn::Var items(learn::Tape& tape, const MaxRetrievalBatch& batch);
    learn::Var probe(learn::Tape& tape, const MaxRetrievalBatch& batch);
    learn::Var classify(learn::Tape& tape, learn::Var pooled, learn::Var mass);

    learn::Weights weights();
    learn::Index width() const { return m_width; }
    learn::Products products() const { return m_products; }

private:
    learn::Index m_width;
    learn::Products m_products;
    learn::Linear m_item1, m_item2, m_query1, m_query2, m_q, m_k, m_v, m_out, m_class1, m_class2;
};

}  // namespace attnscope
