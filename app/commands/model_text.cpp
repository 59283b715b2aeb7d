#include "app/commands/model_text.h"

#include "core/base/replace_file.h"
#include "core/base/text.h"
#include "core/model/generated_text.h"
#include "core/model/gguf_model.h"
#include "core/model/text_tokens.h"

#include <algorithm>
#include <array>
#include <filesystem>

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

namespace {

/// Is it read of a folder, or does it go with what is?
bool isOfModels(const std::string& name)
{
    constexpr std::array<std::string_view, 3> beginnings{"tokenizer", "vocab", "spiece"};
    constexpr std::array<std::string_view, 7> names{
        "config.json", "generation_config.json",   "added_tokens.json",      "special_tokens_map.json",
        "merges.txt",  "preprocessor_config.json", "sentencepiece.bpe.model"};
    return name.ends_with(".safetensors") || name.ends_with(".safetensors.index.json") || name.ends_with(".gguf") ||
           std::ranges::find(names, name) != names.end() ||
           std::ranges::any_of(beginnings, [&](std::string_view start) { return name.starts_with(start); });
}

std::vector<std::string> filesOfModel(const std::string& path)
{
    std::error_code ignored;
    if (!std::filesystem::is_directory(path, ignored))
        return partsOfGguf(path).value_or(std::vector{path});
    std::vector<std::string> files;
    for (std::filesystem::directory_iterator at(path, ignored), end; !ignored && at != end; at.increment(ignored))
        if (isOfModels(at->path().filename().string()))
            files.push_back(at->path().string());
    return files;
}

}  // namespace

Result<void> checkFiles(std::span<const NamedFile> written, const std::vector<NamedFile>& read,
                        const std::string& model)
{
    const std::vector<std::string> files = filesOfModel(model);
    for (std::size_t i = 0; i < written.size(); ++i) {
        const auto& [path, option] = written[i];
        for (const NamedFile& other : written.subspan(i + 1))
            TRY(checkApart(path, option, other.path, other.option));
        for (const NamedFile& other : read)
            TRY(checkApart(other.path, other.option, path, option));
        for (const std::string& file : files)
            TRY(checkApart(file, "MODEL", path, option));
    }
    return {};
}

Result<void> checkRunLengths(std::span<const std::int64_t> lengths)
{
    const auto longer = std::ranges::find_if(lengths, [](std::int64_t n) { return n > longestRun; });
    return longer == lengths.end() ? Result<void>()
                                   : failure(ErrorKind::InvalidArgument,
                                             "--n: a model runs at most {} tokens here, not {}", longestRun, *longer);
}

bool readsGeneratedText(const Model& model, const std::string& text, const std::string& ids)
{
    return ids.empty() && (text == generatedTextName || (text.empty() && shippedModelAt(model.folder)));
}

Result<std::vector<int>> readModelText(const Model& model, const std::string& text, const std::string& ids,
                                       double tokensToGenerate)
{
    constexpr double mostGenerated = 4.0 * longestRun + 1;  // four windows, as far as their last target
    if (!ids.empty())
        return readIds(ids).map_error(faultOfFile);
    const bool generated = readsGeneratedText(model, text, ids);
    if ((generated || text == repeatedTokensName) && tokensToGenerate > mostGenerated)
        return failure(ErrorKind::InvalidArgument,
                       "a text of {} tokens would have to be made, and at most {} are: take a smaller --n, --windows "
                       "or --stride, or a --text FILE",
                       formatNumber(tokensToGenerate), formatNumber(mostGenerated));
    if (text.empty() && !generated)
        return failure(
            ErrorKind::InvalidArgument,
            "a text is needed: --text FILE, its tokens with --ids FILE, --text generated or --text repeated");
    return namedTokens(model, generated ? generatedTextName : text, tokensToGenerate).map_error(faultOfFile);
}

}  // namespace attnscope
