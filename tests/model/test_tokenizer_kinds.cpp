// Every kind of tokeniser against what the Rust library `tokenizers` gives: tokenizers/*.json hold small ones, texts,
// and the library's ids and texts, written down by tokenizers/expected.mjs. ATTNSCOPE_TOKENIZERS may name a folder with
// more of them. Then the files and vocabularies that amount to one of these tokenisers.

#include "core/model/byte_letters.h"
#include "core/model/tokenizer.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <sstream>

#include <dlfcn.h>

using namespace attnscope;
using nlohmann::json;

namespace {

using Ids = std::vector<int>;

std::string textOf(const std::string& path)
{
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

json fileOfCases(const char* name) { return json::parse(textOf(std::string(TEST_DATA "/tokenizers/") + name)); }

json caseNamed(const json& file, const std::string& name)
{
    for (const json& one : file["cases"])
        if (one["name"] == name)
            return one;
    return {};
}

json merged(json base, const json& one)
{
    if (one.contains("change"))
        base.merge_patch(one["change"]);
    return base;
}

/// The ids of every text of a case are those that it says.
void compareAll(const Tokenizer& tokenizer, const json& file, const json& one)
{
    const json& texts = one.contains("texts") ? one["texts"] : file["texts"];
    QCOMPARE(one["ids"].size(), texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const std::string text = texts[i].get<std::string>();
        const auto ids = tokenizer.encode(text);
        QVERIFY2(ids, ids ? "" : ids.error().message.c_str());
        const std::string where = one["name"].get<std::string>() + ", '" + text.substr(0, 60) + "'";
        QVERIFY2(*ids == one["ids"][i].get<Ids>(), (where + ": " + json(*ids).dump()).c_str());
        if (one.contains("decoded")) {
            const std::string back = tokenizer.decode(*ids);
            QVERIFY2(back == one["decoded"][i].get<std::string>(), (where + ": " + back).c_str());
        }
    }
}

/// A folder of files, name and content.
void fill(const QTemporaryDir& folder, const std::vector<std::pair<const char*, std::string>>& files)
{
    for (const auto& [name, content] : files)
        std::ofstream(folder.filePath(name).toStdString()) << content;
}

/// The tokens of a vocabulary {token: id}, by id.
std::vector<std::string> tokensById(const json& vocabulary)
{
    std::vector<std::string> tokens(vocabulary.size());
    for (const auto& [token, id] : vocabulary.items())
        tokens[id.get<std::size_t>()] = token;
    return tokens;
}

}  // namespace

class TestTokenizerKinds : public QObject {
    Q_OBJECT

private slots:
    void asTheLibrary_data();
    void asTheLibrary();
    void mergesInAFileOfTheirOwn();
    void wordPiecesInAFileOfTheirOwn();
    void aRefusedFileIsNotReplaced();
    void vocabularyOfBytes();
    void otherLibrariesHaveTheSystemsExpressions();
    void textsAreCutAsPublished_data();
    void textsAreCutAsPublished();
    void vocabularyOfWordPieces();
    void vocabularyOfScores();
    void vocabularyOfPieces();
    void wrongVocabularies();
};

void TestTokenizerKinds::asTheLibrary_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<int>("index");
    QStringList folders{TEST_DATA "/tokenizers"};
    if (qEnvironmentVariableIsSet("ATTNSCOPE_TOKENIZERS"))
        folders.append(qEnvironmentVariable("ATTNSCOPE_TOKENIZERS"));
    for (const QString& folder : folders)
        for (const QFileInfo& file : QDir(folder).entryInfoList({"*.json"})) {
            const json content = json::parse(textOf(file.filePath().toStdString()));
            for (std::size_t i = 0; i < content["cases"].size(); ++i)
                QTest::addRow("%s: %s", qPrintable(file.baseName()),
                              content["cases"][i]["name"].get_ref<const std::string&>().c_str())
                    << file.filePath() << static_cast<int>(i);
        }
}

