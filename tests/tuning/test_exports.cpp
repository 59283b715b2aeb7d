// What is exported is read again, by this program's reader of the format where it has one, else by the target's own
// formulas written out here, and run: it has the loss of what was tuned.

#include "core/model/evaluation.h"
#include "core/model/families/families.h"
#include "core/model/policy.h"
#include "core/model/model.h"
#include "core/model/model_config.h"
#include "core/tensor/tensor_writer.h"
#include "core/tuning/exports.h"
#include "tests/model/every_family.h"

#include <QFile>
#include <QMap>
#include <QProcess>
#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace attnscope;

namespace {

constexpr std::int64_t n = 64;

/// Of the last 64 of made-up ids.
double lossOf(const Model& model, const Policy& policy)
{
    std::vector<int> ids;
    for (int i = 0; i < 80; ++i)
        ids.push_back((i * i * 7 + i * 13 + 5) % model.architecture.vocabulary);
    const Window window = windowOf(model.architecture, ids, 3, n).value();
    const auto result =
        runWindow(model, window, {.policy = policy, .pictures = {}, .observe = {}, .progress = {}, .stop = {}});
    return result ? meanOf(result->predictions).loss : NAN;
}

Setting settingOf(const char* position, double multiplier, const char* rule = "constant")
{
    Setting setting{.rule = rule, .multiplier = multiplier};
    setting.policy.position = parsePositions(position).value();
    return setting;
}

/// Frequencies of d/2 pairs and the factor on queries and keys, as rotary positions.
Policy turning(const std::vector<double>& frequencies, double factor, double base)
{
    const double d = 2 * static_cast<double>(frequencies.size());
    Choice choice{"long_rope", {{"m", factor}, {"base", base}, {"interleaved", 0}}, {}};
    for (std::size_t p = 0; p < frequencies.size(); ++p)
        choice.text +=
            (p ? "," : "") + formatNumber(std::pow(base, -2.0 * static_cast<double>(p) / d) / frequencies[p]);
    Policy policy;
    policy.position = choice;
    return policy;
}

/// YaRN as its authors' code, ggml and vLLM have it: linear in the index of the pair between rounded ends.
std::vector<double> yarnFrequencies(int d, double base, double s, double original, double fast, double slow,
                                    double kept)
{
    const auto index = [&](double turns) {
        return d * std::log(original / (turns * 2 * std::numbers::pi)) / (2 * std::log(base));
    };
    const double low = std::max(0.0, std::floor(index(fast))), high = std::min(d - 1.0, std::ceil(index(slow)));
    std::vector<double> all;
    for (int p = 0; p < d / 2; ++p) {
        const double whole = std::pow(base, -2.0 * p / d);
        const double ramp = 1 - std::min(1.0, std::max(0.0, (p - low) / std::max(0.001, high - low)));
        all.push_back(whole / s * (1 - kept * ramp) + whole * kept * ramp);
    }
    return all;
}

/// Each takes one word; those of --override-kv stand by their key.
QHash<QString, QString> llamaFlags(const QString& text)
{
    QHash<QString, QString> flags;
    const QStringList words = text.split(QRegularExpression("\\s+"), Qt::SkipEmptyParts);
    for (qsizetype i = 0; i + 1 < words.size(); i += 2)
        if (words[i] == "--override-kv")
            flags[words[i + 1].section('=', 0, 0)] = words[i + 1].section(':', 1);
        else
            flags[words[i]] = words[i + 1];
    return flags;
}

/// server-context.cpp: what a slot gets of a file that says `length`.
int slotOf(const QString& text, const char* architecture, int length)
{
    const QHash<QString, QString> flags = llamaFlags(text);
    const QString key = QString("%1.context_length").arg(architecture);
    const int trained = flags.contains(key) ? flags[key].toInt() : length;
    return std::min(flags["-c"].toInt(), trained);
}

/// llama-context.cpp and rope_yarn: `file` is what the model's file says. Under the ramp the flag of a factor is not
/// asked, and the file's own is.
Policy readLlamaFlags(const QString& text, int d, double fileBase)
{
    const QHash<QString, QString> flags = llamaFlags(text);
    const auto number = [&](const char* flag, double byDefault) {
        return flags.contains(flag) ? flags[flag].toDouble() : byDefault;
    };
    const QString type = flags.value("--rope-scaling", "none");
    const double base = number("--rope-freq-base", fileBase), s = type == "none" ? 1 : number("--rope-scale", 1),
                 extrapolated = number("--yarn-ext-factor", type == "yarn" ? 1 : 0);
    const double factor = number("llama.rope.scaling.attn_factor", 1) *
                          (extrapolated != 0 ? 1 + 0.1 * std::log(s) : number("--yarn-attn-factor", 1));
    return turning(yarnFrequencies(d, base, s, number("--yarn-orig-ctx", 32), number("--yarn-beta-fast", 32),
                                   number("--yarn-beta-slow", 1), extrapolated),
                   factor, fileBase);
}

/// YaRNScalingRotaryEmbedding.
Policy readVllm(const QString& text, int d)
{
    const qsizetype from = text.indexOf('\'') + 1;
    const auto fields = nlohmann::json::parse(text.mid(from, text.lastIndexOf('\'') - from).toStdString());
    const auto& scaling = fields["rope_scaling"];
    const double s = scaling["factor"], base = fields["rope_theta"];
    return turning(yarnFrequencies(d, base, s, scaling["original_max_position_embeddings"],
                                   scaling.value("beta_fast", 32.0), scaling.value("beta_slow", 1.0),
                                   scaling.value("extrapolation_factor", 1.0)),
                   (s > 1 ? 0.1 * std::log(s) + 1 : 1) * scaling["attn_factor"].get<double>(), base);
}

}  // namespace

class TestExports : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void settingsAreReadBack_data();
    void settingsAreReadBack();
    void slotsHoldWhatIsAskedFor_data();
    void slotsHoldWhatIsAskedFor();
    void numbersSayHowTheyComeFromM();
    void configsOfOtherFamiliesToo_data();
    void configsOfOtherFamiliesToo();
    void temperaturesCountFromTheirLength();
    void factorsAreReadBack();
    void whatCannotBeSaidIsSaid();
    void layersWithAWindowKeepTheirPositionsInLlamaCpp_data();
    void layersWithAWindowKeepTheirPositionsInLlamaCpp();
    void olmo3HasNoMultiplierInLlamaCpp();
    void factorsUnderARampAreTheFiles();
    void fieldsStandWhereTheModelsOwnDo();
    void latentLayersHaveNoFlags();
    void vllmHasBothBetas();
    void normsAfterTheTurnTakeItsFactorAway();
    void positionsThatFollowTheLengthAreSaid();
    void everyConfigIsReadBack_data();
    void everyConfigIsReadBack();
    void whatTakesTheModelTakesAnyAnswer_data();
    void whatTakesTheModelTakesAnyAnswer();
    void nothingWorseThanNoChangeIsSaid_data();
    void nothingWorseThanNoChangeIsSaid();
    void temperaturesOfModelsStay_data();
    void temperaturesOfModelsStay();
    void hooksAreProgrammes();
    void loadingIsOfBothTransformers();
    void everyFamilyIsHookedWhereItsQueriesAre_data();
    void everyFamilyIsHookedWhereItsQueriesAre();
    void normsThatComeLaterAreRefused();
    void whatAHookCannotSayIsMeasuredAsItRuns();
    void commandsRunTheSettingInAnyShell_data();
    void commandsRunTheSettingInAnyShell();

