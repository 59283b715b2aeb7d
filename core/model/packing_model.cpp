#include "core/model/packing_model.h"

#include "core/model/attention_reader.h"
#include "core/model/packing_state.h"

namespace attnscope {

Result<PackingModel> readPackingModel(const TensorFile& file)
{
    AttentionReader reader(file);
    PackingModel model;
    reader.read(model);
    const Index w = model.width;
    model.start = reader.linear("init_embed", w, boxFeatures);
    model.remaining = reader.linear("project_remaining", w, w, false);
    model.state = reader.linear("project_state", w, stateFeatures, false);
    const std::vector<std::int64_t> up = reader.shapeOf("turn.up.weight");
    const Index hidden = up.size() == 2 ? up[0] : 1;
    model.turnUp = reader.linear("turn.up", hidden, turnFeatures);
    model.turnContext = reader.linear("turn.context", hidden, w, false);
    model.turnDown = reader.linear("turn.down", 1, hidden, false);
    if (reader.error())
        return tl::unexpected(*reader.error());
    return model;
}

Result<PackingModel> openPackingModel(const std::string& path)
{
    return TensorFile::open(path).and_then([](const TensorFile& file) { return readPackingModel(file); });
}

}  // namespace attnscope
