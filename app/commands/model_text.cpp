#include "app/commands/model_text.h"

#include "core/base/text.h"
#include "core/model/generated_text.h"
#include "core/model/study.h"
#include "core/tensor/byte_source.h"

namespace attnscope {

void addModelText(CLI::App& app, std::string& folder, std::string& text, std::string& ids)
{
    app.add_option("MODEL", folder,
                   "A model's folder: config.json, model.safetensors, tokenizer.json or tokenizer.model; a .gguf file, "
                   "whatever its name; or one that comes with the program: " +
                       joined(shippedModels(), ", ", &ShippedModel::id))
        ->type_name("")
        ->default_str(shippedModel);
    CLI::Option* file = app.add_option("--text", text,
                                       "The text to predict, UTF-8; generated: stories that the program makes, which a "
                                       "model that comes with it takes by itself; repeated: 256 random tokens again "
                                       "and again")
                            ->type_name("FILE");
    app.add_option("--ids", ids, "Its tokens in place of the text: whole numbers, separated by spaces or commas")
        ->type_name("FILE")
        ->excludes(file);
}

bool readsGeneratedText(const Model& model, const std::string& text, const std::string& ids)
{
    return ids.empty() && (text == generatedTextName || (text.empty() && shippedModelAt(model.folder)));
}

Result<std::vector<int>> readModelText(const Model& model, const std::string& text, const std::string& ids,
                                       double tokensToGenerate)
{
    constexpr std::uint64_t longest = 1ULL << 30;
    if (!ids.empty())
        return readIds(ids);
    const bool generated = readsGeneratedText(model, text, ids);
    if (text == repeatedTokensName)
        return repeatedTokens(model.architecture, repeatedBlock, static_cast<std::int64_t>(tokensToGenerate), 1);
    if (text.empty() && !generated)
        return failure(
            ErrorKind::InvalidArgument,
            "a text is needed: --text FILE, its tokens with --ids FILE, --text generated or --text repeated");
    if (!model.tokenizer)
        return failure(ErrorKind::Unavailable, model.withoutTokenizer);
    if (generated)
        return generatedTokens(model, tokensToGenerate);
    return readText(text, longest).and_then([&](const std::string& read) { return model.tokenizer->encode(read); });
}

}  // namespace attnscope