private:
    Model opened(const SmallModel& model, const QString& name)
    {
        const std::string folder = m_folder.filePath(name).toStdString();
        const std::string why = writeModel(model, folder);
        return why.empty() ? openModel(folder).value() : Model{};
    }
    Model readBack(SmallModel model, const ExportedSetting& exported)
    {
        const auto fields = nlohmann::json::parse(exported.text);
        for (const auto& [key, value] : fields.items())
            if (value.is_null())
                model.config.erase(key);
            else
                model.config[key] = value;
        return opened(model, "exported");
    }

    QTemporaryDir m_folder;
    SmallModel m_small = smallModel("llama");
    Model m_model;
};

void TestExports::initTestCase() { m_model = opened(m_small, "llama"); }

void TestExports::settingsAreReadBack_data()
{
    QTest::addColumn<QString>("position");
    QTest::addColumn<double>("multiplier");
    QTest::addColumn<QString>("rule");
    QTest::addRow("a multiplier") << "own" << 1.31 << "constant";
    QTest::addRow("a multiplier below 1") << "own" << 0.8 << "constant";
    QTest::addRow("by length") << "own" << 1.31 << "log_ratio";
    QTest::addRow("a base") << "rope:base=40000" << 1.0 << "constant";
    QTest::addRow("a base and a multiplier") << "rope:base=40000" << 1.2 << "constant";
    QTest::addRow("ntk") << "ntk:s=3" << 1.0 << "constant";
    QTest::addRow("ntk and a multiplier") << "ntk:s=3" << 1.2 << "log";
    QTest::addRow("interpolated") << "pi:s=2" << 1.0 << "constant";
    QTest::addRow("interpolated, and a multiplier") << "pi:s=1.7" << 1.3 << "constant";
    QTest::addRow("yarn") << "yarn_rope:s=2,by_index=1" << 1.143 << "constant";
    QTest::addRow("yarn with a ramp of its own")
        << "yarn_rope:s=4,by_index=1,beta_fast=3,beta_slow=0.4" << 0.9 << "constant";
}

void TestExports::settingsAreReadBack()
{
    QFETCH(QString, position);
    QFETCH(double, multiplier);
    QFETCH(QString, rule);
    const Setting setting = settingOf(qPrintable(position), multiplier, qPrintable(rule));
    const TunedAt at{n, 32};
    const ExportSource source{setting, at, m_model.architecture, "llama"};
    const double tuned = lossOf(m_model, policyAt(setting, at, n));
    QVERIFY(std::abs(tuned - lossOf(m_model, {})) > 1e-3);  // the small model does see the difference
    const auto exported = [&](const char* target) {
        const auto text = exportTo(target, source);
        return text && text->exact ? QString::fromStdString(text->text) : QString();
    };
    const Model again = readBack(m_small, exportTo("hf", source).value());
    QVERIFY(again.unknownFields.empty());
    QVERIFY2(std::abs(lossOf(again, {}) - tuned) < 1e-5, qPrintable(exported("hf")));
    QCOMPARE(again.architecture.trainLength, std::int64_t{32});
    const Policy flags = readLlamaFlags(exported("llama.cpp"), 6, 10000);
    QVERIFY2(std::abs(lossOf(m_model, flags) - tuned) < 1e-5, qPrintable(exported("llama.cpp")));
    const Policy overrides = readVllm(exported("vllm"), 6);
    QVERIFY2(std::abs(lossOf(m_model, overrides) - tuned) < 1e-5, qPrintable(exported("vllm")));
}

void TestExports::slotsHoldWhatIsAskedFor_data()
{
    QTest::addColumn<QString>("family");
    QTest::addColumn<QString>("architecture");  // general.architecture of its .gguf files
    QTest::addRow("Llama") << "llama"
                           << "llama";
    QTest::addRow("Mistral") << "mistral"
                             << "llama";
    QTest::addRow("Qwen 3") << "qwen3"
                            << "qwen3";
    QTest::addRow("OLMo 2") << "olmo2"
                            << "olmo2";
    QTest::addRow("GPT-NeoX") << "gpt_neox"
                              << "gptneox";
    QTest::addRow("Llama 3.1, with factors of its frequencies") << "llama3"
                                                                << "llama";
}

/// llama-server caps a slot at what the file was trained with: what raises that stands beside -c, and no more than is
/// needed; the length before a stretch stays what the file has.
void TestExports::slotsHoldWhatIsAskedFor()
{
    QFETCH(QString, family);
    QFETCH(QString, architecture);
    const Model model = opened(smallModel(family.toStdString()), family);
    const auto holds = static_cast<int>(model.architecture.largestLength);
    const auto flagsAt = [&](std::int64_t length, const char* position) {
        const TunedAt at{length, static_cast<double>(model.architecture.trainLength)};
        return QString::fromStdString(
            exportTo("llama.cpp", {settingOf(position, 1.4), at, model.architecture, "x"}).value().text);
    };
    for (const int length : {holds, 2 * holds, 5 * holds}) {
        const QString flags = flagsAt(length, "own");
        QCOMPARE(slotOf(flags, qPrintable(architecture), holds), length);
        QCOMPARE(flags.contains("--override-kv"), length > holds);
        QCOMPARE(llamaFlags(flags).value(architecture + ".rope.scaling.original_context_length").toLongLong(),
                 length > holds && family == "llama3" ? model.architecture.trainLength : 0);
    }
    // a tensor of factors stays under every flag, so that no other positions are promised
    const auto based = exportTo("llama.cpp", {settingOf("rope:base=40000", 1.4),
                                              {2 * holds, static_cast<double>(model.architecture.trainLength)},
                                              model.architecture,
                                              "x"});
    QCOMPARE(QString::fromStdString(based->text).contains("--rope-freq-base"), family != "llama3");
    QCOMPARE(based->exact, family != "llama3" && family != "gpt_neox");
}

/// m = 1.44 has the root 1.2, and under YaRN's s = 2 the half of ln 2 is a tenth of what 1 + 0.1 ln 2 = 1.0693 divides.
void TestExports::numbersSayHowTheyComeFromM()
{
    const TunedAt at{n, 32};
    const auto notes = [&](const char* target, const char* position) {
        QString all;
        const auto exported = exportTo(target, {settingOf(position, 1.44), at, m_model.architecture, "x"});
        for (const std::string& note : exported->notes)
            all += QString::fromStdString(note) + "\n";
        return all;
    };
    QVERIFY(notes("hf", "own").contains("attention_factor 1.2 is √m with m = 1.44"));
    QVERIFY(notes("llama.cpp", "own").contains("--yarn-attn-factor 1.2 is √m with m = 1.44"));
    QVERIFY(notes("vllm", "own").contains("attn_factor 1.2 is √m with m = 1.44"));
    for (const char* target : {"llama.cpp", "vllm"})  // 1.2 / 1.0693147
        QVERIFY2(
            notes(target, "yarn_rope:s=2,by_index=1").contains("factor 1.1222 is √m / (1 + 0.1 ln s) with m = 1.44"),
            qPrintable(notes(target, "yarn_rope:s=2,by_index=1")));
    QVERIFY(notes("pytorch", "own").contains("M is m itself"));
    QVERIFY(notes("factors", "own").contains("the file's factors are m itself"));
    for (const char* target : {"hf", "llama.cpp", "vllm"})
        QVERIFY(!QString::fromStdString(
                     exportTo(target, {settingOf("own", 1), at, m_model.architecture, "x"})->notes.empty()
                         ? std::string()
                         : exportTo(target, {settingOf("own", 1), at, m_model.architecture, "x"})->notes.front())
                     .contains("√m"));
}

void TestExports::configsOfOtherFamiliesToo_data()
{
    QTest::addColumn<QString>("family");
    for (const char* family : {"llama3", "mistral", "qwen2", "qwen3", "gemma2", "olmo2", "granite", "gpt_neox"})
        QTest::addRow("%s", family) << family;
}

