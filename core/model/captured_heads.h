#pragma once
// The heads of one window of a run, kept to be looked at: queries and keys as the model projected them, and what a
// policy makes of them. In force the run itself has the policy; as captured the run is the published model's and the
// policy is put on its heads.

#include "core/model/evaluation.h"

#include <memory>

namespace attnscope {

struct CaptureRequest {
    Policy policy;
    bool captured = false;
    int layer = 0;                           ///< the one that is wanted first
    double mostBytes = 512.0 * 1024 * 1024;  ///< all layers are kept where they fit, else that one alone
    std::string engine = "auto";
    std::stop_token stop;
};

struct CapturedHeads {
    Window window;
    ResolvedPolicy picture;       ///< what is put on the heads
    ResolvedPolicy plain;         ///< the same with m = 1
    std::vector<HeadSet> layers;  ///< without queries: it was not kept
    bool has(int layer) const
    {
        return layer >= 0 && layer < std::ssize(layers) && !layers[static_cast<size_t>(layer)].queries.empty();
    }
};

/// Errors: Cancelled, those of resolve and Sequence::append.
Result<CapturedHeads> captureHeads(const Model& model, Window window, const CaptureRequest& request);

/// The first window of n tokens, where a text is looked at in one. Errors: those of spreadWindows and windowOf.
Result<Window> firstWindow(const Model& model, std::span<const int> ids, std::int64_t n);
/// Of that window; a policy that measures heads has measured them there, on the last rows that count. Errors: those of
/// captureHeads, firstWindow and withMeasuredHeads.
Result<CapturedHeads> captureFirstWindow(const Model& model, std::span<const int> ids, std::int64_t n,
                                         std::int64_t last, CaptureRequest request);

/// A head ready to be asked about rows: with positions, and the multipliers of its rows.
struct PreparedHead {
    AttentionHead head;
    Choice normaliser;
    std::vector<double> scale;
    std::vector<double> plain;  ///< the same with m = 1: the model's own factors alone
};
/// Errors: InvalidArgument (a layer that was not kept, a head that is not there).
Result<PreparedHead> prepareCaptured(const CapturedHeads& captured, int layer, int head);

}  // namespace attnscope