void TestTokenizerKinds::asTheLibrary()
{
    QFETCH(QString, path);
    QFETCH(int, index);
    const json file = json::parse(textOf(path.toStdString())), &one = file["cases"][static_cast<std::size_t>(index)];
    const auto read = readTokenizerJson(file.contains("path") ? textOf(file["path"].get<std::string>())
                                                              : merged(file["base"], one).dump(),
                                        "tokenizer.json");
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    compareAll(**read, file, one);
}

void TestTokenizerKinds::mergesInAFileOfTheirOwn()
{
    const json file = fileOfCases("byte_pairs.json"), one = caseNamed(file, "GPT-2's words"),
               spaced = caseNamed(file, "GPT-2's words, with a space before");
    const json model = merged(file["base"], one)["model"];
    std::string merges = "#version: 0.2\n";
    for (const json& merge : model["merges"])
        merges += merge.get<std::string>() + "\n";
    const QTemporaryDir folder;
    fill(folder, {{"vocab.json", model["vocab"].dump()}, {"merges.txt", merges}});
    const std::string path = folder.path().toStdString();
    auto read = openTokenizer(path);
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    compareAll(**read, file, one);
    QVERIFY((*read)->begin() && !(*read)->begin()->any);  // add_bos_token is off in GPT-2's class
    fill(folder, {{"tokenizer_config.json", R"({"add_prefix_space": true, "tokenizer_class": "RobertaTokenizer"})"}});
    read = openTokenizer(path);
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    compareAll(**read, file, spaced);
    QVERIFY((*read)->begin() && (*read)->begin()->any);
    // special tokens with what they take of the spaces beside them, and others with their ids
    fill(folder, {{"tokenizer_config.json",
                   R"({"added_tokens_decoder": {"270": {"content": "<m>", "lstrip": true, "special": true}}})"},
                  {"added_tokens.json", R"({"<n>": 271})"}});
    read = openTokenizer(path);
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QCOMPARE(*(*read)->encode("ab <m><n>c"), (Ids{256, 270, 271, 99}));
    QCOMPARE((*read)->decode(Ids{256, 270, 271, 99}), std::string("ab<n>c"));
    fill(folder, {{"tokenizer_config.json", R"({"tokenizer_class": "CLIPTokenizer"})"}});
    read = openTokenizer(path);
    QVERIFY(!read && read.error().message.find("CLIPTokenizer") != std::string::npos);
}

void TestTokenizerKinds::wordPiecesInAFileOfTheirOwn()
{
    const json file = fileOfCases("word_piece.json");
    std::string lines;
    for (const std::string& token : tokensById(file["base"]["model"]["vocab"]))
        lines += token + "\n";
    const QTemporaryDir folder;
    fill(folder, {{"vocab.txt", lines}});
    auto read = openTokenizer(folder.path().toStdString());
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    compareAll(**read, file, caseNamed(file, "uncased"));
    fill(folder, {{"tokenizer_config.json", R"({"do_lower_case": false})"}});
    read = openTokenizer(folder.path().toStdString());
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    compareAll(**read, file, caseNamed(file, "cased"));
}

/// Another file beside it may give other ids: it is never taken in silence.
void TestTokenizerKinds::aRefusedFileIsNotReplaced()
{
    const QTemporaryDir folder;
    fill(folder, {{"tokenizer.json", R"({"model": {"type": "Trigram"}})"}, {"tokenizer.model", "pieces"}});
    const auto read = openTokenizer(folder.path().toStdString());
    QVERIFY(!read);
    for (const char* said : {"'Trigram', which is not run here", "move tokenizer.json away"})
        QVERIFY2(read.error().message.find(said) != std::string::npos, read.error().message.c_str());
}

