// Tokenisers: ids that can be found by hand, round trips, and files that are wrong in one place.

#include "core/model/byte_letters.h"
#include "core/model/split_pattern.h"
#include "core/model/text_pieces.h"
#include "core/model/tokenizer.h"
#include "core/model/unicode_text.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstdio>
#include <fstream>

#ifdef ATTNSCOPE_SENTENCEPIECE
#include <sentencepiece_trainer.h>
#endif

using namespace attnscope;
using nlohmann::json;

namespace {

/// A vocabulary of all bytes' letters, each with the byte as its id, then the merges' results in their order.
json byteLevel(const std::vector<std::pair<std::string, std::string>>& merges, const json& preTokeniser)
{
    json vocabulary = json::object(), list = json::array();
    int id = 0;
    for (int byte = 0; byte < 256; ++byte)
        vocabulary[byteLetter(static_cast<unsigned char>(byte))] = id++;
    for (const auto& [left, right] : merges) {
        vocabulary[left + right] = id++;
        list.push_back(left + " " + right);
    }
    return {{"normalizer", nullptr},
            {"pre_tokenizer", preTokeniser},
            {"decoder", {{"type", "ByteLevel"}}},
            {"added_tokens",
             {{{"id", id}, {"content", "<|end|>"}, {"special", true}},
              {{"id", id + 1}, {"content", "<|e"}, {"special", false}}}},
            {"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", list}}}};
}

const json gpt2Words = {
    {"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", true}};

