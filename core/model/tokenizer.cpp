#include "core/model/tokenizer.h"

#include "core/tensor/byte_source.h"

#include <charconv>
#include <filesystem>

namespace attnscope {

namespace {

constexpr std::uint64_t longestTokenizer = 64 << 20, longestIds = 1ULL << 30;

}  // namespace

Result<std::shared_ptr<const Tokenizer>> openTokenizer(const std::string& folder)
{
    const std::filesystem::path json = std::filesystem::path(folder) / "tokenizer.json",
                                pieces = std::filesystem::path(folder) / "tokenizer.model";
    std::error_code ignored;
    const bool hasPieces = std::filesystem::exists(pieces, ignored);
    if (std::filesystem::exists(json, ignored)) {
        auto read = readText(json.string(), longestTokenizer).and_then([&](const std::string& text) {
            return readTokenizerJson(text, json.string());
        });
        if (read || read.error().kind != ErrorKind::Unavailable || !hasPieces)
            return read;
    }
    if (hasPieces)
        return openSentencePiece(pieces.string());
    return failure(ErrorKind::NotFound,
                   folder + ": neither tokenizer.json nor tokenizer.model is there; give token ids instead of a text");
}

Result<std::vector<int>> readIds(const std::string& path)
{
    const auto text = TRY(readText(path, longestIds));
    std::vector<int> ids;
    const char* const end = text.data() + text.size();
    for (const char* at = text.data(); at != end;) {
        if (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r' || *at == ',') {
            ++at;
            continue;
        }
        int id = -1;
        const auto [after, error] = std::from_chars(at, end, id);
        if (error != std::errc() || id < 0)
            return failure(ErrorKind::InvalidArgument,
                           path + ": byte " + std::to_string(at - text.data()) +
                               ": a token id is a whole number from 0 on; separate them by spaces or commas");
        ids.push_back(id);
        at = after;
    }
    return ids;
}

}  // namespace attnscope
