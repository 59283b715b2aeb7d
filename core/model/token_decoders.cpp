#include "core/model/tokenizer_parts.h"

#include "core/base/json_reader.h"
#include "core/model/byte_letters.h"
#include "core/model/text_pieces.h"
#include "core/model/unicode_text.h"

#include <array>
#include <cstdio>

namespace attnscope {

namespace {

using Tokens = std::vector<std::string>;

Tokens fused(const Tokens& tokens)
{
    std::string all;
    for (const std::string& token : tokens)
        all += token;
    return {all};
}

/// Letters of bytes become the bytes; a token with another character in it stays as it is.
Tokens fromLetters(const Tokens& tokens)
{
    std::string text;
    for (const std::string& token : tokens) {
        std::string bytes;
        for (std::size_t at = 0; at < token.size();) {
            const std::size_t begin = at;
            nextCharacter(token, at);
            const int byte = letterByte(std::string_view(token).substr(begin, at - begin));
            if (byte < 0) {
                bytes = token;
                break;
            }
            bytes += static_cast<char>(byte);
        }
        text += bytes;
    }
    return {text};
}

/// <0x41> becomes A. What bytes beside each other make no character of is U+FFFD, one a byte.
Tokens fromBytes(const Tokens& tokens)
{
    Tokens out;
    std::string run;
    const auto flush = [&] {
        if (!run.empty() && isUtf8(run))
            out.push_back(run);
        else
            out.insert(out.end(), run.size(), "\ufffd");
        run.clear();
    };
    for (const std::string& token : tokens) {
        unsigned byte = 0;
        if (token.size() == 6 && std::sscanf(token.c_str(), "<0x%2X>", &byte) == 1) {
            run += static_cast<char>(byte);
            continue;
        }
        flush();
        out.push_back(token);
    }
    flush();
    return out;
}

std::string withReplaced(std::string_view text, std::string_view what, std::string_view by)
{
    std::string out;
    for (std::size_t found = 0; found != text.npos;) {
        found = what.empty() ? text.npos : text.find(what);
        out += text.substr(0, found);
        if (found != text.npos) {
            out += by;
            text.remove_prefix(found + what.size());
        }
    }
    return out;
}

Result<Decode> readMetaspaceDecoder(ObjectReader& fields, const nlohmann::json&, const std::string&)
{
    std::string mark = "\u2581", scheme;
    bool prefix = true;
    fields.text("replacement", mark);
    fields.boolean("add_prefix_space", prefix);
    fields.text("prepend_scheme", scheme);
    const bool drops = scheme.empty() ? prefix : scheme != "never";
    return fields.status().map([&] {
        return Decode([mark, drops](Tokens tokens) {
            for (std::size_t i = 0; i < tokens.size(); ++i)
                tokens[i] = withReplaced(tokens[i], mark, i == 0 && drops ? "" : " ");
            return tokens;
        });
    });
}

Result<Decode> readStripDecoder(ObjectReader& fields, const nlohmann::json&, const std::string&)
{
    std::string content = " ";
    std::size_t start = 0, stop = 0;
    fields.text("content", content);
    fields.number("start", start, 0, 1e9);
    fields.number("stop", stop, 0, 1e9);
    return fields.status().map([&] {
        return Decode([=](Tokens tokens) {
            for (std::string& token : tokens) {
                std::string_view left(token);
                for (std::size_t i = 0; i < start && !content.empty() && left.starts_with(content); ++i)
                    left.remove_prefix(content.size());
                for (std::size_t i = 0; i < stop && !content.empty() && left.ends_with(content); ++i)
                    left.remove_suffix(content.size());
                token = std::string(left);
            }
            return tokens;
        });
    });
}

Result<Decode> readWordPieceDecoder(ObjectReader& fields, const nlohmann::json&, const std::string&)
{
    std::string prefix = "##";
    bool tidy = true;
    fields.text("prefix", prefix);
    fields.boolean("cleanup", tidy);
    return fields.status().map([&] {
        return Decode([prefix, tidy](Tokens tokens) {
            static constexpr std::array<std::array<std::string_view, 2>, 11> spaces{{{" .", "."},
                                                                                     {" ?", "?"},
                                                                                     {" !", "!"},
                                                                                     {" ,", ","},
                                                                                     {" ' ", "'"},
                                                                                     {" n't", "n't"},
                                                                                     {" 'm", "'m"},
                                                                                     {" do not", " don't"},
                                                                                     {" 's", "'s"},
                                                                                     {" 've", "'ve"},
                                                                                     {" 're", "'re"}}};
            for (std::size_t i = 0; i < tokens.size(); ++i) {
                if (i > 0 && !prefix.empty() && tokens[i].starts_with(prefix))
                    tokens[i].erase(0, prefix.size());
                else if (i > 0)
                    tokens[i].insert(0, " ");
                for (const auto& [from, to] : spaces)
                    if (tidy)
                        tokens[i] = withReplaced(tokens[i], from, to);
            }
            return tokens;
        });
    });
}

Result<Decode> readSuffixDecoder(ObjectReader& fields, const nlohmann::json&, const std::string&)
{
    std::string suffix = "</w>";
    fields.text("suffix", suffix);
    return fields.status().map([&] {
        return Decode([suffix](Tokens tokens) {
            for (std::size_t i = 0; i < tokens.size(); ++i)
                tokens[i] = withReplaced(tokens[i], suffix, i + 1 < tokens.size() ? " " : "");
            return tokens;
        });
    });
}

Result<Decode> readReplaceDecoder(ObjectReader& fields, const nlohmann::json& given, const std::string& path)
{
    std::string content;
    fields.text("content", content);
    TRY(fields.status());
    return readPattern(given, path).map([&](const SplitPattern& pattern) {
        return Decode([pattern, content](Tokens tokens) {
            for (std::string& token : tokens)
                token = pattern.replaced(token, content).value_or(token);
            return tokens;
        });
    });
}

constexpr PartKind<Decode> kindsOfDecoder[]{{"ByteLevel", [](auto&...) { return Result<Decode>(fromLetters); }},
                                            {"ByteFallback", [](auto&...) { return Result<Decode>(fromBytes); }},
                                            {"Fuse", [](auto&...) { return Result<Decode>(fused); }},
                                            {"Metaspace", readMetaspaceDecoder},
                                            {"Replace", readReplaceDecoder},
                                            {"Strip", readStripDecoder},
                                            {"WordPiece", readWordPieceDecoder},
                                            {"BPEDecoder", readSuffixDecoder}};

}  // namespace

Result<std::vector<Decode>> readDecoder(const nlohmann::json& given, const std::string& path)
{
    return readParts(given, "decoders", path, kindsOfDecoder);
}

}  // namespace attnscope
