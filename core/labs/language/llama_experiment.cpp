#include "core/labs/language/llama_experiment.h"

#include "core/model/head_recorder.h"
#include "core/scaling/scale_method.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace attnscope {

namespace {

/// Attention of every layer, the mean of its heads, over these tokens, in a pass as in training; multipliers of rows
/// from 0 on, or none.
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
                            "the keys", std::move(mean)});
    }
    return pictures;
}

/// Queries and keys of all layers over the window, written to `path`, with the scenario that looks at the middle
/// layer's. Errors: those of runWindow and HeadRecorder.
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

}  // namespace

Result<void> LlamaExperiment::readText(bool causal)
{
    m_text = TRY(parseLlamaText(m_lab, m_parameters.text(), causal));
    TRY(checkDivides("heads", "width"));
    if (whole("width") / whole("heads") % 2 != 0)
        return failure(ErrorKind::InvalidArgument,
                       "width over heads must be even: rotary positions turn coordinates in pairs");
    return {};
}

learn::LlamaShape LlamaExperiment::shapeOf(std::int64_t vocabulary) const
{
    return {.layers = whole("layers"),
            .width = whole("width"),
            .inner = whole("inner"),
            .heads = whole("heads"),
            .keyHeads = whole("heads"),
            .vocabulary = vocabulary,
            .alpha = parameterOf(m_lab, "alpha") ? m_parameters["alpha"] : 0};
}

Result<LanguageSettings> LlamaExperiment::settingsOf(const NetworkLabel& network, learn::LlamaShape shape,
                                                     std::int64_t length) const
{
    auto attention = TRY(trainingAttention(network.trained, shape, length));
    return LanguageSettings{.shape = shape,
                            .length = length,
                            .batch = whole("batch"),
                            .steps = whole("steps"),
                            .warmup = whole("warmup"),
                            .rate = m_parameters["rate"],
                            .decay = m_parameters["decay"],
                            .clip = m_parameters["clip"],
                            .multipliers = std::move(attention.multipliers),
                            .multipliersOf = std::move(attention.multipliersOf),
                            .beta = std::move(attention.beta),
                            .seed = static_cast<std::uint64_t>(network.seed)};
}

learn::Metadata LlamaExperiment::factsOf(const LanguageSettings& settings,
                                         std::initializer_list<const char*> parameters) const
{
    learn::Metadata facts = settings.metadata();
    facts["lab"] = m_lab.id;
    for (const char* id : parameters)
        facts[id] = formatNumber(m_parameters[id]);
    return facts;
}

std::string LlamaExperiment::nameOf(const NetworkLabel& network) const
{
    return m_names + trainedSuffix(m_text.trained, network.trained) + "_seed" + std::to_string(network.seed);
}

Result<void> LlamaExperiment::learnAll()
{
    const std::int64_t kinds = std::ssize(m_text.trained);
    return trainEach(
        whole("networks") * kinds, m_shareOfLearning, "network", [&](std::int64_t network, double from, double to) {
            return learn({whole("seed") + network / kinds, m_text.trained[static_cast<std::size_t>(network % kinds)]},
                         from, to);
        });
}

Result<void> LlamaExperiment::learn(const NetworkLabel& network, double from, double to)
{
    const auto learning = TRY(learningOf(network));
    LanguageTrainer trainer(learning.settings, learning.batches);
    const std::string name = nameOf(network);
    TRY(train(stepsOf(trainer, {.name = name,
                                .facts = learning.about.facts,
                                .labels = {{"seed", network.seed}, {"network", name}},
                                .show = [&] { return show(network, trainer, learning.about); }}),
              from, to));
    learned(name);
    auto model = TRY(m_store.keep(trainer.model(), m_run.folder, name, learning.about));
    m_networks.push_back({network, std::move(model)});
    return m_run.folder.empty() ? Result<void>() : keepFiles(m_networks.back());
}

/// Says what the network's folder is, and keeps the heads of the first.
Result<void> LlamaExperiment::keepFiles(const Network& network)
{
    addFile({network.model.folder,
             fmt::format("network trained with {} and seed {}, for attnscope model",
                         formatChoice(network.label.trained), network.label.seed),
             {}});
    if (m_networks.size() > 1)
        return {};
    const Window window = TRY(kept(network));
    const std::string path = TRY(pathInFolder(m_run.folder, m_names + "_qk.safetensors"));
    addFile(TRY(keepHeads(network.model, window, path, m_stop)));
    return {};
}

