// Weights as they lie in files: which numbers are run, and that nothing is made of numbers that are damaged, tied, or
// gone.

#include "core/model/evaluation.h"
#include "core/model/generation.h"
#include "core/model/model.h"
#include "core/model/products.h"
#include "core/tensor/tensor_writer.h"
#include "tests/model/every_family.h"
#include "tests/support/file_builder.h"

#include <QFile>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <random>

#include <unistd.h>

using namespace attnscope;

namespace {

const std::vector<int> ids{1, 7, 19, 33, 4, 58, 40, 2, 11, 26, 9, 60};
constexpr float notANumber = std::numeric_limits<float>::quiet_NaN(), infinite = std::numeric_limits<float>::infinity();

Result<MeanPrediction> measured(const Model& model)
{
    const Window window{{ids.begin(), ids.end() - 1}, {ids.begin() + 1, ids.end()}};
    return runWindow(model, window, {}).map([](const WindowResult& result) { return meanOf(result.predictions); });
}

}  // namespace

class TestWeights : public QObject {
    Q_OBJECT

private slots:
    void whatIsNotReadIsRefused_data();
    void whatIsNotReadIsRefused();
    void configsOfEightBitsAreRun();
    void eightBitsAreRunWithTheirFactors_data();
    void eightBitsAreRunWithTheirFactors();
    void mxfp4IsRunAsPublished();
    void integersAreOffByTheirRounding_data();
    void integersAreOffByTheirRounding();
    void tiesCountAsChanceGives();
    void nothingIsMadeOfDamagedNumbers_data();
    void nothingIsMadeOfDamagedNumbers();
    void filesThatChangeAreSaid_data();
    void filesThatChangeAreSaid();

private:
    std::string folder() const { return m_folder.path().toStdString(); }
    std::string path() const { return folder() + "/model.safetensors"; }
    /// A model's folder whose tensors have other dtypes: what a header says, and bytes of that many a number.
    void writeAs(const SmallModel& small, const std::map<std::string, std::pair<std::string, int>>& dtypes)
    {
        std::string header = "{", data;
        for (const auto& [name, tensor] : small.tensors) {
            std::string shape = "[";
            for (const std::int64_t extent : tensor.shape)
                shape += (shape.size() > 1 ? "," : "") + std::to_string(extent);
            const auto found = dtypes.find(name);
            std::string bytes = build::floats(tensor.values);
            if (found != dtypes.end())
                bytes = std::string(tensor.values.size() * static_cast<std::size_t>(found->second.second), '\x3c');
            header += (header.size() > 1 ? "," : "") +
                      build::field(name, found == dtypes.end() ? "F32" : found->second.first, shape + "]",
                                   "[" + std::to_string(data.size()) + "," +
                                       std::to_string(data.size() + bytes.size()) + "]");
            data += bytes;
        }
        std::ofstream(folder() + "/config.json") << small.config.dump();
        std::ofstream(path(), std::ios::binary) << build::safetensors(header + "}", data);
    }
    QTemporaryDir m_folder;
};

/// Every dtype of the format that holds no float of up to 32 bits, and texts that are none; in a matrix and in a
/// vector, in the middle of the file and at its end.
void TestWeights::whatIsNotReadIsRefused_data()
{
    QTest::addColumn<QString>("dtype");
    QTest::addColumn<int>("bytes");
    for (const auto& [dtype, bytes] : std::initializer_list<std::pair<const char*, int>>{
             {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"I16", 2},       {"U16", 2},     {"I32", 4},    {"U32", 4},
             {"I64", 8},  {"U64", 8}, {"F64", 8}, {"F8_E8M0", 1},   {"F6_E2M3", 1}, {"F4", 1},     {"U4", 1},
             {"C64", 8},  {"", 4},    {"f32", 4}, {"F8_E4M3FN", 1}, {"Q8_0", 1},    {"unknown", 4}})
        QTest::addRow("'%s'", dtype) << dtype << bytes;
}

