#include "core/model/text_tokens.h"

#include "core/base/random.h"
#include "core/model/generated_text.h"
#include "core/model/probes.h"
#include "core/tensor/byte_source.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace attnscope {

Result<std::vector<int>> generatedTokens(const Model& model, double tokens)
{
    if (!model.tokenizer)
        return failure(ErrorKind::Unavailable, model.withoutTokenizer);
    if (model.says == TrainedToSay::Copies)
        return repeatedTokens(model.architecture, std::max<std::int64_t>(2, model.architecture.trainLength / 2),
                              std::llround(std::ceil(tokens)) + 1, testTextSeed);
    if (model.says == TrainedToSay::Text)
        return model.tokenizer->encode(testText(tokens));
    std::vector<int> fillers;  // of those that the network has
    for (const std::string_view word : needleFillers())
        if (const auto ids = model.tokenizer->encode(word))
            fillers.insert(fillers.end(), ids->begin(), ids->end());
    if (fillers.empty())
        return failure(ErrorKind::Unavailable, "its tokeniser knows none of the words that fill a text");
    const Random random(testTextSeed, Stream::Other);
    std::vector<int> ids;
    for (std::uint64_t i = 0; static_cast<double>(i) < tokens; ++i)
        ids.push_back(fillers[static_cast<std::size_t>(random.uniform(1, i) * static_cast<double>(fillers.size()))]);
    return ids;
}

std::vector<int> repeatedTokens(const Architecture& architecture, std::int64_t block, std::int64_t count,
                                std::uint64_t seed, std::uint64_t row)
{
    const Random random(seed, Stream::Other);
    std::vector<int> all;
    for (int id = 0; id < architecture.vocabulary; ++id)
        if ((id != architecture.beginToken && id != architecture.betweenDocuments && id != architecture.maskToken) ||
            architecture.vocabulary < 2)
            all.push_back(id);
    const auto below = [&](std::size_t draw, std::size_t bound) {
        return std::min(bound - 1, static_cast<std::size_t>(random.uniform(row, draw) * static_cast<double>(bound)));
    };
    const auto wanted = static_cast<std::size_t>(std::min(block, count));
    std::vector<int> first;
    if (wanted <= all.size()) {  // different ones, so that one token tells which one follows it
        for (std::size_t i = 0; i < wanted; ++i)
            std::swap(all[i], all[i + below(i, all.size() - i)]);
        first.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(wanted));
    } else {
        for (std::size_t i = 0; i < wanted; ++i)
            first.push_back(all[below(i, all.size())]);
    }
    std::vector<int> ids;
    for (std::int64_t i = 0; i < count; ++i)
        ids.push_back(first[static_cast<size_t>(i) % first.size()]);
    return ids;
}

Result<std::vector<int>> namedTokens(const Model& model, const std::string& text, double tokens)
{
    constexpr std::uint64_t longest = 1ULL << 30;
    if (text == repeatedTokensName)
        return repeatedTokens(model.architecture, repeatedBlock, static_cast<std::int64_t>(tokens), 1);
    if (text == generatedTextName)
        return generatedTokens(model, tokens);
    if (!model.tokenizer)
        return failure(ErrorKind::Unavailable, model.withoutTokenizer);
    const std::string read = TRY(readText(text, longest));
    if (read.empty())
        return failure(ErrorKind::DataError, "{}: the file is empty; a text to predict is needed", text);
    return model.tokenizer->encode(read).map_error([&](Error error) {
        error.message = text + ": " + error.message;
        return error;
    });
}

}  // namespace attnscope
