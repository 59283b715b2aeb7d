#include "core/labs/language/language_corpus.h"

#include "core/base/fingerprint.h"
#include "core/base/json_reader.h"
#include "core/model/byte_pair_training.h"
#include "core/tensor/byte_source.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace attnscope {

namespace {

constexpr std::uint64_t longestCorpus = 256 << 20;
constexpr std::size_t bytesEncodedAtOnce = 1 << 16, bytesForTokenizer = 2 << 20;

/// The first `most` bytes, to the end of a line.
std::string_view linesOf(std::string_view text, std::size_t most)
{
    if (text.size() <= most)
        return text;
    const std::size_t newline = text.rfind('\n', most - 1);
    std::size_t end = newline == text.npos ? most : newline + 1;
    while (newline == text.npos && end < text.size() &&
           (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)  // not within a character
        ++end;
    return text.substr(0, end);
}

/// Which text it was.
std::string nameOf(std::string_view text) { return fmt::format("{} bytes, {}", text.size(), fingerprint(text)); }

}  // namespace

double lossOfFrequencies(const std::vector<int>& ids)
{
    std::map<int, double> counts;
    for (const int id : ids)
        ++counts[id];
    double loss = 0;
    for (const auto& [id, count] : counts)
        loss -= count / static_cast<double>(ids.size()) * std::log(count / static_cast<double>(ids.size()));
    return loss;
}

Result<std::vector<int>> encodeLines(const Tokenizer& tokenizer, std::string_view text, const std::stop_token& stop)
{
    std::vector<int> ids;
    while (!text.empty()) {
        TRY(unlessStopped(stop));
        const std::string_view piece = linesOf(text, bytesEncodedAtOnce);
        const auto part = TRY(tokenizer.encode(piece));
        ids.insert(ids.end(), part.begin(), part.end());
        text.remove_prefix(piece.size());
    }
    return ids;
}

std::vector<LanguageCorpus::Recall> recallsAmong(const Tokenizer& tokenizer, const std::vector<int>& ids,
                                                 const GeneratedText& text)
{
    std::vector<std::int64_t> starts;  // byte at which each token begins
    std::int64_t at = 0;
    for (const int id : ids) {
        starts.push_back(at);
        at += static_cast<std::int64_t>(tokenizer.decode(std::span(&id, 1)).size());
    }
    const auto tokenAt = [&](std::int64_t byte) { return std::ranges::lower_bound(starts, byte) - starts.begin(); };
    std::vector<LanguageCorpus::Recall> recalls;
    for (const GeneratedText::Answer& answer : text.answers)
        if (const auto token = tokenAt(answer.begin); token < std::ssize(starts))
            recalls.push_back({token, tokenAt(answer.told)});
    return recalls;
}

Result<LanguageCorpus> makeCorpus(const CorpusOptions& options, const std::stop_token& stop)
{
    LanguageCorpus corpus;
    std::string train, test;
    GeneratedText generated;
    if (options.file.empty()) {
        train = generatedText(options.seed, options.bytes, stop).text;
        generated = generatedText(testTextSeed, options.testBytes, stop);
        test = generated.text;
        corpus.origin = fmt::format("generated, seed {}, {} bytes", options.seed, options.bytes);
    } else {
        const auto text = TRY(readText(options.file, longestCorpus));
        train = std::string(linesOf(text, text.size() - text.size() / 10));
        test = text.substr(train.size());
        corpus.origin = nameOf(text);
    }
    if (stop.stop_requested())  // it may be shorter than asked for
        return stopped();
    corpus.tokenizerJson = TRY(trainByteLevelTokenizer(linesOf(train, bytesForTokenizer), options.vocabulary, stop));
    const auto tokenizer = TRY(readTokenizerJson(corpus.tokenizerJson, "tokenizer.json"));
    corpus.tokenizer = tokenizer;
    corpus.vocabulary =
        static_cast<int>(parseJson(corpus.tokenizerJson, "tokenizer.json").value()["model"]["vocab"].size());
    for (const auto& [text, ids] : {std::pair{&train, &corpus.train}, std::pair{&test, &corpus.test}}) {
        auto encoded = TRY(encodeLines(*corpus.tokenizer, *text, stop));
        *ids = std::move(encoded);
    }
    corpus.recalls = recallsAmong(*corpus.tokenizer, corpus.test, generated);
    return corpus;
}

}  // namespace attnscope