void TestWeights::whatIsNotReadIsRefused()
{
    QFETCH(QString, dtype);
    QFETCH(int, bytes);
    const SmallModel small = smallModel("llama");
    const std::string last = small.tensors.rbegin()->first;
    for (const std::string& name : {std::string("model.layers.1.self_attn.k_proj.weight"),
                                    std::string("model.layers.0.input_layernorm.weight"), last}) {
        writeAs(small, {{name, {dtype.toStdString(), bytes}}});
        const auto model = openModel(folder());
        QVERIFY2(!model, name.c_str());
        const std::string& message = model.error().message;
        QCOMPARE(model.error().kind, ErrorKind::UnsupportedDtype);
        QVERIFY2(message.starts_with(path()) && message.find("'" + name + "'") != std::string::npos &&
                     message.find(dtype.toStdString()) != std::string::npos,
                 message.c_str());
    }
    // a tensor that nobody takes does no harm
    SmallModel more = small;
    more.tensors["zz.more"] = {{3}, {1, 2, 3}};
    writeAs(more, {{"zz.more", {dtype.toStdString(), bytes}}});
    const auto model = openModel(folder());
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    QVERIFY(std::isfinite(measured(*model)->loss));
}

/// As DeepSeek V3 and compressed-tensors write them: the config says that they are of eight bits, and every factor is
/// taken.
void TestWeights::configsOfEightBitsAreRun()
{
    for (const nlohmann::json& said :
         {nlohmann::json{{"quant_method", "fp8"}, {"fmt", "e4m3"}, {"weight_block_size", {128, 128}}},
          nlohmann::json{{"quant_method", "compressed-tensors"}, {"format", "float-quantized"}}}) {
        SmallModel small = smallModel("llama");
        small.config["quantization_config"] = said;
        const std::string name = "model.layers.1.self_attn.k_proj.weight";
        small.tensors[name + "_scale"] = {{1}, {0.25f}};
        writeAs(small, {{name, {"F8_E4M3", 1}}});
        const auto model = openModel(folder());
        QVERIFY2(model, model ? "" : model.error().message.c_str());
        QVERIFY(model->unreadTensors.empty());
        const auto eight = measured(*model);
        // every number of it is 1.5, E4M3 of 0x3c, times 1/4
        small.config.erase("quantization_config");
        small.tensors.erase(name + "_scale");
        std::ranges::fill(small.tensors[name].values, 0.375f);
        QCOMPARE(writeModel(small, folder()), std::string());
        QCOMPARE(eight->loss, measured(*openModel(folder()))->loss);
    }
}

void TestWeights::eightBitsAreRunWithTheirFactors_data()
{
    QTest::addColumn<QString>("factors");
    for (const char* factors : {"none", "one", "one, no axes", "a row", "a row, two axes", "squares"})
        QTest::addRow("%s", factors) << factors;
}

/// A projection of (192, 160) numbers in eight bits, with factors, runs as the same numbers in F32.
void TestWeights::eightBitsAreRunWithTheirFactors()
{
    QFETCH(QString, factors);
    constexpr std::int64_t rows = 192, columns = 160;
    std::vector<std::byte> eight(rows * columns);
    for (std::size_t i = 0; i < eight.size(); ++i)
        eight[i] = static_cast<std::byte>(i * 37 % 120 + (i % 3 == 0 ? 128 : 0));
    std::vector<std::int64_t> shape;
    std::function<std::int64_t(std::int64_t, std::int64_t)> index = [](auto, auto) { return 0; };
    std::string ending = "_scale";
    if (factors == "one")
        shape = {1};
    if (factors.startsWith("a row")) {
        shape = {rows};
        index = [](auto row, auto) { return row; };
    }
    if (factors == "a row, two axes")
        shape = {rows, 1};
    if (factors == "squares") {
        shape = {2, 2};
        index = [](auto row, auto column) { return row / 128 * 2 + column / 128; };
        ending = "_scale_inv";
    }
    std::vector<float> scale;
    for (int i = 0; i < rows; ++i)
        scale.push_back(factors == "none" ? 1.0f : 0.5f + static_cast<float>(i) / 64);
    std::int64_t count = 1;
    for (const std::int64_t extent : shape)
        count *= extent;
    std::vector<TensorView> views{{"w.weight", Dtype::F8_E4M3, {rows, columns}, eight}};
    if (factors != "none")
        views.push_back({"w.weight" + ending, Dtype::F32, shape,
                         std::as_bytes(std::span(scale).first(static_cast<std::size_t>(count)))});
    QVERIFY(writeSafetensors(path(), views));
    const auto files = WeightFiles::open(folder());
    QVERIFY(files);
    const auto matrix = files->matrix("w.weight", rows, columns);
    QVERIFY2(matrix, matrix ? "" : matrix.error().message.c_str());
    std::vector<float> plain(eight.size()), room;
    widen(Dtype::F8_E4M3, eight.data(), eight.size(), plain.data());
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < columns; ++column)
            plain[static_cast<std::size_t>(row * columns + column)] *=
                scale[static_cast<std::size_t>(index(row, column))];
    const auto same = [&](const StoredMatrix& part, Index first, Index begin, Index number) {
        const float* const values = part.floats(begin, number, room);
        return std::equal(values, values + number * columns, plain.begin() + (first + begin) * columns);
    };
    QVERIFY(same(*matrix, 0, 0, rows));
    QVERIFY(same(*matrix, 0, 120, 20));
    QVERIFY(same(matrix->rowsOf(100, 60), 100, 25, 10));
    QVERIFY(same(matrix->rowsOf(100, 60).rowsOf(7, 40), 107, 20, 20));
}