/// Pictures of a sequence, and now and then a short test.
Result<void> LlamaExperiment::show(const NetworkLabel& network, LanguageTrainer& trainer,
                                   const learn::LlamaFolder& about)
{
    if (m_report.picturesDue()) {
        const Window window = pictured(network);
        const std::vector<int> positions(window.places.begin(), window.places.end());
        for (LabPicture& picture : attentionPictures(trainer.model(), window.inputs,
                                                     {.multipliers = trainer.multipliers(std::ssize(window.inputs)),
                                                     .positions = positions,
                                                     .beta = trainer.settings().beta}))
            m_report.picture(std::move(picture));
    }
    if (showsTests() && previewDue(trainer.adam()))
        TRY(Experiment::preview([&] { return preview(network, trainer, about); }));
    m_report.live(m_previews);
    return {};
}

/// In place of what the last one said of this network.
Result<void> LlamaExperiment::preview(const NetworkLabel& network, LanguageTrainer& trainer,
                                      const learn::LlamaFolder& about)
{
    auto model = TRY(m_store.keep(trainer.model(), {}, "now", about));
    std::erase_if(m_previews, [&](const LabRow& row) {
        return row.number("seed") == static_cast<double>(network.seed) &&
               row.word("trained") == formatChoice(network.trained);
    });
    return testBriefly({network, std::move(model)});
}

std::vector<std::int64_t> LlamaExperiment::lengthsTested(std::int64_t trainLength) const
{
    std::vector<std::int64_t> lengths;
    for (std::int64_t times = 1; times <= whole("most"); times *= 2)
        lengths.push_back(times * trainLength);
    return lengths;
}

Result<void> LlamaExperiment::testAll(std::span<const std::int64_t> lengths,
                                      const std::function<double(std::int64_t n)>& effort, const Test& test)
{
    m_previews.clear();
    const double learned = whole("steps") > 0 ? m_shareOfLearning : 0,
                 times = static_cast<double>(m_networks.size() * m_text.positions.size());
    double work = 0, done = 0;
    for (const std::int64_t n : lengths)
        work += times * effort(n);
    for (const std::int64_t n : lengths) {
        m_report.stage(fmt::format("testing n = {}", n));
        for (const Network& network : m_networks)
            for (const Placement& placement : m_text.positions)
                TRY(test(network, n, placement, [&](double share) {
                    done += share * effort(n);
                    m_report.sendIfDue(learned + (1 - learned) * done / work);
                }));
    }
    return {};
}

std::vector<Policy> LlamaExperiment::policiesTested(const Network& network, const Placement& placement,
                                                    std::int64_t window) const
{
    std::vector<Policy> policies;
    for (const Choice& method : m_text.methods)
        policies.push_back(attentionPolicy(method));
    std::stable_partition(policies.begin(), policies.end(), isVanillaPolicy);
    if (!placement.mask) {
        policies.emplace_back().mask = Choice{"window", {{"w", static_cast<double>(window)}}, {}};
        if (!network.model.architecture.causal)
            policies.back().mask->values["causal"] = 0;
    }
    for (Policy& policy : policies)
        policy.position = placement.position;
    return policies;
}

Result<void> LlamaExperiment::scoreEach(const std::vector<Policy>& policies, const Placement& placement,
                                        const Score& score, const Found& found, const Done& done)
{
    std::optional<PolicyScores> vanilla;
    for (const Policy& policy : policies) {
        Policy inPlace = policy;
        if (placement.mask)
            inPlace.mask = placement.mask;
        const auto scores = TRY(score(inPlace));
        if (isVanillaPolicy(policy))
            vanilla = scores;
        found(policy, scores, vanilla ? &*vanilla : nullptr);
        done(1 / static_cast<double>(policies.size()));
    }
    return {};
}

LabResult LlamaExperiment::finishTested()
{
    return finish(whole("networks") > 1 ? seedCells(m_report.rows()) : std::vector<LabCells>());
}

}  // namespace attnscope
