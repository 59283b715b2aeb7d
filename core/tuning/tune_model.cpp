#include "core/tuning/tune_model.h"

#include "core/base/file_stamp.h"
#include "core/base/fingerprint.h"
#include "core/model/evaluation.h"
#include "core/model/gguf_model.h"
#include "core/model/unicode_text.h"
#include "core/tuning/head_backward.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>

namespace attnscope {

namespace {

/// Window `i` of `all` is one to fit on, `fitting` of them as evenly as can be.
bool isFitting(std::int64_t i, std::int64_t fitting, std::int64_t all)
{
    return (i + 1) * fitting / all > i * fitting / all;
}

/// Losses of a model's windows. A method that measures is measured on the first window to fit on, so that the verdict's
/// stay unseen.
class ModelLosses {
public:
    ModelLosses(const Model& model, std::span<const int> ids, std::int64_t n, double trainLength, std::int64_t first,
                TuneWindows windows, std::stop_token stop)
        : m_model(model), m_ids(ids.begin(), ids.end()), m_n(n), m_trainLength(trainLength), m_first(first),
          m_windows(std::move(windows)), m_stop(std::move(stop))
    {
    }

    Result<WindowLoss> operator()(const Policy& policy, std::int64_t length, std::int64_t start)
    {
        const Policy inForce = TRY(measured(policy, length));
        const Window window = TRY(windowOf(m_model.architecture, m_ids, start, length));
        const WindowResult result = TRY(runWindow(m_model, window,
                                                  {.policy = inForce,
                                                   .pictures = {},
                                                   .last = m_windows.last,
                                                   .engine = m_windows.engine,
                                                   .observe = {},
                                                   .progress = {},
                                                   .stop = m_stop}));
        WindowLoss loss{.loss = meanOf(result.predictions).loss};
        if (std::ssize(result.predictions) == length) {
            std::int64_t first = 0;
            for (const std::int64_t end : placeRanges(length, m_trainLength)) {
                loss.places.push_back(
                    meanOf(std::span(result.predictions)
                               .subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(end - first)))
                        .loss);
                first = end;
            }
        }
        return loss;
    }

    Result<WindowLoss> slopes(const HeadBackward& pass, const Policy& policy, std::int64_t length, std::int64_t start)
    {
        const Policy inForce = TRY(measured(policy, length));
        const Window window = TRY(windowOf(m_model.architecture, m_ids, start, length));
        TRY(unlessStopped(m_stop));
        WindowSlopes slopes = TRY(pass(inForce, window, m_windows.last));
        return WindowLoss{.loss = slopes.loss, .slopes = std::move(slopes.gradients)};
    }

    Result<HeadLook> heads()
    {
        const auto trained = static_cast<std::int64_t>(std::llround(m_trainLength));
        Policy policy;
        policy.method = {"entropy_measured", {}, {}};
        policy.trainLength = m_trainLength;
        policy = TRY(measured(policy, m_n));
        HeadLook look{.multipliers = TRY(entropies(m_n)),
                      .entropyAtTrain = TRY(entropies(std::min(trained, m_n))),
                      .entropyAtN = TRY(entropies(m_n))};
        for (std::size_t layer = 0; layer < look.multipliers.size(); ++layer)
            for (std::size_t head = 0; head < look.multipliers[layer].size(); ++head)
                look.multipliers[layer][head] = policy.headMultipliers->at(
                    static_cast<int>(layer), static_cast<int>(head), static_cast<double>(m_n));
        return look;
    }

private:
    Result<Policy> measured(const Policy& policy, std::int64_t length)
    {
        if (!isMeasured(policy.method))
            return policy;
        auto found = m_measured.find({keyOf(policy), length});
        if (found == m_measured.end()) {
            const auto tokens = std::span(m_ids).subspan(
                static_cast<std::size_t>(m_first), static_cast<std::size_t>(firstTarget(m_model.architecture, length)));
            Policy ready = TRY(
                withMeasuredHeads(m_model, policy, tokens, length,
                                  {.last = m_windows.last, .windows = 1, .engine = m_windows.engine, .stop = m_stop}));
            found = m_measured.emplace(std::pair{keyOf(policy), length}, std::move(ready)).first;
        }
        return found->second;
    }

    /// Of every head, under the model as it is, on the first window to fit on.
    Result<HeadValues> entropies(std::int64_t length) const
    {
        const Window window = TRY(windowOf(m_model.architecture, m_ids, m_first, length));
        WindowResult result = TRY(runWindow(m_model, window,
                                            {.policy = {},
                                             .pictures = {Policy{}},
                                             .last = m_windows.last,
                                             .engine = m_windows.engine,
                                             .observe = {},
                                             .progress = {},
                                             .stop = m_stop}));
        return std::move(result.entropies.front());
    }

    const Model& m_model;
    std::vector<int> m_ids;
    std::int64_t m_n;
    double m_trainLength;
    std::int64_t m_first;
    TuneWindows m_windows;
    std::stop_token m_stop;
    std::map<std::pair<std::string, std::int64_t>, Policy> m_measured;
};

}  // namespace