/// A model that is stretched already keeps its frequencies; of one that turns a part of each head it is said, and what
/// is read back is what was said.
void TestExports::configsOfOtherFamiliesToo()
{
    QFETCH(QString, family);
    const SmallModel small = smallModel(family.toStdString());
    const Model model = opened(small, family);
    const TunedAt at{n, static_cast<double>(model.architecture.trainLength)};
    const Setting setting = settingOf("own", 1.4);
    const auto exported = exportTo("hf", {setting, at, model.architecture, "x"});
    QVERIFY2(exported.has_value(), exported ? "" : exported.error().message.c_str());
    QCOMPARE(exported->exact, family != "gpt_neox");
    const double said = lossOf(model, policyAt(exported->setting, at, n));
    QVERIFY(std::abs(lossOf(readBack(small, *exported), {}) - said) < 1e-5);
    QCOMPARE(std::abs(said - lossOf(model, policyAt(setting, at, n))) < 1e-5, exported->exact);
}

namespace {

Architecture architectureOf(const nlohmann::json& config)
{
    const auto read = readModelConfig(config.dump(), "config.json");
    return read ? read->architecture : Architecture{};
}

nlohmann::json with(const char* type, const nlohmann::json& changes)
{
    nlohmann::json config = smallModel(type).config;
    config.update(changes);
    return config;
}

QString notesOf(const ExportedSetting& exported)
{
    QString all;
    for (const std::string& note : exported.notes)
        all += QString::fromStdString(note) + "\n";
    return all;
}

nlohmann::json overridesOf(const std::string& text)
{
    const std::size_t from = text.find('\'') + 1;
    return nlohmann::json::parse(text.substr(from, text.rfind('\'') - from));
}

}  // namespace

void TestExports::layersWithAWindowKeepTheirPositionsInLlamaCpp_data()
{
    QTest::addColumn<QString>("type");
    QTest::addColumn<bool>("kept");
    QTest::addRow("Gemma 2") << "gemma2" << true;
    QTest::addRow("gpt-oss") << "gpt_oss" << true;
    QTest::addRow("Mistral, whose window llama.cpp does not have") << "mistral" << false;
    QTest::addRow("Qwen 3") << "qwen3" << false;
}

/// llama_model::get_rope_freq_base and get_rope_freq_scale: of a layer with a window the file's, of others the flags'.
void TestExports::layersWithAWindowKeepTheirPositionsInLlamaCpp()
{
    QFETCH(QString, type);
    QFETCH(bool, kept);
    const std::string folder = m_folder.filePath("windows").toStdString();
    QVERIFY(writeFamily(type.toStdString(), folder));
    const Architecture a = openModel(folder).value().architecture;
    const TunedAt at = tunedAt(a, n, static_cast<double>(a.trainLength));
    for (const char* position : {"rope:base=160000", "pi:s=2", "yarn_rope:s=2,by_index=1"}) {
        const auto exported = exportTo("llama.cpp", {settingOf(position, 1), at, a, "x"});
        QVERIFY2(exported, exported ? "" : exported.error().message.c_str());
        QCOMPARE(exported->exact, !kept);
        QCOMPARE(exported->text.find("--rope-") == std::string::npos, kept);
        QCOMPARE(exported->setting.policy.position.has_value(), !kept);
        QCOMPARE(notesOf(*exported).contains("layers with a window turn as the file says"), kept);
    }
}

/// olmo2.cpp: layers with a window have 1 for the factor of their turn.
void TestExports::olmo3HasNoMultiplierInLlamaCpp()
{
    Architecture a = architectureOf(with("olmo2", {{"model_type", "olmo3"}, {"sliding_window", 8}}));
    QVERIFY(a.layers > 0 && std::ranges::any_of(a.specs, [](const auto& spec) { return spec.mask.id == "window"; }));
    const auto exported = [&](double m) {
        return exportTo("llama.cpp", {settingOf("own", m), tunedAt(a, n, 32), a, "x"});
    };
    QVERIFY(exported(1)->exact);
    QVERIFY(!exported(1.2) && exported(1.2).error().message.find("olmo2.cpp") != std::string::npos);
    for (LayerSpec& spec : a.specs)  // OLMo 2, which has no windows
        spec.mask = {"causal", {}, {}};
    QVERIFY(exported(1.2)->exact);
}

/// 1.2 is the root of 1.44, beside the file's own 1 + 0.1 ln s; without a known architecture the reader is to add it.
void TestExports::factorsUnderARampAreTheFiles()
{
    const nlohmann::json stretch{{"type", "yarn"}, {"factor", 2}, {"original_max_position_embeddings", 32}};
    const auto flags = [](const Architecture& a, const char* position, double m) {
        const auto exported = exportTo("llama.cpp", {settingOf(position, m), {n, 32}, a, "x"});
        return exported ? *exported : ExportedSetting{};
    };
    const auto textOf = [&](const Architecture& a, const char* position, double m) {
        return QString::fromStdString(flags(a, position, m).text);
    };
    const Architecture own = architectureOf(with("qwen2", {{"rope_scaling", stretch}}));
    QVERIFY(textOf(own, "own", 1.44).contains(" --override-kv qwen2.rope.scaling.attn_factor=float:1.2\n"));
    QVERIFY(!textOf(own, "own", 1.44).contains("--yarn-attn-factor") && flags(own, "own", 1.44).exact);
    QVERIFY(!textOf(own, "own", 1).contains("attn"));
    // of the file's ramp nothing stays under other positions
    const QString based = textOf(own, "rope:base=40000", 1.44);
    QVERIFY2(based.contains("--rope-scaling none") && based.contains("--yarn-ext-factor 0 --yarn-attn-factor 1.2\n"),
             qPrintable(based));
    // gpt-oss too, whose ramp has no rounded ends
    QVERIFY(writeFamily("gpt_oss", m_folder.filePath("ramp").toStdString()));
    const Architecture oss = openModel(m_folder.filePath("ramp").toStdString()).value().architecture;
    const auto owned = exportTo("llama.cpp", {settingOf("own", 1.44), tunedAt(oss, n, 16), oss, "x"});
    QVERIFY2(owned->text.find("gpt-oss.rope.scaling.attn_factor=float:1.2") != std::string::npos, owned->text.c_str());
    // Mistral's log multiplier of 1 takes the temperature out of the turn
    const Architecture logs = architectureOf(with("llama", {{"model_type", "ministral3"},
                                                            {"rope_parameters",
                                                             {{"rope_type", "yarn"},
                                                              {"factor", 2},
                                                              {"original_max_position_embeddings", 32},
                                                              {"mscale", 1},
                                                              {"mscale_all_dim", 1}}}}));
    QVERIFY2(textOf(logs, "own", 1.44).contains("mistral3.rope.scaling.attn_factor=float:1.2\n"),
             qPrintable(textOf(logs, "own", 1.44)));
    QVERIFY(textOf(logs, "yarn_rope:s=4,by_index=1", 1.44).contains("mistral3.rope.scaling.attn_factor=float:1.2\n"));
    // a kind that has no .gguf files
    const Architecture vault =
        architectureOf(with("gemma2", {{"model_type", "vaultgemma"}, {"rope_scaling", stretch}}));
    const ExportedSetting unknown = flags(vault, "own", 1.44);
    QVERIFY(!unknown.exact && unknown.text.find("attn") == std::string::npos);
    QVERIFY(notesOf(unknown).contains("ARCHITECTURE.rope.scaling.attn_factor=float:1.2 with"));
    QCOMPARE(unknown.setting.multiplier, 1.0);
}

