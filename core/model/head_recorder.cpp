#include "core/model/head_recorder.h"

#include "core/attention/positions.h"
#include "core/base/each.h"
#include "core/base/json_text.h"
#include "core/model/sequence.h"

#include <nlohmann/json.hpp>

#include <unistd.h>

namespace attnscope {

namespace {

double halfOfMemory()
{
    return 0.5 * static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

/// "base 10000, halves; q and k are pre-RoPE"
std::string ropeText(const Choice& position, bool turned)
{
    const auto valueOf = [&](const char* name, double byDefault) {
        const auto found = position.values.find(name);
        return found == position.values.end() ? byDefault : found->second;
    };
    return "base " + formatNumber(valueOf("base", 10000)) +
           (valueOf("interleaved", 1) != 0 ? ", neighbouring pairs" : ", halves") + "; q and k are " +
           (turned ? "post-RoPE" : "pre-RoPE");
}

bool isRotary(const Choice& position)
{
    const auto row = findRow(positions(), position.id, "position");
    return row && (*row)->frequencies;
}

/// The model's own factors on the logits of its rows, put into its queries.
void scaleRows(HeadSet& heads, std::span<const double> scale)
{
    for (Matrix& query : heads.queries)
        for (Eigen::Index row = 0; row < query.rows(); ++row)
            if (const auto factor = static_cast<float>(scale[static_cast<size_t>(row)]); factor != 1)
                query.row(row) *= factor;
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
                       "the queries and keys of all layers at n = {} do not fit in memory; save them at a smaller n",
                       layer.heads.keyCount());
    const auto keys = layer.heads.keyCount();
    const LayerRule rule = TRY(resolveLayer({}, a, layer.layer, keys));
    HeadSet heads = layer.heads;
    AttentionSpec spec = rule.spec;
    m_turned = !layer.places.empty();
    if (m_turned)
        TRY(turnTo(layer.places, heads, spec));
    scaleRows(heads, rule.scale(0).subspan(static_cast<size_t>(layer.firstRow)));

    const std::string name = "layer" + std::to_string(layer.layer), when = !isRotary(a.position()) ? ""
                                                                           : m_turned              ? "_post_rope"
                                                                                                   : "_pre_rope";
    add(name + ".q" + when, heads.queries);
    add(name + ".k" + when, heads.keys);
    m_metadata[name + ".positions"] = formatChoice(spec.position);
    m_metadata[name + ".mask"] = formatChoice(spec.mask);
    if (spec.softCap > 0)
        m_metadata[name + ".soft_cap"] = formatNumber(spec.softCap);
    if (!rule.sinks.empty())
        m_metadata[name + ".sinks"] = joined(rule.sinks, ",", [](double sink) { return formatNumber(sink); });
    return {};
}

std::vector<TensorView> HeadRecorder::views() const
{
    return each(m_tensors, [](const Tensor& tensor) {
        return tensorView(tensor.name, tensor.shape, std::span<const float>(tensor.values));
    });
}

std::map<std::string, std::string> HeadRecorder::metadata(std::span<const int> ids) const
{
    const Architecture& a = m_model.architecture;
    std::map<std::string, std::string> metadata{{"model", describe(a)},
                                                {"layout", "heads, tokens, head_dim"},
                                                {"causal", a.causal ? "true" : "false"},
                                                {"n_train", std::to_string(a.trainLength)}};
    metadata.insert(m_metadata.begin(), m_metadata.end());
    if (isRotary(a.position()))
        metadata["rope"] = ropeText(a.position(), m_turned);
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
