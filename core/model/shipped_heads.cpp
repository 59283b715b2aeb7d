#include "core/model/shipped_heads.h"

#include "core/model/evaluation.h"
#include "core/model/generated_text.h"
#include "core/model/head_recorder.h"
#include "core/tensor/head_file.h"

#include <filesystem>

namespace attnscope {

namespace {

Result<TensorFile> recordShipped()
{
    const Model model = TRY(openModel(shippedModel));
    const auto ids = TRY(model.tokenizer->encode(testText(double(shippedHeadTokens))));
    const auto window = windowOf(model.architecture, ids, 0, shippedHeadTokens);
    const auto policy = resolve(Policy{}, model.architecture, shippedHeadTokens);
    if (!window || !policy)
        return tl::unexpected<Error>(window ? policy.error() : window.error());
    HeadRecorder recorder(model);
    Sequence sequence(model, *policy, {.observe = [&](const LayerHeads& layer) { return recorder.take(layer); }, .progress = {}, .stop = {}});
    TRY(sequence.append(window->inputs));
    return recorder.bytes(shippedModel, window->inputs).and_then([](std::vector<std::byte> bytes) { return TensorFile::fromBytes(std::move(bytes), shippedModel); });
}

}  // namespace

bool namesShippedHeads(const std::string& path)
{
    std::error_code ignored;
    return path == shippedModel && !std::filesystem::is_regular_file(path, ignored);
}

Result<TensorFile> shippedHeads()
{
    static const Result<TensorFile> heads = recordShipped();
    return heads;
}

Result<TensorFile> openHeadSource(const std::string& path) { return namesShippedHeads(path) ? shippedHeads() : openHeadFile(path); }

}  // namespace attnscope