/// A head that tells nothing apart: every token has 1/61 of the probability, and so many are right by chance.
/// gpt-oss's experts as they are published: two numbers a byte, the first in its lower half, an exponent for 32 of a
/// row, outputs first; against the same numbers as floats, inputs first.
void TestWeights::mxfp4IsRunAsPublished()
{
    const std::vector<float> table{0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.f, -0.5, -1, -1.5, -2, -3, -4, -6};
    auto small = writeFamily("gpt_oss", folder(), {{"hidden_size", 32}, {"intermediate_size", 64}});
    QVERIFY2(small, small ? "" : small.error().c_str());
    std::map<std::string, std::vector<std::uint8_t>> bytes;
    std::vector<TensorView> views;
    for (auto& [name, tensor] : small->tensors) {
        if (!name.ends_with("gate_up_proj") && !name.ends_with("experts.down_proj"))
            continue;
        const std::int64_t experts = tensor.shape[0], inputs = tensor.shape[1], outputs = tensor.shape[2];
        std::vector<std::uint8_t>&blocks = bytes[name + "_blocks"], &scales = bytes[name + "_scales"];
        for (std::int64_t e = 0; e < experts; ++e)
            for (std::int64_t out = 0; out < outputs; ++out)
                for (std::int64_t in = 0; in < inputs; ++in) {
                    const auto at = static_cast<std::size_t>((e * outputs + out) * inputs + in);
                    const auto code = static_cast<std::uint8_t>(8 * numberOfName(name, at) + 8);
                    if (in % 32 == 0)
                        scales.push_back(static_cast<std::uint8_t>(123 + 2 * numberOfName(name + "s", at)));
                    if (in % 2 == 0)
                        blocks.push_back(code);
                    else
                        blocks.back() |= static_cast<std::uint8_t>(code << 4);
                    tensor.values[static_cast<std::size_t>((e * inputs + in) * outputs + out)] =
                        table[code] * std::pow(2.0f, static_cast<float>(scales.back()) - 127);
                }
        views.push_back(
            {name + "_blocks", Dtype::U8, {experts, outputs, inputs / 32, 16}, std::as_bytes(std::span(blocks))});
        views.push_back(
            {name + "_scales", Dtype::U8, {experts, outputs, inputs / 32}, std::as_bytes(std::span(scales))});
    }
    QCOMPARE(views.size(), std::size_t{12});
    QCOMPARE(writeModel(*small, folder()), std::string());
    const auto floats = openModel(folder());
    QVERIFY2(floats, floats ? "" : floats.error().message.c_str());
    const double loss = measured(*floats)->loss;

    for (const auto& [name, tensor] : small->tensors)
        if (!bytes.contains(name + "_blocks"))
            views.push_back({name, Dtype::F32, tensor.shape, std::as_bytes(std::span(tensor.values))});
    const auto open = [&](const std::vector<TensorView>& of) {
        small->config["quantization_config"] = {{"quant_method", "mxfp4"}, {"modules_to_not_convert", {"lm_head"}}};
        std::ofstream(folder() + "/config.json") << small->config.dump();
        return writeSafetensors(path(), of).and_then([&] { return openModel(folder()); });
    };
    const auto model = open(views);
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    QVERIFY(model->unreadTensors.empty());
    QCOMPARE(model->parameters, floats->parameters);
    QCOMPARE(outlineOf(*model).dtypes, std::string("MXFP4 and F32"));
    QCOMPARE(outlineOf(*model).numbers, static_cast<std::uint64_t>(model->parameters));
    QVERIFY(std::abs(measured(*model)->loss - loss) < 1e-5);
    QVERIFY(std::abs(loss - std::log(61.0)) > 0.1);

    std::vector<TensorView> wrong = views;
    wrong[0].shape[3] = 8;
    wrong[0].bytes = wrong[0].bytes.first(wrong[0].bytes.size() / 2);
    const auto cut = open(wrong);
    QVERIFY(!cut && cut.error().message.find("config.json implies [4, 32, 2, 16]") != std::string::npos);
    wrong = views;
    wrong[1].name += "s";
    const auto none = open(wrong);
    QVERIFY(!none && none.error().message.find("down_proj_scales' of shape") != std::string::npos);
}