/// Bytes as tokens, a few characters, and pairs that begin with U+2581.
json withByteFallback()
{
    json vocabulary = {{"<unk>", 0}}, merges = json::array();
    int id = 1;
    for (int byte = 0; byte < 256; ++byte) {
        char name[8];
        std::snprintf(name, sizeof name, "<0x%02X>", byte);
        vocabulary[name] = id++;
    }
    for (const char* token : {"▁", "a", "b", "▁a", "ab", "▁ab"})
        vocabulary[token] = id++;  // 257 and on
    for (const json& merge : {json("▁ a"), json("a b"), json::array({"▁a", "b"}), json("▁ ab")})
        merges.push_back(merge);
    return {{"normalizer",
             {{"type", "Sequence"},
              {"normalizers",
               {{{"type", "Prepend"}, {"prepend", "▁"}},
                {{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", "▁"}}}}}},
            {"pre_tokenizer", nullptr},
            {"decoder",
             {{"type", "Sequence"},
              {"decoders",
               {{{"type", "Replace"}, {"pattern", {{"String", "▁"}}}, {"content", " "}},
                {{"type", "ByteFallback"}},
                {{"type", "Fuse"}},
                {{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}}}}}},
            {"model",
             {{"type", "BPE"},
              {"unk_token", "<unk>"},
              {"fuse_unk", true},
              {"byte_fallback", true},
              {"vocab", vocabulary},
              {"merges", merges}}}};
}

std::vector<int> idsOf(const json& tokenizer, const std::string& text)
{
    const auto read = readTokenizerJson(tokenizer.dump(), "tokenizer.json");
    if (!read)
        return {-1};
    return (*read)->encode(text).value_or(std::vector<int>{-2});
}

using Ids = std::vector<int>;

const char* const manyTexts[] = {"",
                                 " ",
                                 "Hello world",
                                 "  two  spaces ",
                                 "tabs\tand\nlines\r\n\n",
                                 "don't we'll I'M",
                                 "ünïcödé — “quotes”",
                                 "日本語のテキスト",
                                 "a\u0301 composes",
                                 "numbers 12345 and 3.14",
                                 "emoji 😀👩‍👩‍👧",
                                 "\u00a0no break\u2003em space"};

}  // namespace

class TestTokenizer : public QObject {
    Q_OBJECT

private slots:
    void bytePairsMergeInTheirOrder();
    void longWordsMergeAsShortOnes();
    void bytesFallBack();
    void patternsCut_data();
    void patternsCut();
    void addedTokensStandForThemselves();
    void textsComeBack_data();
    void textsComeBack();
    void wrongFiles_data();
    void wrongFiles();
    void hostilePatternsEnd();
    void longTextsTokenise();
    void manyAddedTokensAreFound();
    void idsFromAFile();
    void sentencePieces();
    void characterMapsAreSentencePieces();
};

void TestTokenizer::bytePairsMergeInTheirOrder()
{
    // "bc" comes before "ab": a b c -> a bc, though "ab" stands first in the text
    const json tokenizer = byteLevel({{"b", "c"}, {"a", "b"}, {"ab", "bc"}, {"\u0120", "a"}}, gpt2Words);
    QCOMPARE(idsOf(tokenizer, "abc"), (Ids{97, 256}));
    QCOMPARE(idsOf(tokenizer, "abbc"), (Ids{258}));
    QCOMPARE(idsOf(tokenizer, "ab ab"), (Ids{257, 32, 257}));  // "ab" is merged before " a" can be
    QCOMPARE(idsOf(tokenizer, "x a"), (Ids{120, 259}));
    QCOMPARE(idsOf(tokenizer, "é"), (Ids{0xc3, 0xa9}));  // its two bytes
    json whole = tokenizer;
    whole["model"]["vocab"]["abc"] = 299;
    QCOMPARE(idsOf(whole, "abc"), (Ids{97, 256}));
    whole["model"]["ignore_merges"] = true;
    QCOMPARE(idsOf(whole, "abc"), (Ids{299}));
}

/// One word of a hundred thousand characters: all pairs, then pairs of pairs.
void TestTokenizer::longWordsMergeAsShortOnes()
{
    const json tokenizer = byteLevel({{"a", "a"}, {"aa", "aa"}}, gpt2Words);
    const Ids ids = idsOf(tokenizer, std::string(100003, 'a'));
    QCOMPARE(ids.size(), 25002U);
    QCOMPARE(std::count(ids.begin(), ids.end(), 257), 25000);
    QCOMPARE(ids[25000], 256);
    QCOMPARE(ids[25001], 97);
}

void TestTokenizer::bytesFallBack()
{
    const json tokenizer = withByteFallback();
    QCOMPARE(idsOf(tokenizer, "ab"), Ids{262});  // "▁ a" is the first merge, then "▁a b"
    QCOMPARE(idsOf(tokenizer, "bab"), (Ids{257, 259, 261}));
    QCOMPARE(idsOf(tokenizer, "é"), (Ids{257, 0xc3 + 1, 0xa9 + 1}));
    QCOMPARE(idsOf(tokenizer, ""), Ids{});
    json unknown = tokenizer;
    unknown["model"]["byte_fallback"] = false;
    QCOMPARE(idsOf(unknown, "xyé a"), (Ids{257, 0, 260}));
    unknown["model"]["fuse_unk"] = false;
    QCOMPARE(idsOf(unknown, "xyé a"), (Ids{257, 0, 0, 0, 260}));
    unknown["model"].erase("unk_token");
    QCOMPARE(idsOf(unknown, "x"), Ids{-2});
}

void TestTokenizer::patternsCut_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<bool>("expression");
    QTest::addColumn<QString>("behaviour");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("words");
    const auto row = [](const char* name, const char* pattern, bool expression, const char* behaviour, const char* text,
                        const QStringList& words) {
        QTest::addRow("%s", name) << pattern << expression << behaviour << text << words;
    };
    const char* const gpt2 = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
    row("GPT-2", gpt2, true, "Isolated", "We'll  pay 12€, ok?\n\n",
        {"We", "'ll", " ", " pay", " 12", "€,", " ok", "?", "\n\n"});
    row("GPT-2, wide spaces", gpt2, true, "Isolated", "a\u2003b", {"a", "\u2003", "b"});
    row("Llama 3",
        R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
        true, "Isolated", "I'M 12345 €!\n\n x", {"I", "'M", " ", "123", "45", " €!\n\n", " x"});
    row("removed", " ", false, "Removed", " a  b ", {"a", "b"});
    row("with the word before", " ", false, "MergedWithPrevious", "a b  c", {"a ", "b ", " ", "c"});
    row("with the word after", "▁", false, "MergedWithNext", "▁a▁▁b", {"▁a", "▁", "▁b"});
    row("nothing to cut", "x", false, "Isolated", "abc", {"abc"});
}

void TestTokenizer::patternsCut()
{
    QFETCH(QString, pattern);
    QFETCH(bool, expression);
    QFETCH(QString, behaviour);
    QFETCH(QString, text);
    QFETCH(QStringList, words);
    const json split = {{"type", "Split"},
                        {"pattern", {{expression ? "Regex" : "String", pattern.toStdString()}}},
                        {"behavior", behaviour.toStdString()},
                        {"invert", false}};
    const auto cutter = readPreTokeniser(split, "here");
    QVERIFY2(cutter, cutter ? "" : cutter.error().message.c_str());
    QStringList got;
    const auto cut = cutter->cut(text.toStdString(), true, [&](std::string_view word, bool first) -> Result<void> {
        if (first != text.startsWith(QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()))) &&
            got.empty())
            return failure(ErrorKind::InvalidArgument, "the first word begins the text");
        got.append(QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size())));
        return {};
    });
    QVERIFY(cut);
    QCOMPARE(got, words);
}

