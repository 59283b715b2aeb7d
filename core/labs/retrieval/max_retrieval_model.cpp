#include "core/labs/retrieval/max_retrieval_model.h"

#include "core/base/random.h"
#include "core/learn/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace attnscope {

using namespace learn;

namespace {
constexpr Index setsPerTask = 16;
}

MaxRetrievalBatch maxRetrievalBatch(std::uint64_t seed, std::uint64_t firstSet, std::int64_t count, std::int64_t items)
{
    const Random random(seed, Stream::Sampling);
    MaxRetrievalBatch batch{count,
                            items,
                            Matrix::Zero(count * items, 1 + maxRetrievalClasses),
                            Matrix(count, 1),
                            std::vector<int>(static_cast<std::size_t>(count)),
                            std::vector<std::int64_t>(static_cast<std::size_t>(count))};
    forChunks(count, setsPerTask, [&](Index begin, Index end, Index) {
        for (Index set = begin; set < end; ++set) {
            const std::uint64_t row = firstSet + static_cast<std::uint64_t>(set);
            batch.queries(set, 0) = static_cast<float>(random.uniform(row, 0));
            float largest = -1;
            for (Index item = 0; item < items; ++item) {
                const std::uint64_t column = 2 * static_cast<std::uint64_t>(item) + 1;
                const float priority = static_cast<float>(random.uniform(row, column));
                const int kind = static_cast<int>(random.uniform(row, column + 1) * maxRetrievalClasses);
                batch.features(set * items + item, 0) = priority;
                batch.features(set * items + item, 1 + kind) = 1;
                if (priority > largest) {
                    largest = priority;
                    batch.labels[static_cast<std::size_t>(set)] = kind;
                    batch.largest[static_cast<std::size_t>(set)] = item;
                }
            }
        }
    });
    return batch;
}

double resolvable(const MaxRetrievalBatch& batch, Index set, Products products)
{
    const Matrix exact = batch.features.middleRows(set * batch.items, batch.items).leftCols(1);
    const Factor priorities(products, ConstMatrixView(exact.data(), batch.items, 1));
    std::array<int, maxRetrievalClasses> tied{};
    const float largest = priorities.view().maxCoeff();
    for (Index item = 0; item < batch.items; ++item)
        if (priorities.view()(item, 0) == largest)
            for (int kind = 0; kind < maxRetrievalClasses; ++kind)
                tied[static_cast<std::size_t>(kind)] += batch.features(set * batch.items + item, 1 + kind) == 1;
    return static_cast<double>(*std::ranges::max_element(tied)) / std::accumulate(tied.begin(), tied.end(), 0);
}

MaxRetrievalModel::MaxRetrievalModel(Index width, std::uint64_t seed, Products products)
    : m_width(width), m_products(products), m_item1("item_mlp.0", 1 + maxRetrievalClasses, width),
      m_item2("item_mlp.2", width, width), m_query1("query_mlp.0", 1, width), m_query2("query_mlp.2", width, width),
      m_q("attention.q_proj", width, width), m_k("attention.k_proj", width, width),
      m_v("attention.v_proj", width, width), m_out("attention.out_proj", width, width),
      m_class1("classifier.0", width, width), m_class2("classifier.2", width, maxRetrievalClasses)
{
    std::uint64_t number = 0;
    for (Linear* layer : {&m_item1, &m_item2, &m_query1, &m_query2, &m_q, &m_k, &m_v, &m_out, &m_class1, &m_class2})
        layer->initialise(Start::LecunNormal, seed, number++);
}

Weights MaxRetrievalModel::weights()
{
    Weights all;
    for (Linear* layer : {&m_item1, &m_item2, &m_query1, &m_query2, &m_q, &m_k, &m_v, &m_out, &m_class1, &m_class2})
        layer->collect(all);
    return all;
}

Var MaxRetrievalModel::items(Tape& tape, const MaxRetrievalBatch& batch)
{
    return gelu(tape, m_item2(tape, gelu(tape, m_item1(tape, tape.constant(batch.features)))));
}

Var MaxRetrievalModel::probe(Tape& tape, const MaxRetrievalBatch& batch)
{
    const Var q = m_q(tape, m_query2(tape, gelu(tape, m_query1(tape, tape.constant(batch.queries)))));
    tape.weight(m_k.bias);  // no effect on the logits: its gradient is 0
    return scale(tape, matmul(tape, q, tape.weight(m_k.weight)), 1 / std::sqrt(static_cast<float>(m_width)));
}

Var MaxRetrievalModel::classify(Tape& tape, Var pooled, Var mass)
{
    const Var values =
        add(tape, matmul(tape, pooled, tape.weight(m_v.weight), true), matmul(tape, mass, tape.weight(m_v.bias)));
    return m_class2(tape, gelu(tape, m_class1(tape, m_out(tape, values))));
}

Var MaxRetrievalModel::operator()(Tape& tape, const MaxRetrievalBatch& batch)
{
    const Var h = items(tape, batch);
    const Attended attended = attention(tape, probe(tape, batch), h, h, {.batch = batch.count});
    return classify(tape, attended.output, tape.constant(Matrix::Ones(batch.count, 1)));
}

MaxRetrievalModel::Weighed MaxRetrievalModel::weighed(Tape& tape, const MaxRetrievalBatch& batch,
                                                      const RowFunction& rows, double multiplier)
{
    const Var h = items(tape, batch);
    const Var weights =
        mapRows(tape, scale(tape, setLogits(tape, probe(tape, batch), h), static_cast<float>(multiplier)), rows);
    const Var mass = matmul(tape, weights, tape.constant(Matrix::Ones(batch.items, 1)));
    return {classify(tape, setSums(tape, weights, h), mass), weights};
}

}  // namespace attnscope