/// config.json of a model of texts and pictures: its text_config is what transformers and vLLM ask, and no other level.
void TestExports::fieldsStandWhereTheModelsOwnDo()
{
    const nlohmann::json text = smallModel("mistral").config;
    const Architecture plain = architectureOf(text),
                       within = architectureOf({{"model_type", "mistral3"}, {"text_config", text}});
    QVERIFY(plain.layers > 0 && plain == within);
    for (const Setting& setting : {settingOf("own", 1.44), settingOf("yarn_rope:s=2,by_index=1", 1.1)}) {
        const auto exported = [&](const char* target, const Architecture& a) {
            return exportTo(target, {setting, tunedAt(a, n, 32), a, "x"}).value().text;
        };
        const auto fields = nlohmann::json::parse(exported("hf", within));
        QCOMPARE(fields.size(), std::size_t{1});
        QVERIFY(fields["text_config"] == nlohmann::json::parse(exported("hf", plain)));
        QVERIFY(fields["text_config"].contains("rope_scaling") && fields["text_config"].contains("rope_theta"));
        const auto overrides = overridesOf(exported("vllm", within));
        QCOMPARE(overrides.size(), std::size_t{1});
        QVERIFY(overrides["text_config"] == overridesOf(exported("vllm", plain)));
        QVERIFY(overrides["text_config"].contains("rope_scaling"));
    }
    const auto lines = [&](const Architecture& a) {
        return QString::fromStdString(
            exportTo("pytorch", {settingOf("pi:s=2", 1.1), tunedAt(a, n, 32), a, "x"}).value().text);
    };
    QVERIFY(lines(within).contains("\ntexts = config.get_text_config()\n"));
    QVERIFY(lines(within).contains("texts.rope_parameters = ") && !lines(within).contains("config.rope"));
    QVERIFY(lines(plain).contains("config.rope_parameters = ") && !lines(plain).contains("texts"));
    // as it is nothing is written at any level
    const auto untouched = exportTo("hf", {untuned(0), tunedAt(within, n, 32), within, "x"}).value();
    QCOMPARE(untouched.text, std::string("{}\n"));
}

/// deepseek2.cpp: what the turn is multiplied by goes into the scale of all coordinates as well, and other positions
/// take the model's own temperature away.
void TestExports::latentLayersHaveNoFlags()
{
    for (const char* type : {"deepseek_v2", "deepseek_v3", "glm4_moe_lite"}) {
        const std::string folder = m_folder.filePath("latent").toStdString();
        QVERIFY(writeFamily(type, folder));
        const Architecture a = openModel(folder).value().architecture;
        for (const Setting& setting : {settingOf("own", 1.3), settingOf("rope:base=40000", 1)}) {
            const auto exported = exportTo("llama.cpp", {setting, tunedAt(a, n, 32), a, "x"});
            QVERIFY(!exported && exported.error().kind == ErrorKind::Unavailable);
            QVERIFY(exported.error().message.ends_with("factors can say it"));
            QVERIFY(exportTo("factors", {setting, tunedAt(a, n, 32), a, "x"}));
        }
    }
}

/// vLLM's gpt_oss.py makes YaRN's fields anew from these four, and from no other.
void TestExports::vllmHasBothBetas()
{
    QVERIFY(writeFamily("gpt_oss", m_folder.filePath("betas").toStdString()));
    const Architecture oss = openModel(m_folder.filePath("betas").toStdString()).value().architecture;
    const auto exported = [](const char* position, double m, const Architecture& a) {
        return exportTo("vllm", {settingOf(position, m), tunedAt(a, n, 32), a, "x"});
    };
    const Architecture& llama = m_model.architecture;
    const std::vector<ExportedSetting> all{
        exported("own", 1.3, llama).value(), exported("rope:base=40000", 1.3, llama).value(),
        exported("pi:s=2", 1.3, llama).value(), exported("yarn_rope:s=2,by_index=1", 1.3, llama).value(),
        exported("rope:base=40000", 1, oss).value()};
    for (const ExportedSetting& one : all) {
        const auto scaling = overridesOf(one.text)["rope_scaling"];
        for (const char* key : {"factor", "original_max_position_embeddings", "beta_fast", "beta_slow"})
            QVERIFY2(scaling.contains(key), one.text.c_str());
        QVERIFY(scaling["beta_fast"] == 32 && scaling["beta_slow"] == 1);
    }
    QVERIFY(exported("own", 1, oss).value().exact);
    for (const char* position : {"own", "rope:base=40000", "pi:s=2", "yarn_rope:s=2,by_index=1"}) {
        const auto refused = exported(position, 1.3, oss);
        QVERIFY(!refused && refused.error().kind == ErrorKind::Unavailable);
    }
    QVERIFY(!exported("pi:s=2", 1, oss));
}

/// modeling_nanochat.py: RoPE, then norms without weights. x and a x have the same, so that a multiplies nothing.
void TestExports::normsAfterTheTurnTakeItsFactorAway()
{
    const std::string folder = m_folder.filePath("after").toStdString();
    const auto small = writeFamily("nanochat", folder);
    QVERIFY2(small, small ? "" : small.error().c_str());
    const Architecture a = openModel(folder).value().architecture;
    const auto exported = [&](const char* target, const char* position, double m) {
        return exportTo(target, {settingOf(position, m), tunedAt(a, n, 32), a, "x"});
    };
    for (const char* target : {"hf", "llama.cpp", "vllm"}) {
        QVERIFY(exported(target, "own", 1) && exported(target, "rope:base=40000", 1));
        const auto refused = exported(target, "own", 1.3);
        QVERIFY(!refused && refused.error().message.find("pytorch") != std::string::npos);
    }
    QVERIFY(exported("pytorch", "own", 1.3)->exact && exported("pytorch", "rope:base=40000", 1.3)->exact);
    const auto lossWith = [&](double factor) {
        nlohmann::json stretched{
            {"rope_theta", 10000}, {"rope_type", "yarn"},        {"factor", 2},
            {"beta_fast", 3},      {"attention_factor", factor}, {"original_max_position_embeddings", 16}};
        nlohmann::json changes{{"rope_parameters", stretched}};
        return writeFamily("nanochat", folder, changes) ? lossOf(openModel(folder).value(), {}) : NAN;
    };
    QVERIFY(std::isfinite(lossWith(1)) && openModel(folder)->architecture.position().id == "yarn_rope");
    QCOMPARE(lossWith(1.5), lossWith(1));
}

/// What transformers has for n = 2 N under dynamic NTK: s = 4 * 2 - 3 = 5, and a base of 5^(d / (d - 2)) times its own.
void TestExports::positionsThatFollowTheLengthAreSaid()
{
    const Architecture a = architectureOf(
        with("llama", {{"max_position_embeddings", 32}, {"rope_scaling", {{"rope_type", "dynamic"}, {"factor", 4}}}}));
    QVERIFY(a.layers > 0 && a.trainLength == 32);
    const double d = a.headSize, base = 10000 * std::pow(5, d / (d - 2));
    const auto exported = [&](const char* target, double m) {
        return exportTo(target, {settingOf("own", m), {n, 32}, a, "x"}).value();
    };
    const auto isStatic = [](const ExportedSetting& of) { return notesOf(of).contains("at every length"); };
    for (const double m : {1.0, 1.2}) {  // neither a .gguf file nor vLLM has these
        const ExportedSetting flags = exported("llama.cpp", m), fields = exported("vllm", m);
        QVERIFY(isStatic(flags) && isStatic(fields));
        QVERIFY(std::abs(llamaFlags(QString::fromStdString(flags.text))["--rope-freq-base"].toDouble() - base) < 1e-6);
        QVERIFY(std::abs(overridesOf(fields.text)["rope_theta"].get<double>() - base) < 1e-6);
    }
    QVERIFY(!isStatic(exported("hf", 1)) && exported("hf", 1).text == "{}\n");
    QVERIFY(isStatic(exported("hf", 1.2)));
    QVERIFY(std::abs(nlohmann::json::parse(exported("hf", 1.2).text)["rope_theta"].get<double>() - base) < 1e-6);
    QVERIFY(!isStatic(exported("pytorch", 1.2)));  // which leaves the config as it is
}

