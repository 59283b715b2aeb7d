#include "core/model/prediction.h"

#include "core/arithmetic/arithmetic.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnscope {

namespace {

constexpr Index rowsAtOnce = 512, wordsOfTile = 8192;

/// A row's logits so far, all finite: ln sum e^z as top + ln sum, how many are the top one, and the target's.
struct Running {
    float top = -std::numeric_limits<float>::infinity();
    Index tied = 0;
    double sum = 0;
    float target = 0;
    void take(const float* logits, Index count)
    {
        const Eigen::Map<const Eigen::ArrayXf> all(logits, count);
        const float here = all.maxCoeff();
        if (here > top) {
            sum *= std::exp(static_cast<double>(top) - static_cast<double>(here));
            top = here;
            tied = 0;
        }
        if (here == top)
            tied += (all == top).count();
        sum += arithmetic().sumOfExponentials(logits, count, top);
    }
    Prediction prediction() const
    {
        return {static_cast<double>(top) + std::log(sum) - static_cast<double>(target),
                target == top ? 1 / static_cast<double>(tied) : 0.0};
    }
};

/// The head's rows [first, first + count).
Linear tileOf(const Linear& head, Index first, Index count)
{
    Linear tile{.weight = head.weight.rowsOf(first, count), .inputFirst = false, .bias = {}};
    if (!head.bias.empty())
        tile.bias.assign(head.bias.begin() + first, head.bias.begin() + first + count);
    return tile;
}

/// What the head sees of a stream. False if stopped.
bool beforeHead(const Model& model, Matrix& stream, const std::stop_token& stop)
{
    model.finalNorm.apply(stream);
    const HeadTransform& transform = model.headTransform;
    if (transform.map.outputs() == 0)
        return true;
    Matrix made(stream.rows(), transform.map.outputs());
    if (!apply(transform.map, stream, made, false, stop))
        return false;
    activate(made, transform.activation);
    transform.norm.apply(made);
    stream = std::move(made);
    return true;
}

/// visit(row, first, logits, count) for every row and tile, rows in parallel. Errors: Cancelled, DataError.
template <class Visit>
Result<void> forLogits(const Model& model, const MatrixView& stream, const std::stop_token& stop, const Visit& visit)
{
    const Architecture& a = model.architecture;
    if (model.head.outputs() == 0)
        return failure(ErrorKind::Unavailable, "the model makes vectors of texts and has no head that says tokens");
    Matrix normed = stream;
    if (!beforeHead(model, normed, stop))
        return stopped();
    for (Index first = 0; first < a.vocabulary; first += wordsOfTile) {
        Matrix logits(normed.rows(), std::min<Index>(wordsOfTile, a.vocabulary - first));
        if (!apply(tileOf(model.head, first, logits.cols()), normed, logits, false, stop))
            return stopped();
        if (!isFinite(logits))
            return tl::unexpected(model.files->whyNotFinite(std::nullopt));
        forEachInParallel(logits.rows(), 8, [&](Index row) {
            float* const values = logits.data() + row * logits.cols();
            if (a.outputFactor != 1)
                Eigen::Map<Eigen::ArrayXf>(values, logits.cols()) *= static_cast<float>(a.outputFactor);
            if (a.outputCap > 0)
                arithmetic().softCap(values, logits.cols(), static_cast<float>(a.outputCap));
            visit(row, first, values, logits.cols());
        });
    }
    return model.files->check();
}

}  // namespace

Result<std::vector<Prediction>> predict(const Model& model, const MatrixView& stream, std::span<const int> targets,
                                        const std::stop_token& stop)
{
    for (const int target : targets)
        if (target >= model.architecture.vocabulary)
            return failure(ErrorKind::DataError, "token {} is not in the model's vocabulary of {}", target,
                           model.architecture.vocabulary);
    if (std::ranges::all_of(targets, [](int target) { return target < 0; }))
        return std::vector<Prediction>(targets.size(), Prediction{.asked = false});
    std::vector<Prediction> predictions;
    for (Index begin = 0; begin < stream.rows(); begin += rowsAtOnce) {
        std::vector<Running> rows(static_cast<size_t>(std::min(rowsAtOnce, stream.rows() - begin)));
        TRY(forLogits(model, stream.middleRows(begin, static_cast<Index>(rows.size())), stop,
                      [&](Index row, Index first, const float* logits, Index count) {
                          Running& running = rows[static_cast<size_t>(row)];
                          running.take(logits, count);
                          if (const Index target = targets[static_cast<size_t>(begin + row)] - first;
                              target >= 0 && target < count)
                              running.target = logits[target];
                      }));
        for (const Running& row : rows)
            predictions.push_back(targets[predictions.size()] >= 0 ? row.prediction() : Prediction{.asked = false});
    }
    return predictions;
}

Result<std::vector<float>> logitsOf(const Model& model, const MatrixView& row, const std::stop_token& stop)
{
    std::vector<float> all(static_cast<size_t>(model.architecture.vocabulary));
    TRY(forLogits(model, row.topRows(1), stop, [&](Index, Index first, const float* logits, Index count) {
        std::copy_n(logits, count, all.begin() + first);
    }));
    return all;
}

}  // namespace attnscope