void TestTokenizer::addedTokensStandForThemselves()
{
    const json tokenizer = byteLevel({{"a", "b"}}, gpt2Words);
    QCOMPARE(idsOf(tokenizer, "ab<|end|>ab<|ex"),
             (Ids{256, 257, 256, 258, 120}));  // the longest of those that begin alike
    const auto read = readTokenizerJson(tokenizer.dump(), "tokenizer.json");
    QVERIFY(read);
    QCOMPARE((*read)->decode(Ids{256, 257, 258, 120, 5000, -1}),
             std::string("ab<|ex"));  // special tokens and unknown ids add nothing
}

void TestTokenizer::textsComeBack_data()
{
    QTest::addColumn<QByteArray>("tokenizer");
    const auto row = [](const char* name, const json& tokenizer) {
        QTest::addRow("%s", name) << QByteArray::fromStdString(tokenizer.dump());
    };
    row("byte level", byteLevel({{"l", "l"}, {"\u0120", "a"}}, gpt2Words));
    row("split, then bytes",
        byteLevel({}, {{"type", "Sequence"},
                       {"pretokenizers",
                        {{{"type", "Split"},
                          {"pattern", {{"Regex", "\\p{L}+|\\s+"}}},
                          {"behavior", "Isolated"},
                          {"invert", false}},
                         {{"type", "Digits"}, {"individual_digits", true}},
                         {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}}}}}));
    row("byte fallback", withByteFallback());
    json meta = withByteFallback();
    meta["normalizer"] = nullptr;
    meta["pre_tokenizer"] = {{"type", "Metaspace"}, {"replacement", "▁"}, {"prepend_scheme", "never"}, {"split", true}};
    meta["decoder"] = {
        {"type", "Sequence"},
        {"decoders",
         {{{"type", "Metaspace"}, {"replacement", "▁"}, {"prepend_scheme", "never"}}, {{"type", "ByteFallback"}}}}};
    row("metaspace", meta);
}

void TestTokenizer::textsComeBack()
{
    QFETCH(QByteArray, tokenizer);
    const auto read = readTokenizerJson(tokenizer.toStdString(), "tokenizer.json");
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    for (const char* text : manyTexts) {
        const auto ids = (*read)->encode(text);
        QVERIFY2(ids, ids ? "" : ids.error().message.c_str());
        QCOMPARE((*read)->decode(*ids), std::string(text));
    }
    QVERIFY(!(*read)->encode("\xff\xfe"));  // no UTF-8
}