void TestWeights::integersAreOffByTheirRounding_data()
{
    QTest::addColumn<bool>("eights");
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("outputs");
    QTest::addColumn<int>("inner");
    for (const bool eights : {true, false})
        for (const auto& [rows, outputs, inner] : {std::tuple{1, 1, 32}, std::tuple{5, 15, 64}, std::tuple{6, 16, 32},
                                                   std::tuple{7, 17, 96}, std::tuple{600, 300, 64}})
            QTest::addRow("%s %d x %d x %d", eights ? "Q8_0" : "Q4_0", rows, outputs, inner)
                << eights << rows << outputs << inner;
}

/// Each number of a row is rounded by at most 1/254 of its block's largest; the sums are exact. What is not finite
/// stays so.
void TestWeights::integersAreOffByTheirRounding()
{
    QFETCH(const bool, eights);
    QFETCH(const int, rows);
    QFETCH(const int, outputs);
    QFETCH(const int, inner);
    const auto exactAgain = qScopeGuard([] { (void)useProducts(Products::Exact); });
    if (!useProducts(Products::Integers))
        QSKIP("this processor has no products of eight-bit integers");
    std::mt19937 random(7);
    std::normal_distribution<float> normal;
    std::vector<std::byte> bytes;  // blocks of a scale, 2^-7 in half precision, and 32 numbers
    std::vector<double> weights;
    for (int block = 0; block < outputs * inner / 32; ++block) {
        bytes.insert(bytes.end(), {std::byte{0}, std::byte{0x20}});
        std::vector<int> numbers;
        for (int i = 0; i < 32; ++i)
            numbers.push_back(eights ? static_cast<int>(random() % 256) - 128 : static_cast<int>(random() % 16) - 8);
        for (int i = 0; i < (eights ? 32 : 16); ++i)
            bytes.push_back(static_cast<std::byte>(eights ? numbers[i] : numbers[i] + 8 + 16 * (numbers[i + 16] + 8)));
        for (const int number : numbers)
            weights.push_back(number / 128.0);
    }
    Linear linear;
    linear.weight.data = bytes.data();
    linear.weight.dtype = eights ? Dtype::Q8_0 : Dtype::Q4_0;
    linear.weight.rows = outputs;
    linear.weight.columns = inner;
    linear.bias.assign(static_cast<std::size_t>(outputs), 0.5f);
    Matrix x(rows, inner), y = Matrix::Constant(rows, outputs, 3);
    for (Eigen::Index i = 0; i < x.size(); ++i)
        x.data()[i] = (i % 37 == 0 ? 20.0f : 1.0f) * normal(random);
    if (rows > 1)
        x.row(rows - 1).head(std::min(inner, 32)).setZero();
    QVERIFY(apply(linear, x, y, true, {}));
    for (int r = 0; r < rows; ++r)
        for (int o = 0; o < outputs; ++o) {
            double exact = 3.5, allowed = 0;
            for (int b = 0; b < inner / 32; ++b) {
                const double most = static_cast<double>(x.row(r).segment(32 * b, 32).cwiseAbs().maxCoeff());
                for (int i = 32 * b; i < 32 * b + 32; ++i) {
                    const double w = weights[static_cast<std::size_t>(o * inner + i)];
                    exact += w * static_cast<double>(x(r, i));
                    allowed += std::abs(w) * most / 254;
                }
            }
            QVERIFY(std::abs(static_cast<double>(y(r, o)) - exact) <= 1.001 * allowed + 1e-5);
        }
    for (const float strange : {notANumber, infinite, -infinite}) {
        Matrix changed = x, made = Matrix::Zero(rows, outputs);
        changed(0, inner - 1) = strange;
        QVERIFY(apply(linear, changed, made, false, {}));
        QVERIFY(!made.row(0).array().isFinite().any());
        QVERIFY(rows == 1 || made.row(1).allFinite());
    }
    QVERIFY(useProducts(Products::Exact));
    Matrix again = Matrix::Constant(rows, outputs, 3);
    QVERIFY(apply(linear, x, again, true, {}));
    QVERIFY(again != y);
}

