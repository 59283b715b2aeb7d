// A run of a network that packs: its encoder on all instances, then its decoder on each.

#include "core/base/random.h"
#include "core/model/glimpse_pointer.h"
#include "core/model/packing_model.h"
#include "core/model/packing_state.h"
#include "core/model/solver.h"

#include <algorithm>

namespace attnscope {

namespace {

/// Some packings of one instance at a time.
class PackingDecoder {
public:
    PackingDecoder(const PackingModel& model, const PackingInstance& instance, const MatrixView& boxes,
                   const DecodeRequest& request)
        : m_model(model), m_request(request), m_count(boxes.rows()),
          m_packings(std::max<Index>(1, request.run.samples)), m_random(request.run.seed, Stream::Sampling),
          m_point(model, boxes, request.scale), m_fixed(applied(model.fixed, boxes.colwise().mean())),
          m_remaining(applied(model.remaining, boxes)), m_allowed(Matrix::Zero(m_packings, m_count)),
          m_counted(static_cast<std::size_t>(m_packings), true),
          m_states(static_cast<std::size_t>(m_packings), PackingState(instance))
    {
        m_out.logProbabilities.assign(static_cast<std::size_t>(request.run.samples), 0);
    }

    Decoded<Packing> operator()()
    {
        for (Index step = 0; step < m_count && !m_request.run.stop.stop_requested(); ++step) {
            makeQueries(step);
            m_point(m_query, m_allowed, m_counted, m_logits);
            chooseTurns(step, chooseBoxes(step));
        }
        m_out.entropies = m_point.entropies();
        for (const PackingState& state : m_states)
            m_out.solutions.push_back(state.packing());
        return std::move(m_out);
    }

private:
    static std::size_t at(Index i) { return static_cast<std::size_t>(i); }

    void makeQueries(Index step)
    {
        Matrix states(m_packings, stateFeatures);
        for (Index k = 0; k < m_packings; ++k)
            m_states[at(k)].describe({states.row(k).data(), at(stateFeatures)});
        m_query = applied(m_model.state, states);
        const Matrix shares = m_allowed.unaryExpr(
            [&](float allowed) { return allowed == 0.0f ? 1 / static_cast<float>(m_count - step) : 0.0f; });
        Matrix mean(m_packings, m_model.width);
        multiply(plain(shares), plain(m_remaining), m_count, mean);
        m_query += mean;
        m_query.rowwise() += m_fixed.row(0);
    }

    double uniform(Index step, std::uint64_t which, Index packing) const
    {
        return m_random.uniform(static_cast<std::uint64_t>(m_request.number),
                                2 * static_cast<std::uint64_t>(step) + which, static_cast<std::uint64_t>(packing));
    }

    /// The choice of one row: its largest, or a drawn one.
    Index chosen(Matrix& logits, const Matrix& allowed, Index row, Index step, std::uint64_t which)
    {
        if (m_request.run.samples == 0)
            return largestAllowed(logits, allowed, row);
        const DrawnNode drawn = drawAllowed(logits, allowed, row, uniform(step, which, row));
        m_out.logProbabilities[at(row)] += drawn.logProbability;
        return drawn.node;
    }

    std::vector<Index> chooseBoxes(Index step)
    {
        std::vector<Index> boxes;
        for (Index k = 0; k < m_packings; ++k) {
            boxes.push_back(chosen(m_logits, m_allowed, k, step, 0));
            m_allowed(k, boxes.back()) = forbidden;
        }
        return boxes;
    }

    void chooseTurns(Index step, const std::vector<Index>& boxes)
    {
        constexpr Index turns = boxTurns.size();
        Matrix features(m_packings * turns, turnFeatures);
        for (Index k = 0; k < m_packings; ++k)
            m_states[at(k)].consider(static_cast<int>(boxes[at(k)]), features.middleRows(k * turns, turns));
        Matrix hidden = applied(m_model.turnUp, features);
        const Matrix context = applied(m_model.turnContext, m_point.glimpses());
        for (Index k = 0; k < m_packings; ++k)
            hidden.middleRows(k * turns, turns).rowwise() += context.row(k);
        const Matrix scored = applied(m_model.turnDown, hidden.cwiseMax(0.0f));
        Matrix scores = Eigen::Map<const Matrix>(scored.data(), m_packings, turns);
        const Matrix all = Matrix::Zero(m_packings, turns);
        for (Index k = 0; k < m_packings; ++k)
            m_states[at(k)].put(static_cast<int>(chosen(scores, all, k, step, 1)));
    }

    const PackingModel& m_model;
    const DecodeRequest& m_request;
    Index m_count, m_packings;
    Random m_random;
    GlimpsePointer m_point;
    Matrix m_fixed, m_remaining;          // (1, w), (n, w)
    Matrix m_allowed;                     // (packings, n): 0, or -infinity where a box is packed
    std::vector<std::uint8_t> m_counted;  // all of them
    std::vector<PackingState> m_states;
    Matrix m_query, m_logits;  // (packings, w), (packings, n)
    Decoded<Packing> m_out;
};

/// Does the box fit however it is turned?
bool fits(const Sides& sides, const Bin& bin)
{
    const auto [least, most] = std::ranges::minmax(sides);
    return least > 0 && most <= bin.length && most <= bin.width;
}

Result<void> checkInstances(std::span<const PackingInstance> instances)
{
    for (const PackingInstance& instance : instances) {
        if (instance.size() != instances.front().size() || instance.boxes.empty())
            return failure(ErrorKind::InvalidArgument,
                           "the instances of a run must have equally many boxes, at least one");
        if (!std::ranges::all_of(instance.boxes, [&](const Sides& sides) { return fits(sides, instance.bin); }))
            return failure(ErrorKind::InvalidArgument,
                           "every side of a box must be above 0 and no longer than the bin is wide");
    }
    return {};
}

}  // namespace

Result<Solved<Packing>> runPacking(const PackingModel& model, std::span<const PackingInstance> instances,
                                   const SolveRequest& request)
{
    TRY(checkInstances(instances));
    const Index n = instances.empty() ? 0 : instances.front().size(), count = std::ssize(instances);
    const auto embed = [&](Matrix& h) {
        Matrix features(count * n, boxFeatures);
        for (Index i = 0; i < count; ++i)
            features.middleRows(i * n, n) = describeBoxes(instances[static_cast<std::size_t>(i)]);
        return apply(model.start, features, h, false, request.stop);
    };
    return solve<Packing>(model, count, n, n, request, embed,
                          [&](Index i, const MatrixView& boxes, const DecodeRequest& one) {
                              return PackingDecoder(model, instances[static_cast<std::size_t>(i)], boxes, one)();
                          });
}

}  // namespace attnscope