Result<TuneProblem> problemOf(const Model& model, std::span<const int> ids, const TuneRequest& request,
                              const TuneWindows& windows, std::stop_token stop)
{
    const Architecture& architecture = model.architecture;
    if (model.head.outputs() == 0)
        return failure(ErrorKind::Unavailable,
                       model.folder + " has no head that says tokens, so there is no loss to judge by");
    const int most = windows.fitting + windows.verdict;
    const auto starts = TRY(spreadWindows(architecture, ids, request.n, most));
    const auto all = std::ssize(starts);
    if (all < 3)
        return failure(ErrorKind::InvalidArgument,
                       "a search at n = {} needs three windows at least, {} tokens, and the text has {}; give a longer "
                       "text, or a smaller n",
                       request.n, 3 * firstTarget(architecture, request.n), ids.size());
    TuneProblem problem{.architecture = architecture, .fitting = {}, .verdict = {}, .loss = {}};
    const std::int64_t fitting = std::clamp<std::int64_t>(all * windows.fitting / most, 1, all - 2);
    for (std::int64_t i = 0; i < all; ++i)
        (isFitting(i, fitting, all) ? problem.fitting : problem.verdict).push_back(starts[static_cast<std::size_t>(i)]);
    const double trainLength =
        request.trainLength > 0 ? request.trainLength : static_cast<double>(architecture.trainLength);
    const auto losses = std::make_shared<ModelLosses>(model, ids, request.n, trainLength, problem.fitting.front(),
                                                      windows, std::move(stop));
    problem.loss = [losses](const Policy& policy, std::int64_t length, std::int64_t start) {
        return (*losses)(policy, length, start);
    };
    problem.heads = [losses] { return losses->heads(); };
    if (request.gradients || request.over == TuneOver::Layers || request.over == TuneOver::Heads) {
        const auto pass = headBackward(model);
        if (pass)
            problem.slopes = [losses, back = *pass](const Policy& policy, std::int64_t length, std::int64_t start) {
                return losses->slopes(back, policy, length, start);
            };
        else if (pass.error().kind == ErrorKind::Unavailable)
            problem.withoutSlopes = pass.error().message;
        else
            return tl::unexpected(pass.error());
    }
    return problem;
}

namespace {

/// Changes where the weights do: by the sizes and times of their files, and of those that have none by some of their
/// numbers.
std::uint64_t stampOfWeights(const Model& model)
{
    std::vector<std::string> files;
    std::error_code ignored;
    if (std::filesystem::is_directory(model.folder, ignored)) {
        for (std::filesystem::directory_iterator at(model.folder, ignored), end; !ignored && at != end;
             at.increment(ignored))
            if (const auto& path = at->path(); path.extension() == ".safetensors")
                files.push_back(path.string());
    } else if (auto parts = partsOfGguf(model.folder)) {
        files = std::move(*parts);
    }
    std::ranges::sort(files);
    std::uint64_t stamp = fingerprintOfNothing;
    for (const std::string& file : files)
        if (const FileStamp of = stampOf(file); of.exists)
            stamp = fingerprint(
                fmt::format("{} {} {}\n", std::filesystem::path(file).filename().string(), of.size, of.written), stamp);
    std::vector<float> scratch;
    const Index rows = std::min<Index>(model.embedding.rows, 16);
    const float* const numbers = model.embedding.floats(0, rows, scratch);
    return fingerprint(std::as_bytes(std::span(numbers, static_cast<std::size_t>(rows * model.embedding.columns))),
                       stamp);
}

/// As it can stand in JSON: where that is no UTF-8, its bytes with per cent signs, so that no other has the same.
std::string nameInText(const std::string& folder)
{
    if (isUtf8(folder))
        return folder;
    std::string name;
    for (const char byte : folder)
        name += static_cast<unsigned char>(byte) < 0x80
                    ? std::string(1, byte)
                    : fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(byte)));
    return name;
}

}  // namespace

std::string searchOf(const Model& model, std::span<const int> ids, const TuneRequest& request,
                     const TuneWindows& windows)
{
    return fmt::format("{}, {}, config {}, weights {}, n = {}, N = {}, text {} tokens {}, windows {},{}, last {}",
                       nameInText(model.folder), describe(model.architecture), model.configStamp, stampOfWeights(model),
                       request.n, formatNumber(request.trainLength), ids.size(), fingerprint(std::as_bytes(ids)),
                       windows.fitting, windows.verdict, windows.last);
}

Result<double> verdictLoss(const TuneProblem& problem, const Setting& setting, const TunedAt& at)
{
    double sum = 0;
    for (const std::int64_t start : problem.verdict)
        sum += TRY(problem.loss(policyAt(setting, at, at.n), at.n, start)).loss;
    return sum / static_cast<double>(problem.verdict.size());
}

}  // namespace attnscope