void TestWeights::tiesCountAsChanceGives()
{
    SmallModel small = smallModel("llama");
    std::ranges::fill(small.tensors["lm_head.weight"].values, 0.0f);
    QCOMPARE(writeModel(small, folder()), std::string());
    const auto mean = measured(*openModel(folder()));
    QVERIFY(mean);
    QVERIFY(std::abs(mean->accuracy - 1 / 61.0) < 1e-12);
    QVERIFY(std::abs(mean->loss - std::log(61.0)) < 1e-5);
}

/// NaN and infinity in every tensor of every family, at its last place but one.
void TestWeights::nothingIsMadeOfDamagedNumbers_data()
{
    QTest::addColumn<QString>("type");
    QTest::addColumn<float>("value");
    for (const char* type : {"llama", "qwen2", "qwen3", "gemma2", "gpt2", "gpt_neox"})
        for (const float value : {notANumber, infinite})
            QTest::addRow("%s, %g", type, static_cast<double>(value)) << type << value;
}

void TestWeights::nothingIsMadeOfDamagedNumbers()
{
    QFETCH(QString, type);
    QFETCH(float, value);
    const SmallModel small = smallModel(type.toStdString());
    for (const auto& [name, tensor] : small.tensors) {
        SmallModel damaged = small;
        // of an embedding or a table of places, in a row that is used; elsewhere anywhere
        const bool byRow = name.find("embed") != std::string::npos || name.find("wte") != std::string::npos ||
                           name.find("wpe") != std::string::npos;
        const std::size_t at = byRow ? static_cast<std::size_t>(ids[2] * tensor.shape[1]) + 3
                                     : tensor.values.size() - std::min<std::size_t>(2, tensor.values.size());
        if (name.find("wpe") != std::string::npos)
            damaged.tensors[name].values[static_cast<std::size_t>(2 * tensor.shape[1])] = value;
        else
            damaged.tensors[name].values[at] = value;
        QCOMPARE(writeModel(damaged, folder()), std::string());
        const auto model = openModel(folder());
        const auto mean = model ? measured(*model) : tl::unexpected(model.error());
        QVERIFY2(!mean, name.c_str());
        QCOMPARE(mean.error().kind, ErrorKind::DataError);
        QVERIFY2(mean.error().message.find("'" + name + "' holds") != std::string::npos, mean.error().message.c_str());
        if (!model)
            continue;
        const auto more = continueText(*model, {}, ids, {.count = 3}, {}, {});
        QVERIFY2(!more && more.error().kind == ErrorKind::DataError, name.c_str());
    }
}

void TestWeights::filesThatChangeAreSaid_data()
{
    QTest::addColumn<QString>("how");
    for (const char* how : {"cut", "written", "cut before the head"})
        QTest::addRow("%s", how) << how;
}

/// Between the layers of a run, as it may happen while a large model runs.
void TestWeights::filesThatChangeAreSaid()
{
    QFETCH(QString, how);
    QCOMPARE(writeModel(smallModel("llama"), folder()), std::string());
    const auto model = openModel(folder());
    QVERIFY(model && measured(*model));
    QTest::qSleep(20);  // a clock of files ticks a few hundred times a second
    const auto change = [&] {
        QFile file(QString::fromStdString(path()));
        if (how != "written")
            return file.resize(10);
        return file.open(QIODevice::ReadWrite) && file.seek(file.size() / 2) && file.write("change") == 6;
    };
    bool done = false;
    WindowRequest request;
    if (how == "cut before the head")
        request.progress = [&](double part) { done = done || (part >= 1 && change()); };
    else
        request.observe = [&](const LayerHeads& layer) -> Result<void> {
            done = done || (layer.layer == 1 && change());
            return {};
        };
    const Window window{{ids.begin(), ids.end() - 1}, {ids.begin() + 1, ids.end()}};
    const auto result = runWindow(*model, window, request);
    QVERIFY(done && !result);
    QCOMPARE(result.error().kind, how == "written" ? ErrorKind::DataError : ErrorKind::Truncated);
    QVERIFY2(result.error().message.starts_with(path()), result.error().message.c_str());
    QVERIFY(!measured(*model));
}

QTEST_APPLESS_MAIN(TestWeights)
#include "test_weights.moc"