void TestTokenizer::wrongFiles_data()
{
    QTest::addColumn<QByteArray>("tokenizer");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const json& tokenizer, const char* says) {
        QTest::addRow("%s", name) << QByteArray::fromStdString(tokenizer.dump()) << says;
    };
    const json right = byteLevel({{"a", "b"}}, gpt2Words);
    const auto with = [&](const char* pointer, const json& value) {
        json changed = right;
        changed[json::json_pointer(pointer)] = value;
        return changed;
    };
    QTest::addRow("no JSON") << QByteArray("{") << "no valid JSON";
    QTest::addRow("empty") << QByteArray("{}") << "model must be an object";
    row("another kind", with("/model/type", "Trigram"), "'Trigram', which is not run here");
    row("no vocabulary", with("/model/vocab", 3), "must have an object vocab");
    row("no merges", with("/model/merges", json::object()), "list merges");
    row("an id that is none", with("/model/vocab/a", -1), "the id of 'a' must be");
    row("a huge id", with("/model/vocab/a", 1e15), "the id of 'a' must be");
    row("a merge of three", with("/model/merges/0", json::array({"a", "b", "c"})), "merges[0] must be two tokens");
    row("a merge of nothing", with("/model/merges/0", "ab"), "merges[0] must be two tokens");
    row("a merge without its result", with("/model/merges/0", "b a"), "merges[0] must be two tokens");
    row("dropout", with("/model/dropout", 0.1), "dropout");
    row("an unknown token that is not there", with("/model/unk_token", "<unk>"), "is not in the vocabulary");
    row("a normaliser", with("/normalizer", {{"type", "Nmt"}}), "'Nmt', which is not run here");
    const auto precompiled = [&](const char* name, const char* map, const char* says) {
        row(name, with("/normalizer", {{"type", "Precompiled"}, {"precompiled_charsmap", map}}), says);
    };
    row("a map that is missing", with("/normalizer", {{"type", "Precompiled"}}), "precompiled_charsmap is empty");
    precompiled("a map that is no base64", "c2hvcnQ", "is no base64");
    precompiled("an empty map", "", "is empty");
    precompiled("a map without a trie", "AAAAAGEA", "its trie has 0 bytes, and has 2 in all");
    precompiled("a map that is cut", "ABAAAAEAAAACAAAA", "its trie has 4096 bytes, and has 8 in all");
    precompiled("a map with half a unit", "BgAAAAEAAAACAAAA", "its trie has 6 bytes");
    precompiled("a map to no UTF-8", "BAAAAAEAAAD/AA==", "no UTF-8");
    precompiled("a map that leads out", "BAAAAAAFAABhAA==", "leads out of its units, or to no text");
    precompiled("a map to behind its texts", "CAAAAAAFAAACAACAYQA=", "or to no text");
    precompiled("a map into a character", "CAAAAAAFAAABAACAw6kA", "or to no text");
    row("a pre-tokeniser", with("/pre_tokenizer", {{"type", "UnicodeScripts"}}),
        "'UnicodeScripts', which is not run here");
    row("a decoder", with("/decoder", {{"type", "CTC"}}), "'CTC', which is not run here");
    row("a pattern that is none",
        with("/pre_tokenizer", {{"type", "Split"}, {"pattern", {{"Regex", "(("}}}, {"behavior", "Isolated"}}),
        "no regular expression");
    row("steps without end", with("/normalizer", {{"type", "Sequence"}, {"normalizers", json(100, {{"type", "NFC"}})}}),
        "more than 64 members");
    row("an added token of a megabyte", with("/added_tokens/0/content", std::string(1 << 20, '<')), "nor longer than");
    row("an empty added token", with("/added_tokens/0/content", ""), "must not be empty");
    row("added tokens that are none", with("/added_tokens", 3), "must be a list");
}

void TestTokenizer::wrongFiles()
{
    QFETCH(QByteArray, tokenizer);
    QFETCH(QString, says);
    const auto read = readTokenizerJson(tokenizer.toStdString(), "tokenizer.json");
    QVERIFY(!read);
    QVERIFY2(QString::fromStdString(read.error().message).contains(says), read.error().message.c_str());
}

/// A pattern that would take longer than the age of the universe, or all memory, is given up with a sentence.
void TestTokenizer::hostilePatternsEnd()
{
    for (const char* hostile :
         {"(a+)+b", "(a*)*b", "(a|aa)+$b", "(.*)*\\1b", "(?<n>a\\g<n>?)+b", "((a{0,50}){0,50}){0,50}b"}) {
        const auto split = SplitPattern::compile(hostile, true, "here");
        if (!split)  // refused at once is well too
            continue;
        const std::string text = std::string(3000, 'a');
        const auto done = split->parts(text, [](std::size_t, std::size_t, bool) { return Result<void>{}; });
        QVERIFY2(done || done.error().message.find("from byte 0") != std::string::npos, hostile);
        QVERIFY2(!done || std::string(hostile) != "(a+)+b", "its 2^3000 ways were not all tried");
    }
    QVERIFY(!SplitPattern::compile(std::string(5000, '(') + std::string(5000, ')'), true, "here"));
    // a normaliser that doubles its text again and again
    json tokenizer = byteLevel({}, gpt2Words);
    tokenizer["normalizer"] = {
        {"type", "Sequence"},
        {"normalizers", json(40, {{"type", "Replace"}, {"pattern", {{"String", "a"}}}, {"content", "aa"}})}};
    QCOMPARE(idsOf(tokenizer, "aaaa"), Ids{-2});
}