void TestTokenizerKinds::vocabularyOfBytes()
{
    const json file = fileOfCases("byte_pairs.json"), one = caseNamed(file, "GPT-2's words");
    const json model = merged(file["base"], one)["model"];
    Vocabulary vocabulary{.model = "gpt2",
                          .preTokeniser = "gpt-2",
                          .tokens = tokensById(model["vocab"]),
                          .scores = {},
                          .types = {},
                          .merges = model["merges"].get<std::vector<std::string>>(),
                          .unknown = {}};
    auto read = tokenizerFromVocabulary(vocabulary, "a.gguf");
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    compareAll(**read, file, one);
    vocabulary.types.assign(vocabulary.tokens.size(), 1);
    for (const auto& [token, type] : {std::pair("<|end|>", 3), std::pair("<user>", 4)}) {
        vocabulary.tokens.emplace_back(token);
        vocabulary.types.push_back(type);
    }
    read = tokenizerFromVocabulary(vocabulary, "a.gguf");
    QVERIFY(read);
    const int end = static_cast<int>(vocabulary.tokens.size()) - 2;
    QCOMPARE(*(*read)->encode("ab<|end|><user>"), (Ids{256, end, end + 1}));
    QCOMPARE((*read)->decode(Ids{256, end, end + 1}), std::string("ab<user>"));
    // digits by threes, and words that are looked up whole, as Llama 3 has them
    vocabulary.preTokeniser = "llama-bpe";
    read = tokenizerFromVocabulary(vocabulary, "a.gguf");
    QVERIFY(read);
    QCOMPARE(*(*read)->encode("abc"), Ids{257});
}

void TestTokenizerKinds::textsAreCutAsPublished_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QList<int>>("ids");
    const auto row = [](const char* name, const QList<int>& ids) { QTest::addRow("%s", name) << name << ids; };
    constexpr int both = 256, end = 257;  // "12", and "!" with the end of a line
    row("gpt-2", {both, '!', '\n'});
    row("starcoder", {'1', '2', '!', '\n'});
    row("command-r", {'1', '2', '!', '\n'});
    row("refact", {'1', '2', '!', '\n'});
    row("llama-bpe", {both, end});
    row("gpt-4o", {both, end});
    row("minimax-m2", {both, end});
    row("qwen2", {'1', '2', end});
    row("stablelm2", {'1', '2', end});
    row("seed-coder", {'1', '2', '!', '\n'});
}

/// Pairs are merged within words alone.
void TestTokenizerKinds::textsAreCutAsPublished()
{
    QFETCH(QString, name);
    QFETCH(QList<int>, ids);
    Vocabulary vocabulary{.model = "gpt2",
                          .preTokeniser = name.toStdString(),
                          .tokens = {},
                          .scores = {},
                          .types = {},
                          .merges = {"1 2", "! \u010a"},
                          .unknown = {}};
    for (int byte = 0; byte < 256; ++byte)
        vocabulary.tokens.push_back(byteLetter(static_cast<unsigned char>(byte)));
    vocabulary.tokens.insert(vocabulary.tokens.end(), {"12", "!\u010a"});
    const auto read = tokenizerFromVocabulary(vocabulary, "a.gguf");
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QCOMPARE(*(*read)->encode("12!\n"), Ids(ids.begin(), ids.end()));
}

void TestTokenizerKinds::vocabularyOfWordPieces()
{
    const json file = fileOfCases("word_piece.json");
    Vocabulary vocabulary{.model = "bert",
                          .preTokeniser = {},
                          .tokens = tokensById(file["base"]["model"]["vocab"]),
                          .scores = {},
                          .types = {},
                          .merges = {},
                          .unknown = 1};
    for (std::size_t id = 0; id < vocabulary.tokens.size(); ++id) {
        std::string& token = vocabulary.tokens[id];
        vocabulary.types.push_back(id < 5 ? 3 : 1);
        if (token.starts_with("##"))
            token.erase(0, 2);
        else if (id >= 5)
            token.insert(0, "\u2581");
    }
    const auto read = tokenizerFromVocabulary(vocabulary, "a.gguf");
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    compareAll(**read, file, caseNamed(file, "uncased"));
    vocabulary.lowerCase = false;
    compareAll(**tokenizerFromVocabulary(vocabulary, "a.gguf"), file, caseNamed(file, "cased"));
}