void TestExports::everyConfigIsReadBack_data()
{
    QTest::addColumn<bool>("written");
    QMap<std::string, bool> known;
    for (const char* type : {"llama", "mistral", "qwen2", "qwen3", "gemma", "gemma2", "granite", "gpt_neox", "gpt_oss",
                             "ministral3", "deepseek_v2", "deepseek_v3", "phi", "glm", "stablelm", "mixtral"})
        known[type] = true;
    for (const char* type :
         {"gptj", "phi3", "roformer", "gemma3_text", "llama4_text", "smollm3", "bloom", "gpt2", "olmo3", "cohere2"})
        known[type] = false;
    for (const Family& family : families())
        if (known.contains(std::string(family.id)))
            QTest::addRow("%s", std::string(family.id).c_str()) << known[std::string(family.id)];
        else
            QTest::addRow("%s, as it comes", std::string(family.id).c_str()) << false;
}

/// What is written into a config is read as what was said, under the names that it has; a model as it is stays so.
void TestExports::everyConfigIsReadBack()
{
    QFETCH(bool, written);
    const QStringList row = QString(QTest::currentDataTag()).split(", ");
    const std::string type = row.front().toStdString(), folder = m_folder.filePath("family").toStdString();
    const auto small = writeFamily(type, folder);
    QVERIFY2(small, small ? "" : small.error().c_str());
    const Model model = openModel(folder).value();
    const Architecture& a = model.architecture;
    const TunedAt at = tunedAt(a, n, static_cast<double>(a.trainLength));
    int read = 0, changed = 0;
    for (const Setting& setting :
         {untuned(0), settingOf("own", 1.4), settingOf("rope:base=40000", 1), settingOf("rope:base=40000", 1.2),
          settingOf("pi:s=2", 1), settingOf("yarn_rope:s=2,by_index=1", 1.2), settingOf("ntk:s=2", 1)}) {
        const auto exported = exportTo("hf", {setting, at, a, "x"});
        if (!exported) {
            QCOMPARE(exported.error().kind, ErrorKind::Unavailable);
            continue;
        }
        const Model again = readBack(*small, *exported);
        QVERIFY2(again.unknownFields == model.unknownFields, exported->text.c_str());
        const double asked = lossOf(model, policyAt(setting, at, n)),
                     said = lossOf(model, policyAt(exported->setting, at, n)), loss = lossOf(again, {});
        QVERIFY2(std::abs(loss - said) < 1e-5, exported->text.c_str());
        QVERIFY(!exported->exact || std::abs(loss - asked) < 1e-5);
        ++read;
        changed += std::abs(loss - lossOf(model, {})) > 1e-4 ? 1 : 0;
    }
    if (row.size() > 1)
        return;
    QVERIFY(written ? read >= 2 && changed >= 1 : read == 0);
    if (type == "gpt_neox") {
        const auto exported = exportTo("hf", {settingOf("rope:base=40000", 1), at, a, "x"});
        const QString text = QString::fromStdString(exported->text);
        QVERIFY(text.contains("rotary_emb_base") && !text.contains("rope_theta"));
    }
}

void TestExports::whatTakesTheModelTakesAnyAnswer_data()
{
    QTest::addColumn<int>("none");
    for (const Family& family : families())
        QTest::addRow("%s", std::string(family.id).c_str()) << 0;
}

/// A target that has words for the model as it is has some for every answer: at worst those for the model as it is.
void TestExports::whatTakesTheModelTakesAnyAnswer()
{
    const std::string folder = m_folder.filePath("family").toStdString();
    const auto small = writeFamily(QTest::currentDataTag(), folder);
    QVERIFY2(small, small ? "" : small.error().c_str());
    const Architecture a = openModel(folder).value().architecture;
    const TunedAt at = tunedAt(a, n, static_cast<double>(a.trainLength));
    const std::vector<TriedSetting> tried{{untuned(0), 4, 1.0}};
    std::vector<Setting> answers{settingOf("own", 1.3), settingOf("own", 1.3, "row_log"), settingOf("rerope:w=16", 1.1),
                                 settingOf("yarn_rope:s=2,by_index=1", 1.1), settingOf("rope:base=40000", 1)};
    for (const char* method : {"entropy_measured", "softmax_plus", "ssmax"}) {
        answers.push_back(settingOf("own", 1));
        answers.back().policy.method = {method, {}, {}};
    }
    answers.push_back(settingOf("own", 1));
    answers.back().policy.factors.assign(std::size_t(a.layers), std::vector(std::size_t(a.heads), 1.5));
    for (const ExportTarget& target : exportTargets()) {
        if (!exportTo(target.id, {untuned(0), at, a, "x"}))
            continue;
        for (const Setting& answer : answers) {
            const auto exported = exportNearest(target.id, {answer, at, a, "x"}, tried, 4);
            QVERIFY2(
                exported,
                (target.id + ": " + describe(answer, at) + ": " + (exported ? "" : exported.error().message)).c_str());
            QVERIFY(exported->exact || !exported->notes.empty());
        }
    }
}

void TestExports::nothingWorseThanNoChangeIsSaid_data()
{
    QTest::addColumn<QString>("position");
    QTest::addColumn<QString>("rule");
    QTest::addColumn<bool>("factors");
    QTest::addColumn<QString>("advice");
    QTest::addRow("positions without words") << "rerope:w=16"
                                             << "constant" << false << "leave it as it is there";
    QTest::addRow("a rule by row") << "own"
                                   << "row_log" << false << "a search with the rule constant looks";
    QTest::addRow("a rule by row, there too") << "rerope:w=16"
                                              << "row_log" << false << "the rule constant looks";
    QTest::addRow("a factor a head") << "own"
                                     << "constant" << true << "leave it as it is there";
}

/// What a target cannot say is not cut down to what it can: that was never tried. Of what was tried and can be said
/// there the best stands in for it, the model as it is where that is the best, and nothing that costs more.
void TestExports::nothingWorseThanNoChangeIsSaid()
{
    QFETCH(QString, position);
    QFETCH(QString, rule);
    QFETCH(bool, factors);
    QFETCH(QString, advice);
    const TunedAt at{n, 32};
    const Architecture& a = m_model.architecture;
    Setting answer = settingOf(position.toUtf8(), factors ? 1 : 1.2, rule.toUtf8());
    if (factors)
        answer.policy.factors.assign(std::size_t(a.layers), std::vector(std::size_t(a.heads), 1.5));
    for (const char* target : {"hf", "llama.cpp", "vllm"})
        for (const bool helps : {false, true}) {
            const std::vector<TriedSetting> tried{{answer, 4, 1.0},
                                                  {settingOf("ntk:s=2", 1.1), 4, helps ? 1.1 : 1.3},
                                                  {untuned(0), 4, 1.2},
                                                  {settingOf("own", 1.2), 4, 1.25}};
            const auto exported = exportNearest(target, {answer, at, a, "x"}, tried, 4);
            QVERIFY2(exported, exported ? "" : exported.error().message.c_str());
            QVERIFY(!exported->exact);
            const QString first = QString::fromStdString(exported->notes.front());
            const auto asItIs = exportTo(target, {helps ? tried[1].setting : untuned(0), at, a, "x"});
            QVERIFY(asItIs);
            QCOMPARE(exported->text, asItIs->text);
            QVERIFY(exported->setting == asItIs->setting);
            QVERIFY2(first.contains(helps ? QStringLiteral("the best that was tried of what can") : advice),
                     qPrintable(first));
            QVERIFY(first.startsWith(QString::fromStdString(describe(answer, at)) + " cannot be said there; "));
            QCOMPARE(first.contains("has a lower loss than the model as it is, which this is"), !helps);
        }
}

