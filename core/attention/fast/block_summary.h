#pragma once
// The summaries of 64 rows under every pass of a request (pass_plan.h): each tile of products goes through the sums of
// every track.

#include "core/attention/fast/query_block.h"
#include "core/attention/pass_plan.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace attnscope::fast {

/// What is known of the order of a block's logits, and the logits of the first keys.
struct Order {
    Ranking ranking;
    std::array<Lanes, RowSummary::sinkCount> first;
    Lanes tileLargest;
    std::unique_ptr<Ranking> near;  ///< of the keys near the query, where they are asked for
    Order();
    void add(const TileKernels& kernels, Keys keys, bool masked, int rows, const float* z);
};

class BlockSummary {
public:
    BlockSummary(const TileKernels& kernels, const AttentionHead& head, const SummaryRequest& request,
                 const Normaliser& normaliser, std::int64_t firstRow, int rowCount,
                 std::vector<std::vector<RowSummary>>& out);
    /// stride > 1: an estimate from every stride-th key.
    void run(const std::stop_token& stop, std::int64_t stride = 1);

private:
    /// Sums under one set of scales.
    struct Track {
        PassPlan::Track plan;
        size_t done = 0;    ///< items read off
        Lanes scale{};      ///< x = transform(scale z), as near as float32 comes to it
        Lanes a{}, b{};     ///< of tile_kernels.h's Sums: e = exp(beta x - shift)
        bool plain = true;  ///< x is scale z with scale well above 0: the order of z is the order of x
        std::array<bool, blockRows> started{};
        Lanes largestProduct{};        ///< max |scale z| of a track that is not plain
        std::unique_ptr<Order> order;  ///< of x, if not plain
        Sums sums{};
    };

    void stream(std::vector<PassPlan::Track> tracks, const std::stop_token& stop, std::int64_t stride);
    void soften(const PassPlan::Track& plan, const std::stop_token& stop);
    Track begun(PassPlan::Track plan) const;
    void rank(Order& order, Keys keys, bool masked, const float* x);
    void feedTransformed(Track& track, Keys keys, bool masked);
    void feed(Track& track, Keys keys, const float* x, const Lanes& tileLargest);
    void follow(Track& track, const Lanes& tileLargest) const;
    void readOff(std::int64_t key);
    void read(const Track& track, const PassPlan::Item& item);
    RowSummary readRow(const Track& track, const Order& order, std::int64_t visible, int row) const;
    bool beyondFloat(const Track& track, const Order& order, int row) const;

    const TileKernels& m_kernels;
    const AttentionHead& m_head;
    const SummaryExtras m_extras;
    PassPlan m_plan;
    const Powers m_powers;
    const float m_order;  ///< of the powers; near order 1 what it has above 1
    QueryBlock m_block;
    std::vector<Track> m_tracks;
    std::unique_ptr<Order> m_rankings;  ///< of z, for the plain tracks
    Tile m_z, m_x, m_near;
};

}  // namespace attnscope::fast