void TestTokenizerKinds::vocabularyOfScores()
{
    Vocabulary vocabulary{.model = "llama",
                          .preTokeniser = "default",
                          .tokens = {"<unk>", "<s>", "</s>"},
                          .scores = {},
                          .types = {2, 3, 3},
                          .merges = {},
                          .unknown = 0};
    for (int byte = 0; byte < 256; ++byte) {
        vocabulary.tokens.push_back(
            QString("<0x%1>").arg(byte, 2, 16, QChar('0')).toUpper().replace('X', 'x').toStdString());
        vocabulary.types.push_back(6);
    }
    vocabulary.scores.assign(vocabulary.tokens.size(), 0.0F);
    const auto piece = [&](const char* text, float score, int type = 1) {
        vocabulary.tokens.emplace_back(text);
        vocabulary.scores.push_back(score);
        vocabulary.types.push_back(type);
        return static_cast<int>(vocabulary.tokens.size()) - 1;
    };
    const int space = piece("▁", -9), a = piece("a", -9), b = piece("b", -9), spaceA = piece("▁a", -2),
              ab = piece("ab", -1), spaceAb = piece("▁ab", -3), bb = piece("bb", -4),
              user = piece("<|user|>", -1000, 4);
    const auto idsOf = [&](const std::string& text) {
        const auto read = tokenizerFromVocabulary(vocabulary, "a.gguf");
        return read ? (*read)->encode(text).value_or(Ids{-2}) : Ids{-1};
    };
    QCOMPARE(idsOf("ab"), Ids{spaceAb});  // "ab" before "▁a", then "▁" and "ab"
    QCOMPARE(idsOf("aab"), (Ids{spaceA, ab}));
    QCOMPARE(idsOf("bbb"), (Ids{space, bb, b}));  // of equals the leftmost
    QCOMPARE(idsOf("a é"), (Ids{spaceA, space, 3 + 0xc3, 3 + 0xa9}));
    QCOMPARE(idsOf("</s>a<|user|>b"), (Ids{2, spaceA, user, space, b}));  // each part begins with a space
    QCOMPARE(idsOf(""), Ids{});
    // a text of many words is encoded as its words are: nothing reaches across "b▁"
    std::string text;
    Ids wanted;
    for (int i = 0; i < 500; ++i) {
        text += "ab ";
        wanted.push_back(spaceAb);
    }
    wanted.push_back(space);
    QCOMPARE(idsOf(text), wanted);
    const auto read = tokenizerFromVocabulary(vocabulary, "a.gguf");
    QCOMPARE((*read)->decode(Ids{1, spaceAb, space, 3 + 0xc3, 3 + 0xa9, user}), std::string("ab é<|user|>"));
    vocabulary.name = "Phi-3 mini";
    QCOMPARE(idsOf("<|user|>  \n ab"), (Ids{user, spaceAb}));
    QCOMPARE(idsOf("<s> a"), (Ids{1, space, spaceA}));
    vocabulary.name.clear();
    vocabulary.addSpacePrefix = false;
    QCOMPARE(idsOf("ab a"), (Ids{ab, spaceA}));
    QCOMPARE(idsOf("aab"), (Ids{a, ab}));
}