void TestExports::temperaturesOfModelsStay_data()
{
    QTest::addColumn<QString>("type");
    QTest::addRow("Ministral 3") << "ministral3";
    QTest::addRow("Llama 4") << "llama4_text";
}

/// A multiplier stands on the model's own temperature; a method takes its place, here and in what is used in the
/// window, and of a hook, which leaves it there, what is said is what runs.
void TestExports::temperaturesOfModelsStay()
{
    QFETCH(QString, type);
    const std::string folder = m_folder.filePath("warm").toStdString();
    const auto small = writeFamily(type.toStdString(), folder, {{"use_qk_norm", false}});
    QVERIFY2(small, small ? "" : small.error().c_str());
    const Model model = openModel(folder).value();
    const Architecture& a = model.architecture;
    QVERIFY(hasOwnTemperature(a));
    const TunedAt at = tunedAt(a, n, static_cast<double>(a.trainLength));
    std::vector<Setting> settings{settingOf("own", 1.3), settingOf("own", 0.8, "log"), settingOf("own", 1),
                                  settingOf("own", 1.3, "row_log")};
    settings.push_back(settingOf("own", 1));
    settings.back().policy.method = {"softmax_plus", {{"B", 4}}, {}};
    for (const Setting& setting : settings) {
        const bool replaces = setting.rule == "row_log" || !isVanilla(setting.policy.method);
        const auto exported = exportTo("pytorch", {setting, at, a, "x"});
        QVERIFY2(exported, exported ? "" : exported.error().message.c_str());
        QCOMPARE(exported->exact, !replaces);
        const QString text = QString::fromStdString(exported->text);
        const auto match = QRegularExpression("\nM = (.*?)(?: \\* (\\d+))?  # a multiplier",
                                              QRegularExpression::DotMatchesEverythingOption)
                               .match(text);
        QVERIFY2(match.hasMatch(), qPrintable(text));
        auto table = nlohmann::json::parse(match.captured(1).toStdString()).get<std::vector<std::vector<double>>>();
        if (!match.captured(2).isEmpty())
            table.assign(std::size_t(match.captured(2).toInt()), std::vector(table.front()));
        Policy hooked, used;
        hooked.factors = table;
        const double asked = lossOf(model, policyAt(setting, at, n)), run = lossOf(model, hooked),
                     said = lossOf(model, policyAt(exported->setting, at, n));
        QVERIFY2(std::abs(run - said) < 1e-5, qPrintable(QString("%1 %2").arg(run).arg(said)));
        QCOMPARE(std::abs(run - asked) < 1e-5, exported->exact);
        const auto lastOf = [&](const Policy& policy) {
            return resolveLayer(policy, a, a.layers - 1, n).value().scales.front().back();
        };
        QVERIFY(std::abs(lastOf(hooked) - lastOf(policyAt(setting, at, n))) < 1e-6);
        const auto method = methodOf(setting, at, a);
        QVERIFY(method || !replaces);
        used.method = method.value_or(setting.policy.method);
        QVERIFY(!method || std::abs(lossOf(model, used) - asked) < 1e-5);
    }
}

/// The length that the model's temperature counts from stays in whatever is exported, or nothing is; and where it can
/// stay, something is.
void TestExports::temperaturesCountFromTheirLength()
{
    const std::string folder = m_folder.filePath("counts").toStdString();
    QVERIFY(writeFamily("ministral3", folder, {{"use_qk_norm", false}}));
    const Architecture a = openModel(folder).value().architecture;
    const auto own = nlohmann::json::parse(a.positionFields.given).at("original_max_position_embeddings");
    const TunedAt at = tunedAt(a, n, static_cast<double>(a.trainLength));
    int said = 0;
    for (const char* target : {"hf", "vllm", "pytorch"})
        for (const char* position : {"own", "rope:base=40000", "pi:s=2", "ntk:s=2", "yarn_rope:s=4",
                                     "yarn_rope:s=4,N=16,by_index=1", "yarn_rope:s=4,N=24,by_index=1"})
            for (const double m : {1.0, 1.3}) {
                const auto exported = exportTo(target, {settingOf(position, m), at, a, "x"});
                if (!exported)
                    continue;
                const QString text = QString::fromStdString(exported->text);
                const auto all =
                    QRegularExpression("original_max_position_embeddings\"?'?\\]?:? ?=? ?(\\d+)").globalMatch(text);
                for (auto found = all; found.hasNext();) {
                    QCOMPARE(found.next().captured(1).toInt(), own.get<int>());
                    ++said;
                }
            }
    QVERIFY(said >= 3);
}

void TestExports::factorsAreReadBack()
{
    const TunedAt at{n, 32};
    for (const char* rule : {"constant", "row_log_ratio"}) {
        Setting setting = settingOf("ntk:s=2", 1.3, rule);
        setting.policy.factors = std::vector(3, std::vector{0.7, 1.0, 1.1, 1.2, 0.9, 2.0});
        const auto exported = exportTo("factors", {setting, at, m_model.architecture, "x"});
        QVERIFY(exported && exported->exact);
        QCOMPARE(QString::fromStdString(exported->text).contains("--method"), QString(rule) != "constant");
        QVERIFY(QString::fromStdString(exported->text).contains("--positions ntk:s=2 --head-factors"));
        std::vector<double> values;
        for (const auto& layer : headFactorsOf(setting, at, m_model.architecture))
            values.insert(values.end(), layer.begin(), layer.end());
        const std::string path = m_folder.filePath("factors.npy").toStdString();
        QVERIFY(writeNpy(path, tensorView({}, {3, 6}, std::span<const double>(values))).has_value());
        Policy policy = policyAt(setting, at, n);
        policy.temperature = 1;
        policy.factors = readHeadTable(path, m_model.architecture).value();
        QVERIFY(std::abs(lossOf(m_model, policy) - lossOf(m_model, policyAt(setting, at, n))) < 1e-6);
    }
}

void TestExports::whatCannotBeSaidIsSaid()
{
    const TunedAt at{n, 32};
    const auto exported = [&](const char* target, const Setting& setting) {
        return exportTo(target, {setting, at, m_model.architecture, "x"}).value();
    };
    const auto notes = [](const ExportedSetting& of) {
        QString all;
        for (const std::string& note : of.notes)
            all += QString::fromStdString(note) + "\n";
        return all;
    };
    for (const char* target : {"hf", "llama.cpp", "vllm"}) {
        const ExportedSetting rows = exported(target, settingOf("own", 1.3, "row_log"));
        QVERIFY(!rows.exact && notes(rows).contains("the one of the last row"));
        QVERIFY(std::abs(rows.setting.multiplier - 1.3) < 1e-6);
        Setting heads = settingOf("own", 1);
        heads.policy.factors = std::vector(3, std::vector{0.5, 2.0, 1.0, 1.0, 4.0, 1.0});
        const ExportedSetting mean = exported(target, heads);
        QVERIFY(!mean.exact && notes(mean).contains("geometric mean"));
        QVERIFY(std::abs(mean.setting.multiplier - std::pow(4.0, 1.0 / 6)) < 1e-9);
        const ExportedSetting far = exported(target, settingOf("rerope:w=16", 1.2));
        QVERIFY(!far.exact && notes(far).contains("the model keeps its own"));
        QVERIFY(!far.setting.policy.position.has_value());
    }
    QVERIFY(exported("factors", settingOf("rerope:w=16", 1.2)).exact);
    const std::vector<TriedSetting> tried{{settingOf("rerope:w=16", 1.1), 4, 1.0},
                                          {settingOf("pi:s=2", 1), 4, 1.3},
                                          {settingOf("ntk:s=2", 1.1), 4, 1.2},
                                          {settingOf("ntk:s=3", 1.1), 2, 1.1}};  // on fewer windows
    const auto nearest = exportNearest("hf", {settingOf("rerope:w=16", 1.2), at, m_model.architecture, "x"}, tried, 4);
    QVERIFY(nearest && !nearest->exact);
    QVERIFY(nearest->setting.policy.position->id == "ntk" && nearest->setting.policy.position->values.at("s") == 2);
    QVERIFY(notes(*nearest).contains("m = 1.2, rerope:w=16 cannot be said there"));
    const Model gpt2 = opened(smallModel("gpt2"), "gpt2");
    const auto none = exportTo("hf", {settingOf("own", 1.2), at, gpt2.architecture, "x"});
    QVERIFY(!none && QString::fromStdString(none.error().message).contains("pytorch and factors can say it"));
    QVERIFY(!exportTo("onnx", {settingOf("own", 1.2), at, gpt2.architecture, "x"}));
    // as it is published: (1 + 0.1 ln 2)^2 with s = 2 needs no factor of its own
    Setting yarn = settingOf("yarn_rope:s=2,by_index=1", 1);
    yarn.policy.method = {"yarn", {}, {}};
    const QString plainYarn = QString::fromStdString(exported("llama.cpp", yarn).text);
    QVERIFY(!plainYarn.contains("attn-factor") && !plainYarn.contains("attn_factor"));
    QVERIFY(std::abs(exported("hf", yarn).setting.multiplier - std::pow(1 + 0.1 * std::log(2.0), 2)) < 1e-9);
}

