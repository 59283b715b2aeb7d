#pragma once
// The summaries of 64 rows under every pass of a request, for normalisers that are a softmax at heart. Passes that scale
// these rows alike share one set of sums; their prefixes are read off as the tiles go by. With S = sum e, e = exp(x - shift):
//
//   ln Z = shift + ln S,   H = ln S - sum e (x - shift) / S,   sum p^2 = sum e^2 / S^2,   sum sqrt p = sum sqrt e / sqrt S

#include "core/attention/engine.h"
#include "core/attention/fast/query_block.h"
#include "core/attention/normaliser.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace attnscope::fast {

/// What is known of the order of a block's logits, and the logits of the first keys.
struct Order {
    Ranking ranking;
    std::array<Lanes, RowSummary::sinkCount> first;
    Lanes tileLargest;
    Order();
    void add(const TileKernels& kernels, Keys keys, bool masked, const float* z);
};

class BlockSummary {
public:
    BlockSummary(const TileKernels& kernels, const AttentionHead& head, const SummaryRequest& request, const Normaliser& normaliser,
                 std::int64_t firstRow, int rowCount, std::vector<std::vector<RowSummary>>& out);
    /// stride > 1: an estimate from every stride-th key.
    void run(const std::stop_token& stop, std::int64_t stride = 1);

private:
    /// A pass as far as it touches these rows.
    struct Item {
        size_t pass;
        int begin, end;
        std::int64_t prefix;
    };
    /// Sums under one set of scales.
    struct Track {
        std::vector<Item> items;        ///< by rising prefix
        size_t done = 0;                ///< items read off
        Lanes scale{}, beta{};          ///< x = transform(scale z), e = exp(beta x - shift)
        Lanes a{}, b{};                 ///< of tile_kernels.h's Sums
        bool plain = true;              ///< x is scale z with scale well above 0: the order of z is the order of x
        std::array<bool, blockRows> started{};
        Lanes largestProduct{};         ///< max |scale z| of a track that is not plain
        std::unique_ptr<Order> order;   ///< of x, if not plain
        Sums sums{};
    };

    std::vector<Item> items() const;
    float scaleOf(const Item& item, int r) const;
    RowSummary& row(const Item& item, int r);
    void addTrack(const Item& item, bool mayShare, const Lanes& beta);
    void stream(const std::stop_token& stop, std::int64_t stride);
    void feedTransformed(Track& track, Keys keys, bool masked);
    void feed(Track& track, Keys keys, const float* x, const Lanes& tileLargest);
    void follow(Track& track, const Lanes& tileLargest) const;
    void readOff(std::int64_t key);
    void read(const Track& track, const Item& item);
    RowSummary readRow(const Track& track, const Order& order, std::int64_t visible, int row) const;
    bool beyondFloat(const Track& track, const Order& order, int row) const;
    RowSummary exactRow(std::int64_t row, std::int64_t prefix, double scale) const;
    double power(const Track& track, const RowSummary& row, int r) const;

    const TileKernels& m_kernels;
    const AttentionHead& m_head;
    const SummaryRequest& m_request;
    const Normaliser& m_normaliser;
    const Parameters m_parameters;
    std::vector<std::vector<RowSummary>>& m_out;
    QueryBlock m_block;
    std::vector<Track> m_tracks;
    std::unique_ptr<Order> m_order;   ///< of z, for the plain tracks
    Tile m_z, m_x;
    const float m_powerOrder;         ///< of the sums that the kernel is asked for; 0: none
};

}  // namespace attnscope::fast
