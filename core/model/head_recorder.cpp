#include "core/model/head_recorder.h"

#include "core/attention/positions.h"
#include "core/base/json_text.h"
#include "core/model/turned_heads.h"

#include <nlohmann/json.hpp>

#include <unistd.h>

namespace attnscope {

namespace {

double halfOfMemory()
{
    return 0.5 * static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

/// "base 10000, halves; pre-RoPE"
std::string ropeText(const Choice& position, bool turned)
{
    const auto base = position.values.find("base");
    return "base " + formatNumber(base == position.values.end() ? 10000 : base->second) + ", halves; q and k are " +
           (turned ? "post-RoPE" : "pre-RoPE");
}

}  // namespace

void HeadRecorder::add(const std::string& name, const std::vector<Matrix>& heads)
{
    Tensor tensor{name, {static_cast<std::int64_t>(heads.size()), heads.front().rows(), heads.front().cols()}, {}};
    for (const Matrix& head : heads)
        tensor.values.insert(tensor.values.end(), head.data(), head.data() + head.size());
    m_tensors.push_back(std::move(tensor));
}

Result<void> HeadRecorder::take(const LayerHeads& layer)
{
    const Architecture& a = m_model.architecture;
    const double bytes =
        4.0 * a.layers * static_cast<double>(layer.heads.keyCount()) * a.headSize * (a.heads + a.keyHeads);
    if (bytes > halfOfMemory())
        return failure(ErrorKind::InvalidArgument,
                       "the queries and keys of all layers at n = " + std::to_string(layer.heads.keyCount()) +
                           " do not fit in memory; save them at a smaller n");
    const std::string name = "layer" + std::to_string(layer.layer);
    m_turned = !layer.places.empty();
    if (!m_turned) {
        add(name + ".q_pre_rope", layer.heads.queries);
        add(name + ".k_pre_rope", layer.heads.keys);
        return {};
    }
    HeadSet turned = layer.heads;
    AttentionSpec spec{.position = a.position};
    TRY(turnTo(layer.places, turned, spec));
    add(name + ".q_post_rope", turned.queries);
    add(name + ".k_post_rope", turned.keys);
    return {};
}

std::vector<TensorView> HeadRecorder::views() const
{
    std::vector<TensorView> views;
    for (const Tensor& tensor : m_tensors)
        views.push_back(tensorView(tensor.name, tensor.shape, std::span<const float>(tensor.values)));
    return views;
}

std::map<std::string, std::string> HeadRecorder::metadata(std::span<const int> ids) const
{
    const Architecture& a = m_model.architecture;
    std::map<std::string, std::string> metadata{{"model", describe(a)},
                                                {"layout", "heads, tokens, head_dim"},
                                                {"causal", a.causal ? "true" : "false"},
                                                {"n_train", std::to_string(a.trainLength)}};
    if (hasPositions(a.position))
        metadata["rope"] = ropeText(a.position, m_turned);
    if (m_model.tokenizer) {
        nlohmann::json labels = nlohmann::json::array();
        for (const int id : ids)
            labels.push_back(m_model.tokenizer->decode(std::span(&id, 1)));
        metadata["tokens"] = jsonText(labels);
    }
    return metadata;
}

Result<void> HeadRecorder::save(const std::string& path, std::span<const int> ids) const
{
    return writeSafetensors(path, views(), metadata(ids));
}

Result<std::vector<std::byte>> HeadRecorder::bytes(const std::string& name, std::span<const int> ids) const
{
    return safetensorsBytes(name, views(), metadata(ids));
}

}  // namespace attnscope