void TestExports::hooksAreProgrammes()
{
    const QString python = QStandardPaths::findExecutable("python3");
    const TunedAt at{n, 32};
    Setting heads = settingOf("ntk:s=2", 1.5);
    heads.policy.factors = {{1, 2, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1}};
    for (const Setting& setting : {settingOf("own", 1.5), heads}) {
        const auto exported = exportTo("pytorch", {setting, at, m_model.architecture, "my \"model\""});
        QVERIFY(exported && exported->exact);
        const QString text = QString::fromStdString(exported->text);
        QVERIFY(text.contains(setting.policy.factors.empty() ? "M = [[1.5, 1.5, 1.5, 1.5, 1.5, 1.5]] * 3"
                                                             : "M = [[1.5, 3, 1.5,"));
        QCOMPARE(text.contains("\"rope_theta\": 28284.27"), !setting.policy.factors.empty());  // 10000 * 2^(6/4)
        if (python.isEmpty())
            continue;
        QProcess process;
        process.start(python, {"-c", "import ast, sys; ast.parse(sys.stdin.read())"});
        process.write(text.toUtf8());
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 0);
    }
    const Model neox = opened(smallModel("gpt_neox"), "gpt_neox");
    QVERIFY(!exportTo("pytorch", {settingOf("own", 1.5), at, neox.architecture, "x"}));
}