/// XLM-RoBERTa's kind: the library's Unigram, behind the map of characters of normalisers.json.
void TestTokenizerKinds::vocabularyOfPieces()
{
    const json file = fileOfCases("unigram.json"), one = caseNamed(file, "as it is");
    Vocabulary vocabulary{
        .model = "t5", .preTokeniser = "default", .tokens = {}, .scores = {}, .types = {}, .merges = {}, .unknown = 0};
    for (const json& piece : file["base"]["model"]["vocab"]) {
        vocabulary.tokens.push_back(piece[0]);
        vocabulary.scores.push_back(piece[1]);
    }
    auto read = tokenizerFromVocabulary(vocabulary, "a.gguf");
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    compareAll(**read, file, one);
    const json map = caseNamed(fileOfCases("normalisers.json"), "Precompiled")["change"]["normalizer"];
    vocabulary.characterMap =
        QByteArray::fromBase64(QByteArray::fromStdString(map["precompiled_charsmap"].get<std::string>())).toStdString();
    vocabulary.spacesFold = true;
    read = tokenizerFromVocabulary(vocabulary, "a.gguf");
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    const Ids cats{2, 3, 4, 6};  // "the cats"
    QCOMPARE(*(*read)->encode("the cats"), cats);
    QCOMPARE(*(*read)->encode("  the \t c\u00adAts "), cats);
    QCOMPARE((*read)->decode(cats), std::string("the cats"));
    vocabulary.characterMap = "no map";
    read = tokenizerFromVocabulary(vocabulary, "a.gguf");
    QVERIFY(!read && read.error().message.find("its trie has") != std::string::npos);
    vocabulary.scores.pop_back();
    read = tokenizerFromVocabulary(vocabulary, "a.gguf");
    QVERIFY(!read && read.error().message.find("with 16 scores") != std::string::npos);
}

void TestTokenizerKinds::wrongVocabularies()
{
    const Vocabulary right{.model = "llama",
                           .preTokeniser = {},
                           .tokens = {"a", "b"},
                           .scores = {0, -1},
                           .types = {1, 1},
                           .merges = {},
                           .unknown = {}};
    QVERIFY(tokenizerFromVocabulary(right, "a.gguf"));
    const auto refused = [&](auto change, const char* says) {
        Vocabulary wrong = right;
        change(wrong);
        const auto read = tokenizerFromVocabulary(wrong, "a.gguf");
        return !read && read.error().message.find(says) != std::string::npos;
    };
    QVERIFY(refused([](Vocabulary& v) { v.model = "rwkv"; }, "'rwkv', which is not run here"));
    QVERIFY(refused([](Vocabulary& v) { v.tokens.clear(); }, "no vocabulary"));
    QVERIFY(refused([](Vocabulary& v) { v.types.push_back(1); }, "no vocabulary"));
    QVERIFY(refused([](Vocabulary& v) { v.scores.pop_back(); }, "one a token is wanted"));
    QVERIFY(refused([](Vocabulary& v) { v.model = "gpt2", v.preTokeniser = "unheard-of"; }, "'unheard-of' does"));
    QVERIFY(refused([](Vocabulary& v) { v.model = "gpt2", v.merges = {"a c"}; }, "merges[0]"));
    // scores that are no numbers, bytes that are no text: ids, or a sentence
    Vocabulary odd = right;
    odd.tokens.push_back("\xff\xfe");
    odd.types.push_back(9);
    odd.scores.push_back(std::nanf(""));
    const auto read = tokenizerFromVocabulary(odd, "a.gguf");
    QVERIFY(read);
    const auto ids = (*read)->encode("ab");
    QVERIFY(!ids && ids.error().message.find("no token") != std::string::npos);  // the space before it has none
}

/// Oniguruma exports functions under the names of POSIX, with other flags and another regex_t: a graphics driver that
/// is loaded later must get those of the C library.
void TestTokenizerKinds::otherLibrariesHaveTheSystemsExpressions()
{
    for (const char* name : {"regcomp", "regexec", "regfree", "regerror"}) {
        Dl_info info{};
        QVERIFY(::dladdr(::dlsym(RTLD_DEFAULT, name), &info) != 0);
        QVERIFY2(!QByteArray(info.dli_fname).contains("onig"), name);
    }
}

QTEST_APPLESS_MAIN(TestTokenizerKinds)
#include "test_tokenizer_kinds.moc"
