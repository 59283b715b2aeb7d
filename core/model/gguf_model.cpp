#include "core/model/gguf_model.h"

#include "core/base/choice.h"
#include "core/base/text.h"
#include "core/model/gguf_families.h"
#include "core/model/published_splits.h"
#include "core/tensor/byte_source.h"
#include "core/tensor/gguf.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>

namespace attnscope {

namespace {

using Json = nlohmann::json;

/// 0 for what T cannot hold.
template <class T>
T numberOf(const Json& one)
{
    if (!one.is_number() || (std::is_integral_v<T> && !one.is_number_integer()))
        return T{};
    const double value = one.get<double>();
    const bool held = value >= static_cast<double>(std::numeric_limits<T>::lowest()) &&
                      value <= static_cast<double>(std::numeric_limits<T>::max());
    return held ? one.get<T>() : T{};
}

template <class T>
std::vector<T> listOf(const Json& values, const char* key)
{
    std::vector<T> list;
    const auto found = values.find(key);
    if (found == values.end() || !found->is_array())
        return list;
    for (const Json& one : *found) {
        if constexpr (std::is_same_v<T, std::string>)
            list.push_back(one.is_string() ? one.get<std::string>() : std::string());
        else
            list.push_back(numberOf<T>(one));
    }
    return list;
}

std::string textOf(const Json& values, const char* key)
{
    const auto found = values.find(key);
    return found != values.end() && found->is_string() ? found->get<std::string>() : "";
}

bool truthOf(const Json& values, const char* key, bool byDefault)
{
    const auto found = values.find(key);
    return found != values.end() && found->is_boolean() ? found->get<bool>() : byDefault;
}

Result<std::shared_ptr<const Tokenizer>> tokenizerOf(const Json& values, const std::string& path)
{
    Vocabulary vocabulary{.model = textOf(values, "tokenizer.ggml.model"),
                          .preTokeniser = textOf(values, "tokenizer.ggml.pre"),
                          .tokens = listOf<std::string>(values, "tokenizer.ggml.tokens"),
                          .scores = listOf<float>(values, "tokenizer.ggml.scores"),
                          .types = listOf<int>(values, "tokenizer.ggml.token_type"),
                          .merges = listOf<std::string>(values, "tokenizer.ggml.merges"),
                          .addSpacePrefix = truthOf(values, "tokenizer.ggml.add_space_prefix", true),
                          .spacesFold = truthOf(values, "tokenizer.ggml.remove_extra_whitespaces", false),
                          .name = textOf(values, "general.name"),
                          .lowerCase = truthOf(values, "tokenizer.ggml.normalizer.lowercase", true),
                          .withoutAccents = std::nullopt};
    const char* const accents = "tokenizer.ggml.normalizer.strip_accents";
    if (values.contains(accents))
        vocabulary.withoutAccents = truthOf(values, accents, vocabulary.lowerCase);
    for (const int byte : listOf<int>(values, "tokenizer.ggml.precompiled_charsmap"))
        vocabulary.characterMap += static_cast<char>(byte);
    if (vocabulary.tokens.empty())
        return failure(ErrorKind::NotFound, path + ": it holds no vocabulary; give token ids instead of a text");
    if (const auto found = values.find("tokenizer.ggml.unknown_token_id");
        found != values.end() && found->is_number_unsigned() && *found < vocabulary.tokens.size())
        vocabulary.unknown = found->get<int>();
    return tokenizerFromVocabulary(vocabulary, path);
}

}  // namespace

Result<std::vector<std::string>> partsOfGguf(const std::string& path)
{
    const std::filesystem::path file(path);
    const std::string stem = file.stem().string();
    constexpr std::size_t digits = 5, length = 15;  // "-00001-of-00003"
    const auto whole = [&](std::size_t from) { return numberFrom<int>(std::string_view(stem).substr(from, digits)); };
    if (stem.size() <= length || stem[stem.size() - length] != '-' ||
        stem.substr(stem.size() - length + 1 + digits, 4) != "-of-" || !whole(stem.size() - digits) ||
        !whole(stem.size() - length + 1))
        return std::vector{path};
    const int count = *whole(stem.size() - digits);
    if (count < 1 || count > 1000)
        return failure(ErrorKind::DataError, "{}: its name speaks of {} parts; at most 1000 are read", path, count);
    std::vector<std::string> parts;
    for (int part = 1; part <= count; ++part) {
        std::string number = std::to_string(part);
        number.insert(0, digits - number.size(), '0');
        parts.push_back((file.parent_path() / (stem.substr(0, stem.size() - length + 1) + number +
                                               stem.substr(stem.size() - 9) + file.extension().string()))
                            .string());
    }
    return parts;
}

std::vector<std::string_view> ggufArchitectures()
{
    std::vector<std::string_view> ids;
    for (const GgufFamily& family : ggufFamilies())
        ids.push_back(family.id);
    return ids;
}

bool isGgufFile(const std::string& path)
{
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored))
        return false;
    std::array<std::byte, 4> start{};
    const auto source = openBytes(path);
    return source && (*source)->size() >= start.size() && (*source)->read(0, start) &&
           beginsGguf({reinterpret_cast<const char*>(start.data()), start.size()});
}

Result<GgufModel> openGguf(const std::string& path)
{
    const std::vector<std::string> paths = TRY(partsOfGguf(path));
    std::vector<MappedTensors> files;
    for (const std::string& part : paths)
        files.push_back(TRY(MappedTensors::open(part)));
    const auto header =
        std::make_shared<const GgufHeader>(TRY(readGgufHeader(TRY(openBytes(paths.front())), paths.front())));
    const Json& values = header->values;
    const std::string architecture = textOf(values, "general.architecture");
    const auto family = std::ranges::find(ggufFamilies(), architecture, &GgufFamily::id);
    if (family == ggufFamilies().end())
        return failure(ErrorKind::Unavailable,
                       path +
                           (architecture.empty() ? std::string(" has no general.architecture")
                                                 : ": models of architecture " + inQuotes(architecture) +
                                                       " are not run from .gguf files") +
                           "; what is run: " + joined(ggufArchitectures(), ", "));
    Json config = TRY(configOf(*family, *header, files, path));
    const std::string kind = textOf(values, "tokenizer.ggml.model");
    const bool begins = kind == "llama" || (kind == "gpt2" && beginsTexts(textOf(values, "tokenizer.ggml.pre")));
    // A SentencePiece vocabulary that does not name its begin token has SentencePiece's own, 1.
    const auto named = values.find("tokenizer.ggml.bos_token_id");
    const Json begin = named != values.end() ? *named : kind == "llama" ? Json(1) : Json();
    if (!begin.is_null() && truthOf(values, "tokenizer.ggml.add_bos_token", begins))
        config["bos_token_id"] = begin;
    WeightLayout layout{.name = [family](std::string_view name) { return placeInGguf(*family, name); },
                        .normsFromOne = family->normsFromOne,
                        .inputsLast = family->inputsFirstInFolders};
    return GgufModel{std::move(config), TRY(WeightFiles::of(std::move(files), path, std::move(layout))),
                     [header, path] { return tokenizerOf(header->values, path); }};
}

}  // namespace attnscope