/// Run with stand-ins for transformers of before and from 5 on, which know only the arguments that there are.
void TestExports::loadingIsOfBothTransformers()
{
    const QString python = QStandardPaths::findExecutable("python3");
    if (python.isEmpty())
        QSKIP("no python3 is here");
    QTemporaryDir folder;
    const auto write = [&](const char* name, const char* text) {
        QFile file(folder.filePath(name));
        return file.open(QIODevice::WriteOnly) && file.write(text) >= 0;
    };
    QVERIFY(write("torch.py", "") && write("transformers.py", R"(
import json, os
class Thing: pass
class AutoConfig:
    @staticmethod
    def from_pretrained(name, gguf_file=None):
        config = Thing()
        config.name, config.file = name, gguf_file
        if os.environ["MAJOR"] == "5":
            config.rope_parameters = {"rope_type": "dynamic", "factor": 9.0, "rope_theta": 1e4, "partial_rotary_factor": 0.5}
        else:
            config.rope_theta, config.rope_scaling = 1e4, {"rope_type": "dynamic", "factor": 9.0}
        return config
class AutoModelForCausalLM:
    @staticmethod
    def from_pretrained(name, gguf_file=None, config=None):
        print(json.dumps({"name": name, "file": gguf_file, "config": config and vars(config)}))
        model = Thing()
        model.model = Thing()
        model.model.layers = []
        return model
)"));
    const auto run = [&](const char* major, const char* model, const char* position) {
        const auto exported = exportTo("pytorch", {settingOf(position, 1.5), {n, 32}, m_model.architecture, model});
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("MAJOR", major);
        environment.insert("PYTHONPATH", folder.path());
        process.setProcessEnvironment(environment);
        process.start(python, {"-c", QString::fromStdString(exported.value().text)});
        process.waitForFinished();
        return nlohmann::json::parse(process.readAllStandardOutput().toStdString(), nullptr, false);
    };
    for (const char* major : {"4", "5"}) {
        const auto own = run(major, "a folder", "own");
        QVERIFY(own.is_object() && own["name"] == "a folder" && own["file"].is_null() && own["config"].is_null());
        const auto gguf = run(major, "some/where/x.gguf", "own");
        QVERIFY(gguf.is_object() && gguf["name"] == "some/where" && gguf["file"] == "x.gguf");
        for (const char* position : {"rope:base=40000", "pi:s=2", "yarn_rope:s=2,by_index=1"}) {
            const auto loaded = run(major, "x.gguf", position);
            QVERIFY2(loaded.is_object(), position);
            QVERIFY(loaded["name"] == "." && loaded["file"] == "x.gguf");
            const auto& config = loaded["config"];
            QVERIFY(config["name"] == "." && config["file"] == "x.gguf");
            const bool based = QString(position).startsWith("rope");
            const auto& stretch = major[0] == '5' ? config["rope_parameters"] : config["rope_scaling"];
            const double base = (major[0] == '5' ? stretch : config)["rope_theta"].get<double>();
            QCOMPARE(base, based ? 40000.0 : 10000.0);
            if (major[0] == '5')
                QCOMPARE(stretch["partial_rotary_factor"].get<double>(), 0.5);
            if (based)
                QVERIFY(stretch.is_null() || stretch["rope_type"] == "default");
            else
                QVERIFY(stretch["factor"] == 2.0 && stretch["rope_type"] == (position[0] == 'p' ? "linear" : "yarn"));
        }
    }
}

void TestExports::everyFamilyIsHookedWhereItsQueriesAre_data()
{
    QTest::addColumn<QString>("where");  // layers, module, shape of its output; empty: refused
    const QString flat = "heads * D and more", tokens = "(batch, tokens, heads, D)",
                  heads = "(batch, heads, tokens, D)", plain = "in zip(model.model.layers, M)",
                  texts = "in zip(getattr(model.model, \"language_model\", model.model).layers, M)";
    QMap<std::string, QStringList> known;
    for (const char* type :
         {"llama",      "ministral", "mixtral", "qwen2",    "qwen2_moe",  "gemma",      "gemma2",
          "vaultgemma", "phi",       "olmo",    "smollm3",  "granite",    "granitemoe", "granitemoeshared",
          "gpt_oss",    "cohere",    "cohere2", "glm",      "glm4",       "cwm",        "seed_oss",
          "helium",     "ernie4_5",  "arcee",   "stablelm", "starcoder2", "nemotron"})
        known[type] = {plain, "block.self_attn.q_proj.register", flat};
    for (const char* type : {"mistral", "ministral3"})
        known[type] = {texts, "block.self_attn.q_proj.register", flat};
    for (const char* type : {"olmo2", "olmo3", "olmoe", "minimax_m2"})  // normed over the whole width
        known[type] = {plain, "block.self_attn.q_norm.register", flat};
    for (const char* type : {"qwen3", "qwen3_moe", "glm4_moe", "dots1"})  // normed, then transposed
        known[type] = {plain, "block.self_attn.q_norm.register", tokens};
    for (const char* type : {"exaone4", "nanochat"})  // transposed, then normed
        known[type] = {plain, "block.self_attn.q_norm.register", heads};
    known["gemma3_text"] = {texts, "block.self_attn.q_norm.register", heads};
    known["phi3"] = {plain, "block.self_attn.qkv_proj.register", flat};
    known["gpt2"] = known["gpt_bigcode"] = {"in zip(model.transformer.h, M)", "block.attn.c_attn.register", flat};
    known["gptj"] = {"in zip(model.transformer.h, M)", "block.attn.q_proj.register", flat};
    known["gpt_neo"] = {"in zip(model.transformer.h, M)", "block.attn.attention.q_proj.register", flat};
    known["mpt"] = {"in zip(model.transformer.blocks, M)", "block.attn.Wqkv.register", flat};
    known["opt"] = {"in zip(model.model.decoder.layers, M)", "block.self_attn.q_proj.register", flat};
    for (const Family& family : families())
        QTest::addRow("%s", std::string(family.id).c_str()) << known.value(std::string(family.id)).join('|');
}

/// Read from transformers' own files, models/*/modeling_*.py.
void TestExports::everyFamilyIsHookedWhereItsQueriesAre()
{
    QFETCH(QString, where);
    const std::string type = QTest::currentDataTag();
    QTemporaryDir folder;
    nlohmann::json changes = nlohmann::json::object();
    if (type == "llama4_text")
        changes["use_qk_norm"] = true;
    const auto small = writeFamily(type, folder.filePath("model").toStdString(), changes);
    QVERIFY2(small, small ? "" : small.error().c_str());
    const auto model = openModel(folder.filePath("model").toStdString());
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    const Architecture& a = model->architecture;
    const TunedAt at{n, static_cast<double>(a.trainLength)};
    const auto exported = exportTo("pytorch", {settingOf("own", 1.5), at, a, "x"});
    const bool clamped = std::ranges::any_of(a.specs, [](const LayerSpec& spec) { return spec.clamp > 0; });
    const bool otherwise = clamped || (type == "gpt_bigcode" && a.keyHeads != 1);
    if (where.isEmpty() || otherwise) {
        QVERIFY(!exported);
        QCOMPARE(exported.error().kind, ErrorKind::Unavailable);
        QVERIFY2(exported.error().message.find("factors can say it") != std::string::npos,
                 exported.error().message.c_str());
        return;
    }
    QVERIFY2(exported, exported ? "" : exported.error().message.c_str());
    for (const QString& part : where.split('|'))
        QVERIFY2(QString::fromStdString(exported->text).contains(part), exported->text.c_str());
}

/// What a config turns on: norms of heads in families that have them seldom.
void TestExports::normsThatComeLaterAreRefused()
{
    Architecture a = m_model.architecture;
    const auto text = [&](const char* type, HeadNorm norm, double clamp) {
        a.type = type;
        for (LayerSpec& spec : a.specs)
            spec.headNorm = norm, spec.clamp = clamp;
        const auto exported = exportTo("pytorch", {settingOf("own", 1.5), {n, 32}, a, "x"});
        return QString::fromStdString(exported ? exported->text : exported.error().message);
    };
    QVERIFY(text("stablelm", HeadNorm::OwnWeights, 0).contains("block.self_attn.q_layernorm.register"));
    QVERIFY(text("stablelm", HeadNorm::OwnWeights, 0).contains("(batch, heads, tokens, D)"));
    QVERIFY(text("cohere", HeadNorm::OwnWeights, 0).contains("block.self_attn.q_norm.register"));
    QVERIFY(text("cohere", HeadNorm::OwnWeights, 0).contains("(batch, tokens, heads, D)"));
    QVERIFY(text("llama4_text", HeadNorm::None, 0).contains("block.self_attn.q_proj.register"));
    QVERIFY(text("llama4_text", HeadNorm::Unit, 0).contains("norms or bounds its queries"));
    QVERIFY(text("llama", HeadNorm::EachHead, 0).contains("norms or bounds its queries"));
    for (const char* type : {"olmo", "mpt"}) {
        QVERIFY(text(type, HeadNorm::None, 0).contains("register_forward_hook"));
        QVERIFY(text(type, HeadNorm::None, 8).contains("norms or bounds its queries"));
    }
}

/// The setting that is measured in its place multiplies by what stands in M, once, and has the positions of the text.
void TestExports::whatAHookCannotSayIsMeasuredAsItRuns()
{
    const TunedAt at{n, 32};
    Setting perHead = settingOf("own", 1);
    perHead.policy.factors = {{1, 2, 1, 1, 1, 1}, {1, 1, 3, 1, 1, 1}, {1, 1, 1, 1, 1, 0.5}};
    Setting byRow = perHead, alike = settingOf("own", 1), far = perHead;
    for (Setting* const setting : {&byRow, &alike})
        setting->policy.method = {"row_log", {}, {}};
    far.policy.position = settingOf("rerope:w=16", 1).policy.position;
    for (const Setting& setting : {byRow, alike, far}) {
        const auto exported = exportTo("pytorch", {setting, at, m_model.architecture, "x"});
        QVERIFY2(exported, exported ? "" : exported.error().message.c_str());
        QVERIFY(!exported->exact);
        QVERIFY(!exported->setting.policy.position.has_value());
        const auto said = *factorTable(setting, at, m_model.architecture),
                   run = *factorTable(exported->setting, at, m_model.architecture);
        for (std::size_t layer = 0; layer < said.size(); ++layer)
            for (std::size_t head = 0; head < said[layer].size(); ++head)
                QVERIFY(std::abs(said[layer][head] - run[layer][head]) < 1e-12);
        QCOMPARE(exported->setting.policy.factors.empty(), setting.policy.factors.empty());
    }
}

void TestExports::commandsRunTheSettingInAnyShell_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"model", "my model", "it's", "a\"b", "$HOME", "a;b", "*.gguf", "a\\b", "~x", "ü"})
        QTest::addRow("%s", name) << name;
}

/// A shell gives the program back the very words.
void TestExports::commandsRunTheSettingInAnyShell()
{
    QFETCH(QString, name);
    const QString shell = QStandardPaths::findExecutable("sh");
    Setting setting = settingOf("own", 1);
    setting.policy.method = {"custom", {}, "log(n)/log(N)"};
    setting.policy.position = {"long_rope", {{"m", 1.1}, {"interleaved", 0}}, "1,2,4"};
    setting.policy.trainLength = 77;
    const auto exported = exportTo("factors", {setting, {n, 77}, m_model.architecture, name.toStdString()});
    QVERIFY2(exported, exported ? "" : exported.error().message.c_str());
    if (shell.isEmpty())
        return;
    const QString command = QString::fromStdString(exported->text).trimmed();
    QVERIFY2(command.startsWith("attnscope "), qPrintable(command));
    QProcess process;
    process.start(shell, {"-c", "printf '%s\\n' " + command.mid(10)});
    QVERIFY(process.waitForFinished());
    const QStringList words = QString::fromUtf8(process.readAllStandardOutput()).split('\n', Qt::SkipEmptyParts);
    QCOMPARE(words, QStringList({"model", name, "--n", QString::number(n), "--n-train", "77", "--method",
                                 QString::fromStdString(formatChoice(setting.policy.method)), "--positions",
                                 QString::fromStdString(formatChoice(*setting.policy.position)), "--head-factors",
                                 "FACTORS.npy"}));
    const auto own = exportTo("factors", {settingOf("own", 1.2), {n, 32}, m_model.architecture, "x"});
    QVERIFY(own->text.find("--n-train") == std::string::npos);
}

QTEST_GUILESS_MAIN(TestExports)
#include "test_exports.moc"
