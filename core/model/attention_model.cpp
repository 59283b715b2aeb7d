#include "core/model/attention_model.h"

#include "core/model/attention_reader.h"

namespace attnscope {

Result<AttentionModel> readAttentionModel(const TensorFile& file)
{
    AttentionReader reader(file);
    AttentionModel model;
    TRY(reader.read(model));
    const Index w = model.width;
    model.hasDepot = reader.has("init_embed_depot.weight");
    model.start = TRY(reader.linear("init_embed", w, model.hasDepot ? 3 : 2));
    if (model.hasDepot)
        model.startOfDepot = TRY(reader.linear("init_embed_depot", w, 2));
    model.step = TRY(reader.linear("project_step_context", w, model.hasDepot ? w + 1 : 2 * w, false));
    if (!model.hasDepot)
        model.placeholder = TRY(reader.vector("W_placeholder", 2 * w));
    return model;
}

Result<AttentionModel> openAttentionModel(const std::string& path)
{
    return TensorFile::open(path).and_then([](const TensorFile& file) { return readAttentionModel(file); });
}

}  // namespace attnscope
