#include "core/labs/retrieval/max_retrieval_head.h"

#include "core/base/embedded.h"
#include "core/learn/checkpoint.h"
#include "core/tensor/tensor_writer.h"

#include <cmath>
#include <filesystem>

namespace attnscope {

using namespace learn;

Embedded maxRetrievalHead();  // made by attnscope_embed from resources/labs

namespace {

constexpr std::uint64_t tensorSeed = 3'000'000'000'000;
constexpr std::int64_t sets = 4, queries = 64, items = 2048;

}  // namespace

Result<MaxRetrievalModel> loadHead(const std::string& shippedOrPath)
{
    const Embedded resource = maxRetrievalHead();
    const TensorFile file =
        TRY(shippedOrPath == "shipped"
                ? TensorFile::fromBytes({resource.bytes.begin(), resource.bytes.end()}, std::string(resource.name))
                : TensorFile::open(shippedOrPath));
    const TensorInfo* first = TRY(file.find("item_mlp.0.weight"));
    if (first->shape.empty() || first->shape[0] < 1 || first->shape[0] > 4096)
        return failure(
            ErrorKind::BadShape,
            file.path() +
                " is no max-retrieval head that this program trained; train one with `attnscope lab max-retrieval`");
    const auto said = file.metadata().find("products");
    const std::string products = said == file.metadata().end() ? "float32" : said->second;
    if (products != "float32" && products != "bfloat16")
        return failure(ErrorKind::DataError,
                       file.path() + ": metadata \"products\" must be float32 or bfloat16, not " + products);
    MaxRetrievalModel model(first->shape[0], 0, products == "bfloat16" ? Products::Bfloat16 : Products::Float32);
    TRY(loadModel(file, model.weights()));
    return model;
}

Result<Scenario> writeHeadTensors(const std::string& path, MaxRetrievalModel& model, double nTrain)
{
    Tape tape(model.products());
    const float back = std::sqrt(static_cast<float>(model.width()));  // the probe holds 1/sqrt(width)
    const MaxRetrievalBatch asked = maxRetrievalBatch(tensorSeed + 1, 0, sets * queries, 1);
    const Matrix q = back * Factor(tape.products(), tape.value(model.probe(tape, asked))).view();
    const Factor keys(tape.products(), tape.value(model.items(tape, maxRetrievalBatch(tensorSeed, 0, sets, items))));
    const ConstMatrixView k = keys.view();
    const auto view = [&](const char* name, std::int64_t rows, const float* data) {
        return tensorView(name, {sets, rows, model.width()},
                          std::span<const float>(data, static_cast<std::size_t>(sets * rows * model.width())));
    };
    const std::vector<TensorView> tensors{view("q", queries, q.data()), view("k", items, k.data())};
    TRY(writeSafetensors(
        path, tensors,
        {{"model", "max-retrieval head"}, {"causal", "false"}, {"trained_length", formatNumber(nTrain)}}));
    Scenario scenario;
    scenario.source = {"tensors", {}, {}};
    scenario.tensors = {std::filesystem::absolute(path).string(), "q", "k", "heads_tokens_dim", {}};
    scenario.n = items;
    scenario.d = static_cast<int>(model.width());
    scenario.nTrain = nTrain;
    scenario.attention.mask = {"full", {}, {}};
    scenario.methods = {
        {"vanilla", {}, {}}, {"softmax_plus", {}, {}}, {"infoscale", {}, {}}, {"entropy_measured", {}, {}}};
    scenario.view.curveFirst = static_cast<std::int64_t>(nTrain);
    scenario.view.curveLast = items;
    return scenario;
}

}  // namespace attnscope
