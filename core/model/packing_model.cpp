#include "core/model/packing_model.h"

#include "core/model/attention_reader.h"
#include "core/model/packing_state.h"

namespace attnscope {

Result<PackingModel> readPackingModel(const TensorFile& file)
{
    AttentionReader reader(file);
    PackingModel model;
    TRY(reader.read(model));
    const Index w = model.width;
    model.start = TRY(reader.linear("init_embed", w, boxFeatures));
    model.remaining = TRY(reader.linear("project_remaining", w, w, false));
    model.state = TRY(reader.linear("project_state", w, stateFeatures, false));
    const std::vector<std::int64_t> up = reader.shapeOf("turn.up.weight");
    const Index hidden = up.size() == 2 ? up[0] : 1;
    model.turnUp = TRY(reader.linear("turn.up", hidden, turnFeatures));
    model.turnContext = TRY(reader.linear("turn.context", hidden, w, false));
    model.turnDown = TRY(reader.linear("turn.down", 1, hidden, false));
    return model;
}

Result<PackingModel> openPackingModel(const std::string& path)
{
    return TensorFile::open(path).and_then([](const TensorFile& file) { return readPackingModel(file); });
}

}  // namespace attnscope
