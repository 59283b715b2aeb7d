#include "core/model/attention_model.h"

#include "core/model/attention_reader.h"

namespace attnscope {

Result<AttentionModel> readAttentionModel(const TensorFile& file)
{
    AttentionReader reader(file);
    AttentionModel model;
    reader.read(model);
    const Index w = model.width;
    model.hasDepot = reader.has("init_embed_depot.weight");
    model.start = reader.linear("init_embed", w, model.hasDepot ? 3 : 2);
    if (model.hasDepot)
        model.startOfDepot = reader.linear("init_embed_depot", w, 2);
    model.step = reader.linear("project_step_context", w, model.hasDepot ? w + 1 : 2 * w, false);
    if (!model.hasDepot)
        model.placeholder = reader.vector("W_placeholder", 2 * w);
    if (reader.error())
        return tl::unexpected(*reader.error());
    return model;
}

Result<AttentionModel> openAttentionModel(const std::string& path)
{
    return TensorFile::open(path).and_then([](const TensorFile& file) { return readAttentionModel(file); });
}

}  // namespace attnscope
