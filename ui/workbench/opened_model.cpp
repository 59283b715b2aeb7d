#include "ui/workbench/opened_model.h"

#include "core/base/text.h"
#include "core/model/text_tokens.h"
#include "core/tensor/byte_source.h"
#include "ui/figure/model_text.h"
#include "ui/plot/qt_text.h"

#include <algorithm>

namespace attnscope {

namespace {

constexpr std::int64_t mostMadeUp = 1 << 20;

/// Where no model is named: one whose quality beyond N a scale changes to be seen. With stories the positions decide
/// first.
constexpr const char* openingModel = "masked";

Result<void> checkTokenizer(const Model& model)
{
    return model.tokenizer ? Result<void>()
                           : failure(ErrorKind::Unavailable,
                                     model.withoutTokenizer + "; random tokens need none: choose them as the text");
}

Result<std::vector<int>> encoded(const Model& model, const std::string& text)
{
    TRY(checkTokenizer(model));
    return model.tokenizer->encode(text);
}

}  // namespace

std::int64_t madeTokensFor(const ModelSource& source, const Architecture& architecture)
{
    const std::int64_t longest =
        source.longest > 0 ? source.longest : 4 * std::max<std::int64_t>(architecture.trainLength, 512);
    return std::min((longest + 1) * std::max(1, source.windows), mostMadeUp);
}

Result<std::vector<int>> madeTokens(const Model& model, ModelText kind, std::int64_t count)
{
    const std::int64_t tokens = std::min(count, mostMadeUp);
    if (kind == ModelText::Repeated)
        return repeatedTokens(model.architecture, repeatedBlock, tokens, 1);
    TRY(checkTokenizer(model));
    return generatedTokens(model, static_cast<double>(tokens));
}

namespace {

Result<std::vector<int>> tokensOf(const Model& model, const ModelSource& source)
{
    switch (source.text) {
    case ModelText::Repeated:
    case ModelText::Generated:
        return madeTokens(model, source.text, madeTokensFor(source, model.architecture));
    case ModelText::Manual:
        return encoded(model, manualText());
    case ModelText::Typed:
        return encoded(model, source.typed);
    case ModelText::File:
        break;
    }
    if (source.file.empty())
        return failure(ErrorKind::InvalidArgument, "choose the text's file");
    return readText(source.file, longestTextFile).and_then([&](const std::string& read) {
        return encoded(model, read);
    });
}

}  // namespace

ModelSource sourceOf(const ModelLook& look)
{
    ModelSource source{.folder = look.folder.empty() ? openingModel : look.folder,
                       .text = look.text,
                       .file = look.text == ModelText::File ? look.file : "",
                       .typed = look.text == ModelText::Typed ? look.typed : ""};
    if (isMade(look.text)) {
        source.longest = look.lengths.empty() ? 0 : *std::max_element(look.lengths.begin(), look.lengths.end());
        source.windows = look.windows;
    }
    return source;
}

OpenedModel openModelAndText(const ModelSource& source, const std::shared_ptr<const OpenedModel>& before,
                             const std::stop_token& stop, const std::function<void(OpenedModel)>& publish)
{
    OpenedModel made;
    if (before && before->model) {
        made.model = before->model;
        made.about = before->about;
        made.files = before->files;
    } else {
        made.files = stampsIn(source.folder);
        auto opened = openModel(source.folder, [&](const ModelOutline& outline) {
            made.about = text(joined(linesOf(outline), "\n"));
            publish(made);
        });
        if (!opened) {
            made.error = text(opened.error().message);
            return made;
        }
        made.model = std::make_shared<const Model>(std::move(*opened));
    }
    if (stop.stop_requested())
        return made;
    auto ids = tokensOf(*made.model, source);
    if (ids && before && before->ids && *before->ids == *ids)
        made.ids = before->ids;
    else if (ids)
        made.ids = std::make_shared<const std::vector<int>>(std::move(*ids));
    else
        made.error = text(ids.error().message);
    return made;
}

}  // namespace attnscope