/// Megabytes of ordinary text, whose ids can be counted.
void TestTokenizer::longTextsTokenise()
{
#ifdef ATTNSCOPE_SANITISED
    constexpr int times = 50'000;
#else
    constexpr int times = 1'000'000;
#endif
    std::string text;
    for (int i = 0; i < times; ++i)
        text += "ab ";
    const json split = {{"type", "Sequence"},
                        {"pretokenizers",
                         {{{"type", "Split"},
                           {"pattern", {{"Regex", R"([^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|\s*[\r\n]+|\s+(?!\S)|\s+)"}}},
                           {"behavior", "Isolated"},
                           {"invert", false}},
                          {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}}}}};
    for (const json& words : {gpt2Words, split}) {
        const Ids ids = idsOf(byteLevel({{"a", "b"}, {"\u0120", "ab"}}, words), text);
        QCOMPARE(ids.size(), static_cast<size_t>(times) + 1);  // "ab", " ab" and so on, and the last space
        QCOMPARE(ids.front(), 256);
        QCOMPARE(std::count(ids.begin(), ids.end(), 257), times - 1);
        QCOMPARE(ids.back(), 32);
    }
    // one word: no space cuts it, and the merges must not see that it was cut between "b" and U+2581
    const Ids one = idsOf(withByteFallback(), text);
    QCOMPARE(one.size(), static_cast<size_t>(times) + 1);
    QCOMPARE(std::count(one.begin(), one.end(), 262), times);
    QCOMPARE(one.back(), 257);
}

