#include "core/model/tokenizer.h"

#include "core/model/tokenizer_files.h"
#include "core/tensor/byte_source.h"

#include <charconv>
#include <filesystem>

namespace attnscope {

namespace {

constexpr std::uint64_t longestTokenizer = 64 << 20, longestIds = 1ULL << 30;

}  // namespace

Result<std::shared_ptr<const Tokenizer>> openTokenizer(const std::string& folder)
{
    const auto at = [&](const char* name) { return (std::filesystem::path(folder) / name).string(); };
    const auto has = [&](const char* name) {
        std::error_code ignored;
        return std::filesystem::exists(at(name), ignored);
    };
    if (has("tokenizer.json")) {
        auto read = readText(at("tokenizer.json"), longestTokenizer).and_then([&](const std::string& text) {
            return readTokenizerJson(text, at("tokenizer.json"));
        });
        if (!read && read.error().kind == ErrorKind::Unavailable && has("tokenizer.model"))
            return failure(read.error().kind, read.error().message +
                                                  "; to take tokenizer.model in its place, which may give other ids, "
                                                  "move tokenizer.json away");
        return read;
    }
    if (has("vocab.json") && has("merges.txt"))
        return openMerges(folder);
    if (has("vocab.txt"))
        return openWordPieces(folder);
    if (has("tokenizer.model"))
        return openSentencePiece(folder);
    return failure(ErrorKind::NotFound,
                   folder + ": neither tokenizer.json, nor vocab.json with merges.txt, vocab.txt or tokenizer.model is "
                            "there; give token ids instead of a text");
}

Result<std::vector<int>> readIds(const std::string& path)
{
    const auto text = TRY(readText(path, longestIds));
    std::vector<int> ids;
    const char* const end = text.data() + text.size();
    bool afterComma = true;  // or where the text begins: a comma here would have nothing before it
    constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
    for (const char* at = text.data() + (text.starts_with(byteOrderMark) ? byteOrderMark.size() : 0); at != end;) {
        if (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r' || (*at == ',' && !afterComma)) {
            afterComma = afterComma || *at == ',';
            ++at;
            continue;
        }
        int id = -1;
        const auto [after, error] = std::from_chars(at, end, id);
        if (error != std::errc() || id < 0)
            return failure(ErrorKind::InvalidArgument,
                           "{}: byte {}: a token id is a whole number from 0 on; separate them by spaces or commas",
                           path, at - text.data());
        ids.push_back(id);
        afterComma = false;
        at = after;
    }
    return ids;
}

}  // namespace attnscope
