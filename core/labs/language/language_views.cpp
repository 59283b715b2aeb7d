#include "core/labs/language/language_views.h"

#include "core/model/head_recorder.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace attnscope {

std::vector<LabPicture> attentionPictures(learn::Llama& model, std::span<const int> ids, const learn::LlamaPass& pass)
{
    const auto n = std::ssize(ids);
    learn::Tape tape;
    const auto multipliers = pass.multipliers.first(std::min(ids.size(), pass.multipliers.size()));
    model(tape, ids, 1,
          {.multipliers = multipliers.size() == ids.size() ? multipliers : std::span<const float>(),
           .positions = pass.positions,
           .beta = pass.beta});
    const learn::LlamaShape& shape = model.shape();
    const Eigen::Index d = shape.headSize();
    std::vector<LabPicture> pictures;
    for (std::size_t layer = 0; layer < model.turned().size(); ++layer) {
        const auto q = tape.value(model.turned()[layer].queries), k = tape.value(model.turned()[layer].keys);
        Eigen::MatrixXf mean = Eigen::MatrixXf::Zero(n, n);
        for (Eigen::Index head = 0; head < shape.heads; ++head)
            for (Eigen::Index row = 0; row < n; ++row) {
                const Eigen::Index seen = shape.causal ? row + 1 : n;
                const float scale =
                    (row < std::ssize(multipliers) ? multipliers[static_cast<std::size_t>(row)] : 1.0f) /
                    std::sqrt(static_cast<float>(d));
                Eigen::VectorXf z = k.middleCols(head * shape.keyHeads / shape.heads * d, d).topRows(seen) *
                                    q.row(row).segment(head * d, d).transpose() * scale;
                if (pass.beta) {
                    const Eigen::VectorXf p = (z.array() - z.maxCoeff()).exp();
                    const Eigen::ArrayXd share = (p / p.sum()).cast<double>();
                    const double entropy = -(share > 0).select(share * (share + pass.beta.eps).log(), 0.0).sum();
                    z *= static_cast<float>(pass.beta(entropy).value);
                }
                z = (z.array() - z.maxCoeff()).exp();
                mean.row(row).head(seen) += z.transpose() / z.sum() / static_cast<float>(shape.heads);
            }
        pictures.push_back({"layer" + std::to_string(layer), fmt::format("layer {}, mean of its heads", layer), "query",
                            "key", std::move(mean)});
    }
    return pictures;
}

Result<LabFile> keepHeads(const Model& model, const Window& window, const std::string& path, std::stop_token stop)
{
    const Architecture& a = model.architecture;
    const auto n = std::ssize(window.inputs);
    HeadRecorder recorder(model);
    TRY(runWindow(model, window,
                  {.policy = {},
                   .last = 1,
                   .engine = "auto",
                   .observe = [&](const LayerHeads& layer) { return recorder.take(layer); },
                   .stop = stop}));
    TRY(recorder.save(path, window.inputs));
    Scenario scenario;
    const std::string layer = "layer" + std::to_string(a.layers / 2),
                      turned = window.places.empty() ? "_pre_rope" : "_post_rope";
    scenario.source = {"tensors", {}, {}};
    scenario.tensors = {
        std::filesystem::absolute(path).string(), layer + ".q" + turned, layer + ".k" + turned, "heads_tokens_dim", {}};
    scenario.n = n;
    scenario.d = a.headSize;
    scenario.nTrain = static_cast<double>(a.trainLength);
    scenario.attention.mask = maskOf(a, a.layers / 2);
    if (window.places.empty())
        scenario.attention.position = a.position();
    scenario.methods = {{"vanilla", {}, {}}, {"softmax_plus", {}, {}}, {"infoscale", {}, {}}};
    scenario.view.curveFirst = a.trainLength;
    scenario.view.curveLast = n;
    return LabFile{path, fmt::format("queries and keys of its heads on {} tokens", n), scenario};
}

}  // namespace attnscope