/// Many added tokens that begin alike cost no more a byte than a few.
void TestTokenizer::manyAddedTokensAreFound()
{
    json tokenizer = byteLevel({}, gpt2Words);
    tokenizer["added_tokens"] = json::array();
    for (int i = 0; i < 20'000; ++i)
        tokenizer["added_tokens"].push_back({{"id", 256 + i}, {"content", "<" + std::to_string(i)}});
    const Ids ids = idsOf(tokenizer, std::string(200'000, '<') + "<19999<7");
    QCOMPARE(ids.size(), 200'002U);
    QCOMPARE(std::count(ids.begin(), ids.end(), '<'), 200'000);
    QCOMPARE(ids[200'000], 256 + 19'999);
    QCOMPARE(ids[200'001], 256 + 7);
}

void TestTokenizer::idsFromAFile()
{
    QTemporaryDir folder;
    const std::string path = folder.filePath("ids.txt").toStdString();
    const auto read = [&](const std::string& text) {
        std::ofstream(path) << text;
        return readIds(path);
    };
    QCOMPARE(*read("1 2,3\n\t400\r\n"), (Ids{1, 2, 3, 400}));
    QCOMPARE(*read(""), Ids{});
    QCOMPARE(*read("\xEF\xBB\xBF"
                   "7 8"),
             (Ids{7, 8}));
    for (const char* wrong : {"1 -2", "1 two", "1.5", "99999999999", "[1]"})
        QVERIFY2(!read(wrong), wrong);
}

void TestTokenizer::sentencePieces()
{
#ifdef ATTNSCOPE_SENTENCEPIECE
    QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    std::ofstream text(path + "/text.txt");
    for (int i = 0; i < 300; ++i)
        text << "the little cat number " << i << " sat on mat " << i * 7 % 31 << " and saw another cat\n";
    text.close();
    const auto trained = sentencepiece::SentencePieceTrainer::Train(
        "--input=" + path + "/text.txt --model_prefix=" + path +
        "/tokenizer --vocab_size=340 --model_type=bpe --byte_fallback=true "
        "--normalization_rule_name=identity --remove_extra_whitespaces=false --minloglevel=2");
    QVERIFY2(trained.ok(), trained.ToString().c_str());
    const auto tokenizer = openTokenizer(path);
    QVERIFY2(tokenizer, tokenizer ? "" : tokenizer.error().message.c_str());
    for (const char* one : manyTexts) {
        const auto ids = (*tokenizer)->encode(one);
        QVERIFY(ids);
        QCOMPARE((*tokenizer)->decode(*ids), std::string(one));
    }
    QVERIFY((*tokenizer)->encode("the little cat")->size() < 12);
    // tokens beside it stand for themselves, with the ids that their file says
    std::ofstream(path + "/added_tokens.json") << R"({"<|user|>": 340, "<|end|>": 341})";
    const auto withAdded = openTokenizer(path);
    QVERIFY2(withAdded, withAdded ? "" : withAdded.error().message.c_str());
    const Ids cat = *(*tokenizer)->encode("the cat");
    Ids wanted{340};
    wanted.insert(wanted.end(), cat.begin(), cat.end());
    wanted.push_back(341);
    QCOMPARE(*(*withAdded)->encode("<|user|>the cat<|end|>"), wanted);
    QCOMPARE((*withAdded)->decode(wanted), std::string("<|user|>the cat<|end|>"));
    QCOMPARE((*withAdded)->describe(), std::string("SentencePiece, 342 tokens"));
    std::ofstream(path + "/tokenizer.model") << "no model";
    QVERIFY(!openTokenizer(path));
#else
    QTemporaryDir folder;
    std::ofstream(folder.filePath("tokenizer.model").toStdString()) << "a model";
    const auto tokenizer = openTokenizer(folder.path().toStdString());
    QVERIFY(!tokenizer && tokenizer.error().message.find("libsentencepiece") != std::string::npos);
#endif
}

#ifdef ATTNSCOPE_SENTENCEPIECE
namespace {

/// The bytes of a field in a message of protocol buffers; of one that comes several times the last.
std::string fieldOf(std::string_view message, std::uint64_t wanted)
{
    std::string found;
    std::size_t at = 0;
    const auto whole = [&] {
        std::uint64_t value = 0;
        for (int shift = 0; at < message.size(); shift += 7) {
            const auto byte = static_cast<unsigned char>(message[at++]);
            value |= static_cast<std::uint64_t>(byte & 127) << shift;
            if (byte < 128)
                break;
        }
        return value;
    };
    while (at < message.size()) {
        const std::uint64_t key = whole();
        const std::size_t size = key % 8 == 0 ? (whole(), 0) : key % 8 == 1 ? 8 : key % 8 == 5 ? 4 : whole();
        if (key >> 3 == wanted)
            found = message.substr(at, size);
        at += size;
    }
    return found;
}

std::string inBase64(std::string_view bytes)
{
    return QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size())).toBase64().toStdString();
}

}  // namespace
#endif

/// The map that libsentencepiece itself makes for NFKC, over every character alone and over letters with every accent:
/// a text of bytes that fall back says what its normaliser has made of it.
void TestTokenizer::characterMapsAreSentencePieces()
{
#ifdef ATTNSCOPE_SENTENCEPIECE
    QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    std::ofstream(path + "/text.txt") << "a b c a b c\n";
    const auto trained = sentencepiece::SentencePieceTrainer::Train(
        "--input=" + path + "/text.txt --model_prefix=" + path +
        "/tokenizer --vocab_size=264 --model_type=bpe --byte_fallback=true --hard_vocab_limit=false "
        "--normalization_rule_name=nmt_nfkc --remove_extra_whitespaces=false --add_dummy_prefix=false "
        "--minloglevel=2");
    QVERIFY2(trained.ok(), trained.ToString().c_str());
    std::ifstream file(path + "/tokenizer.model", std::ios::binary);
    const std::string model(std::istreambuf_iterator<char>(file), {});
    const std::string map = fieldOf(fieldOf(model, 3), 2);  // normalizer_spec, precompiled_charsmap
    QVERIFY2(map.size() > 200000, qPrintable(QString::number(map.size())));
    const auto steps = readNormaliser({{"type", "Precompiled"}, {"precompiled_charsmap", inBase64(map)}}, "normalizer");
    QVERIFY2(steps, steps ? "" : steps.error().message.c_str());
    const auto pieces = openTokenizer(path);
    QVERIFY2(pieces, pieces ? "" : pieces.error().message.c_str());
    std::string text;
    const auto compare = [&] {
        if (QTest::currentTestFailed())
            return;
        const std::string all = std::exchange(text, {});
        const auto ids = (*pieces)->encode(all);
        const auto normal = normalised(all, *steps);
        QVERIFY(ids && normal);
        const std::string back = (*pieces)->decode(*ids);
        QVERIFY2(*normal == back, (json(all).dump(-1, ' ', true) + ": " + json(*normal).dump(-1, ' ', true) + ", not " +
                                   json(back).dump(-1, ' ', true))
                                      .c_str());
    };
    constexpr char32_t mark = 0x2581;                                 // which stands for a space among pieces
    for (char32_t character = 1; character < 0x30000; ++character) {  // beyond are few, and none in the map
        if (character == mark || character == '\r' || (character >= 0xd800 && character < 0xe000))
            continue;
        appendCharacter(text, character);
        text += '\n';  // parts graphemes, all but "\r\n"
        if (character % 64 == 63)
            compare();
    }
    for (const char32_t letter : U"aAcdegiknosuyz\u03b1\u0438\u3046\u30ab\u1100\u0928")
        for (char32_t accent = 0x300; letter && accent < 0x370; ++accent) {
            appendCharacter(text, letter);
            appendCharacter(text, accent);
            text += '\n';
            if (accent % 64 == 63)
                compare();
        }
    compare();
#else
    QSKIP("this build has no libsentencepiece");
#endif
}

QTEST_APPLESS_MAIN(TestTokenizer)
#include "test_tokenizer.moc"
