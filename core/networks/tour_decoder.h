#pragma once
// The decoder of the Attention Model (attention_model.h has its formulas), of one instance at a time: some tours, each
// step one product for all of them, and what weights of their ln p = sum ln softmax(u)[node chosen] make of the loss.
// The gradients of an instance's steps are found all together, in one product each.

#include "core/networks/glimpse_pointer.h"
#include "core/networks/routing_instance.h"

#include <stop_token>

namespace attnscope {

/// What the decoder asks of an instance's nodes: the query of a step is fixed + first[first city] + last[last city],
/// `start` in their place before the first; with a depot fixed + last[last node] + (load left) start.
struct TourNodes {
    PointedNodes pointed;
    MatrixView fixed;                ///< (1, w)
    MatrixView first, last;          ///< (n, w); with a depot `first` is not used
    MatrixView start;                ///< (1, w)
    std::span<const float> demands;  ///< of RoutingInstance
    std::span<const double> scale;   ///< of GlimpsePointer
};

struct TourChoices {
    Index freeStarts = 1;  ///< the first so many tours choose their first node; tour k after them starts at the k-th
                           ///< city (customer), from 0
    bool greedy = false;   ///< the largest u, else drawn from the softmax:
    std::uint64_t seed = 0, number = 0;  ///< a function of them, the tour and the choice's number
    std::span<const Tour> given = {};    ///< these in place of drawn ones
    bool glimpses = false;               ///< the first tour's wanted
};

class TourDecoder {
public:
    /// Where it `learns`, what its choices compute is kept for goBack.
    TourDecoder(Index nodes, Index width, Index heads, Index tours, bool depot, bool learns);

    /// A stopped one leaves tours unfinished.
    void decode(const TourNodes& nodes, const TourChoices& choices, const std::stop_token& stop = {});
    const std::vector<Tour>& solutions() const { return m_made; }
    const std::vector<double>& logProbabilities() const { return m_logProbabilities; }  ///< of the tours, nats
    std::vector<double> entropies() const { return m_pointer.entropies(); }  ///< head: mean over steps and tours, nats
    Matrix glimpses() const;                                                 ///< (choices, nodes), if wanted

    struct Gradients {
        learn::MatrixView keys, values, pointers, fixed, first, last, start;
    };
    /// Adds what weights of the tours' ln p make of the loss to gradients that are 0.
    void goBack(std::span<const float> weights, Gradients to);

private:
    struct Choice {
        Index tour = 0;
        int last = -1;  ///< node before it, -1 for none
        int node = -1;  ///< -1: the tour was finished
        float load = 0;
    };

    static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
    Index firstCustomer() const { return m_depot ? 1 : 0; }
    Index customers() const { return m_nodes - firstCustomer(); }
    bool unfinished() const;
    bool oneIsLeft(Index step) const { return !m_depot && step + 1 == m_nodes; }
    int onlyAllowed(Index tour) const;

    void begin(const TourNodes& nodes);
    void point(const TourNodes& nodes, Index first, Index count);
    int choose(const TourChoices& choices, Index tour, Index step, Index row);
    void visit(std::span<const float> demands, Index tour, int node);

    Index m_nodes, m_tours;
    bool m_depot, m_learns;
    GlimpsePointer m_pointer;
    std::vector<Tour> m_made;
    std::vector<double> m_logProbabilities;
    Matrix m_allowed;  // (tours, nodes): 0, or -infinity where a tour may not go
    Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> m_served;
    std::vector<Index> m_left;            // customers or cities that a tour has not seen
    std::vector<float> m_load;            // of the vehicle under way
    std::vector<std::uint8_t> m_counted;  // of a tour: has it nodes left?
    std::vector<Choice> m_choices;        // of the pointer's rows: all tours' of the first step, of the second, ...
    std::vector<Eigen::RowVectorXf> m_glimpses;
};

}  // namespace attnscope
