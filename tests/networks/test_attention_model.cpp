// The Attention Model against a plain forward in double precision that follows the paper's formulas node by node, and
// against files that are none. The published models' tours are in tests/labs/test_routing.cpp.

#include "core/base/random.h"
#include "core/networks/attention_model.h"
#include "tests/support/check_solutions.h"
#include "tests/support/small_attention_model.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace attnscope;

namespace {

constexpr std::int64_t w = SmallModel::width, heads = SmallModel::heads, d = w / heads;

Result<AttentionModel> written(const Tensors& tensors, const Metadata& metadata)
{
    QTemporaryDir folder;
    return writeTensors(folder.filePath("model.safetensors").toStdString(), tensors, metadata)
        .and_then(openAttentionModel);
}

/// The paper's formulas, a vector at a time.
class Plain {
public:
    using Vector = std::vector<double>;
    Plain(const Tensors& tensors, const RoutingInstance& instance) : m_tensors(tensors), m_instance(instance) {}

    Tour tour(double encoderScale, double decoderScale)
    {
        encode(encoderScale);
        const std::size_t n = m_h.size();
        const bool depot = m_instance.hasDepot();
        Vector mean(w, 0.0);
        for (const Vector& h : m_h)
            for (std::size_t c = 0; c < w; ++c)
                mean[c] += h[c] / static_cast<double>(n);
        const Vector fixed = product("project_fixed_context.weight", mean);
        std::vector<Vector> keys, values, pointers;
        for (const Vector& h : m_h) {
            const Vector all = product("project_node_embeddings.weight", h);
            keys.emplace_back(all.begin(), all.begin() + w);
            values.emplace_back(all.begin() + w, all.begin() + 2 * w);
            pointers.emplace_back(all.begin() + 2 * w, all.end());
        }
        Tour made;
        std::vector<bool> done(n, false);
        double room = 1;
        while (static_cast<std::size_t>(std::count(done.begin(), done.end(), true)) < n - (depot ? 1 : 0)) {
            Vector context;
            if (depot) {
                context = m_h[made.empty() ? 0 : static_cast<std::size_t>(made.back())];
                context.push_back(room);
            } else if (made.empty()) {
                context = vector("W_placeholder");
            } else {
                context = m_h[static_cast<std::size_t>(made.front())];
                const Vector& last = m_h[static_cast<std::size_t>(made.back())];
                context.insert(context.end(), last.begin(), last.end());
            }
            Vector query = product("project_step_context.weight", context);
            for (std::size_t c = 0; c < w; ++c)
                query[c] += fixed[c];
            std::vector<bool> allowed(n);
            for (std::size_t j = 0; j < n; ++j)
                allowed[j] = depot && j == 0
                                 ? !made.empty() && made.back() != 0
                                 : !done[j] && (!depot || static_cast<double>(m_instance.demands[j]) <= room + 1e-6);
            Vector glimpse(w, 0.0);
            Vector& looks = weights.emplace_back(n, 0.0);
            for (std::size_t head = 0; head < heads; ++head) {
                const Vector p = softmax(query, keys, head, decoderScale, allowed);
                decoderEntropy[head] += entropyOf(p);
                for (std::size_t j = 0; j < n; ++j)
                    looks[j] += p[j] / heads;
                for (std::size_t j = 0; j < n; ++j)
                    for (std::size_t c = head * d; c < (head + 1) * d; ++c)
                        glimpse[c] += p[j] * values[j][c];
            }
            ++steps;
            glimpse = product("project_out.weight", glimpse);
            int best = -1;
            double largest = 0;
            for (std::size_t j = 0; j < n; ++j) {
                const double u =
                    10 * std::tanh(std::inner_product(glimpse.begin(), glimpse.end(), pointers[j].begin(), 0.0) /
                                   std::sqrt(static_cast<double>(w)));
                if (made.empty())
                    firstStep.push_back(allowed[j] ? std::exp(u) : 0);
                if (allowed[j] && (best < 0 || u > largest)) {
                    best = static_cast<int>(j);
                    largest = u;
                }
            }
            made.push_back(best);
            const bool home = depot && best == 0;
            done[static_cast<std::size_t>(best)] = !home;
            room = home    ? 1
                   : depot ? room - static_cast<double>(m_instance.demands[static_cast<std::size_t>(best)])
                           : room;
        }
        return made;
    }

    std::vector<Vector> encoderEntropy;  // layer, head
    Vector decoderEntropy = Vector(heads, 0.0);
    std::vector<Vector> weights;  // choice, node: of the glimpse, mean over heads
    Vector firstStep;             // e^u of the first step's nodes
    double steps = 0;

private:
    Vector vector(const std::string& name) const
    {
        const std::vector<float>& values = m_tensors.at(name).values;
        return {values.begin(), values.end()};
    }
    Vector product(const std::string& name, const Vector& x) const
    {
        const Named& weight = m_tensors.at(name);
        Vector y(static_cast<std::size_t>(weight.shape[0]), 0.0);
        for (std::size_t i = 0; i < y.size(); ++i)
            for (std::size_t j = 0; j < x.size(); ++j)
                y[i] += static_cast<double>(weight.values[i * x.size() + j]) * x[j];
        return y;
    }
    Vector affine(const std::string& name, const Vector& x) const
    {
        Vector y = product(name + ".weight", x);
        const Vector bias = vector(name + ".bias");
        for (std::size_t i = 0; i < y.size(); ++i)
            y[i] += bias[i];
        return y;
    }
    /// x W[head] of a (heads, w, d) tensor, the heads one after another.
    Vector perHead(const std::string& name, const Vector& x) const
    {
        const std::vector<float>& values = m_tensors.at(name).values;
        Vector y(w, 0.0);
        for (std::size_t head = 0; head < heads; ++head)
            for (std::size_t i = 0; i < w; ++i)
                for (std::size_t c = 0; c < d; ++c)
                    y[head * d + c] += x[i] * static_cast<double>(values[(head * w + i) * d + c]);
        return y;
    }
    static double entropyOf(const Vector& p)
    {
        double sum = 0;
        for (const double x : p)
            sum -= x > 0 ? x * std::log(x) : 0;
        return sum;
    }
    static Vector softmax(const Vector& query, const std::vector<Vector>& keys, std::size_t head, double scale,
                          const std::vector<bool>& allowed)
    {
        Vector p(keys.size(), 0.0);
        double sum = 0;
        for (std::size_t j = 0; j < keys.size(); ++j) {
            double z = 0;
            for (std::size_t c = head * d; c < (head + 1) * d; ++c)
                z += query[c] * keys[j][c];
            p[j] = allowed[j] ? std::exp(scale * z / std::sqrt(static_cast<double>(d))) : 0;
            sum += p[j];
        }
        for (double& each : p)
            each /= sum;
        return p;
    }
    void addAndNormalise(std::vector<Vector>& h, const std::vector<Vector>& added, const std::string& norm) const
    {
        const Vector gain = vector(norm + ".weight"), bias = vector(norm + ".bias");
        for (std::size_t i = 0; i < h.size(); ++i) {
            for (std::size_t c = 0; c < w; ++c)
                h[i][c] += added[i][c];
            Vector mean(w), variance(w);
            if (m_tensors.contains(norm + ".running_mean")) {
                mean = vector(norm + ".running_mean");
                variance = vector(norm + ".running_var");
            } else {
                const double m = std::accumulate(h[i].begin(), h[i].end(), 0.0) / w;
                double squares = 0;
                for (const double x : h[i])
                    squares += (x - m) * (x - m);
                mean.assign(w, m);
                variance.assign(w, squares / w);
            }
            for (std::size_t c = 0; c < w; ++c)
                h[i][c] = (h[i][c] - mean[c]) / std::sqrt(variance[c] + 1e-5) * gain[c] + bias[c];
        }
    }
    void encode(double scale)
    {
        const std::size_t n = static_cast<std::size_t>(m_instance.nodes());
        for (std::size_t i = 0; i < n; ++i) {
            const auto row = static_cast<Eigen::Index>(i);
            Vector x{static_cast<double>(m_instance.places(row, 0)), static_cast<double>(m_instance.places(row, 1))};
            const bool depot = m_instance.hasDepot() && i == 0;
            if (m_instance.hasDepot() && !depot)
                x.push_back(static_cast<double>(m_instance.demands[i]));
            m_h.push_back(affine(depot ? "init_embed_depot" : "init_embed", x));
        }
        for (const std::string layer : {"embedder.layers.0", "embedder.layers.1"}) {
            std::vector<Vector> q, k, v, added;
            for (const Vector& h : m_h) {
                q.push_back(perHead(layer + ".0.module.W_query", h));
                k.push_back(perHead(layer + ".0.module.W_key", h));
                v.push_back(perHead(layer + ".0.module.W_val", h));
            }
            encoderEntropy.emplace_back(heads, 0.0);
            const std::vector<float>& out = m_tensors.at(layer + ".0.module.W_out").values;  // (heads, d, w)
            for (std::size_t i = 0; i < n; ++i) {
                Vector mixed(w, 0.0), sum(w, 0.0);
                for (std::size_t head = 0; head < heads; ++head) {
                    const Vector p = softmax(q[i], k, head, scale, std::vector<bool>(n, true));
                    encoderEntropy.back()[head] += entropyOf(p) / static_cast<double>(n);
                    for (std::size_t j = 0; j < n; ++j)
                        for (std::size_t c = head * d; c < (head + 1) * d; ++c)
                            mixed[c] += p[j] * v[j][c];
                }
                for (std::size_t c = 0; c < w; ++c)
                    for (std::size_t o = 0; o < w; ++o)
                        sum[o] += mixed[c] * static_cast<double>(out[c * w + o]);
                added.push_back(sum);
            }
            addAndNormalise(m_h, added, layer + ".1.normalizer");
            added.clear();
            for (const Vector& h : m_h) {
                Vector inside = affine(layer + ".2.module.0", h);
                for (double& x : inside)
                    x = std::max(x, 0.0);
                added.push_back(affine(layer + ".2.module.2", inside));
            }
            addAndNormalise(m_h, added, layer + ".3.normalizer");
        }
    }

    const Tensors& m_tensors;
    const RoutingInstance& m_instance;
    std::vector<Vector> m_h;
};

RoutingInstance instanceOf(bool depot, std::int64_t size, std::uint64_t number)
{
    const Random random(11, Stream::Structure);
    RoutingInstance instance;
    instance.places.resize(size + (depot ? 1 : 0), 2);
    for (Eigen::Index i = 0; i < instance.nodes(); ++i) {
        const auto draw = [&](std::uint64_t column) {
            return static_cast<float>(random.uniform(number, static_cast<std::uint64_t>(4 * i) + column));
        };
        instance.places.row(i) << draw(0), draw(1);
        if (depot)
            instance.demands.push_back(i == 0 ? 0 : 0.1f + 0.4f * draw(2));
    }
    return instance;
}

RoutingInstance square()
{
    RoutingInstance instance;
    instance.places.resize(4, 2);
    instance.places << 0, 0, 1, 0, 1, 1, 0, 1;
    return instance;
}

}  // namespace

class TestAttentionModel : public QObject {
    Q_OBJECT
private slots:
    void lengthsAndTours();
    void agreesWithThePlainForward_data();
    void agreesWithThePlainForward();
    void aScaleMayHoldInOneLayer();
    void headsAreBroughtBackToTheirEntropies();
    void samplesAreDrawnFromTheSoftmax();
    void everyStartIsForced();
    void runsThatCannotBe();
    void hostileFiles_data();
    void hostileFiles();
};

void TestAttentionModel::lengthsAndTours()
{
    RoutingInstance instance = square();
    QCOMPARE(lengthOf(instance, {0, 1, 2, 3}), 4.0);
    QCOMPARE(lengthOf(instance, {0, 2, 1, 3}), 2 + 2 * std::sqrt(2.0));
    QVERIFY(checkTour(instance, {2, 0, 3, 1}));
    QVERIFY(!checkTour(instance, {2, 0, 3}) && !checkTour(instance, {2, 0, 3, 3}) &&
            !checkTour(instance, {0, 1, 2, 4}));
    instance.demands = {0, 0.5f, 0.5f, 0.25f};
    QCOMPARE(lengthOf(instance, {1, 0, 2, 3}), 2 + std::sqrt(2.0) + 2);
    QVERIFY(checkTour(instance, {1, 2, 0, 3}) && checkTour(instance, {3, 1, 0, 2}));
    QVERIFY(checkTour(instance, {1, 2, 3}).error().message.find("route 1") != std::string::npos);
}

void TestAttentionModel::agreesWithThePlainForward_data()
{
    QTest::addColumn<bool>("depot");
    QTest::addColumn<bool>("layerNorm");
    QTest::addColumn<double>("encoder");
    QTest::addColumn<double>("decoder");
    for (const bool depot : {false, true})
        for (const bool layerNorm : {false, true})
            for (const auto& [encoder, decoder] : {std::pair{1.0, 1.0}, {1.7, 1.0}, {1.0, 1.7}, {1.7, 1.7}})
                QTest::addRow("%s %s %g %g", depot ? "cvrp" : "tsp", layerNorm ? "layer" : "batch", encoder, decoder)
                    << depot << layerNorm << encoder << decoder;
}

void TestAttentionModel::agreesWithThePlainForward()
{
    QFETCH(bool, depot);
    QFETCH(bool, layerNorm);
    QFETCH(double, encoder);
    QFETCH(double, decoder);
    const Tensors tensors = smallModel(depot, layerNorm, 3);
    const auto model =
        written(tensors, layerNorm ? Metadata{{"normalization", "layer"}, {"length", "20"}} : Metadata{});
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    QCOMPARE(model->trainLength, layerNorm ? std::optional<std::int64_t>(20) : std::nullopt);
    std::vector<RoutingInstance> instances;
    for (std::uint64_t i = 0; i < 5; ++i)
        instances.push_back(instanceOf(depot, 13, i));
    const ScalePolicy policy{
        .method = {"custom", {}, "1.7"}, .encoder = encoder != 1, .decoder = decoder != 1, .trainLength = 20};
    const auto run = runRouting(*model, instances, {.policy = policy, .entropies = true, .glimpses = true});
    QVERIFY2(run, run ? "" : run.error().message.c_str());
    std::vector<std::vector<double>> inEncoder(2, std::vector<double>(heads, 0.0));
    std::vector<double> inDecoder(heads, 0.0);
    for (std::size_t i = 0; i < instances.size(); ++i) {
        Plain plain(tensors, instances[i]);
        QCOMPARE(run->solutions[i].size(), std::size_t{1});
        QCOMPARE(run->solutions[i].front(), plain.tour(encoder, decoder));
        QVERIFY(checkTour(instances[i], run->solutions[i].front()));
        QCOMPARE(static_cast<std::size_t>(run->glimpses[i].rows()), plain.weights.size());
        for (std::size_t choice = 0; choice < plain.weights.size(); ++choice)
            for (std::size_t node = 0; node < plain.weights[choice].size(); ++node)
                QVERIFY(std::abs(static_cast<double>(run->glimpses[i](static_cast<Eigen::Index>(choice),
                                                                      static_cast<Eigen::Index>(node))) -
                                 plain.weights[choice][node]) < 1e-5);
        for (std::size_t head = 0; head < heads; ++head) {
            inDecoder[head] += plain.decoderEntropy[head] / plain.steps / 5;
            for (std::size_t layer = 0; layer < 2; ++layer)
                inEncoder[layer][head] += plain.encoderEntropy[layer][head] / 5;
        }
    }
    for (std::size_t head = 0; head < heads; ++head) {
        QVERIFY(std::abs(run->decoderEntropies[head] - inDecoder[head]) < 1e-5);
        for (std::size_t layer = 0; layer < 2; ++layer)
            QVERIFY(std::abs(run->encoder.entropies[layer][head] - inEncoder[layer][head]) < 1e-5);
    }
}

void TestAttentionModel::aScaleMayHoldInOneLayer()
{
    const auto model = written(smallModel(false, true, 3), {{"normalization", "layer"}, {"length", "20"}});
    const std::vector<RoutingInstance> instances{instanceOf(false, 13, 0), instanceOf(false, 13, 1)};
    const auto run = [&](bool encoder, std::optional<Index> layer) {
        return runRouting(
            *model, instances,
            {.policy = {.method = {"custom", {}, "1.7"}, .encoder = encoder, .layer = layer}, .entropies = true});
    };
    const auto none = run(false, {}), first = run(true, 0), second = run(true, 1), both = run(true, {});
    QVERIFY(none && first && second && both);
    QVERIFY(second->encoder.entropies[0] == none->encoder.entropies[0] &&
            first->encoder.entropies[0] == both->encoder.entropies[0]);
    QVERIFY(first->encoder.entropies[1] != none->encoder.entropies[1] &&
            second->encoder.entropies[1] != none->encoder.entropies[1]);
    for (std::size_t head = 0; head < heads; ++head)
        for (const auto& [layer, m] : {std::pair{std::size_t{0}, 1.0}, {std::size_t{1}, 1.7}})
            QVERIFY(std::abs(second->encoder.multipliers[layer][head] - m) < 1e-6);
}

/// What entropy_measured asks for: at 13 cities every head has the mean entropy that it had at 9, on these very
/// instances.
void TestAttentionModel::headsAreBroughtBackToTheirEntropies()
{
    const auto model = written(smallModel(false, true, 3), {{"normalization", "layer"}, {"length", "9"}});
    const std::vector<RoutingInstance> shorter{instanceOf(false, 9, 0), instanceOf(false, 9, 1)},
        longer{instanceOf(false, 13, 2), instanceOf(false, 13, 3), instanceOf(false, 13, 4)};
    const auto before = runRouting(*model, shorter, {.policy = {}, .entropies = true});
    QVERIFY(before);
    const ScalePolicy measured{
        .method = {"entropy_measured", {}, {}}, .trainLength = 9, .entropies = before->encoder.entropies};
    const auto plain = runRouting(*model, longer, {.policy = {}, .entropies = true}),
               held = runRouting(*model, longer, {.policy = measured, .entropies = true});
    QVERIFY2(plain && held, held ? "" : held.error().message.c_str());
    for (std::size_t layer = 0; layer < 2; ++layer)
        for (std::size_t head = 0; head < heads; ++head) {
            const double target = before->encoder.entropies[layer][head];
            QVERIFY(plain->encoder.entropies[layer][head] > target + 0.1);
            QVERIFY2(std::abs(held->encoder.entropies[layer][head] - target) < 1e-3,
                     qPrintable(QString::number(held->encoder.entropies[layer][head] - target)));
            QVERIFY(held->encoder.multipliers[layer][head] > 1);
        }
    const ScalePolicy blind{.method = {"entropy_measured", {}, {}}, .trainLength = 9};
    QVERIFY(!runRouting(*model, longer, {.policy = blind}));  // nothing says what to hold
}

/// Draws are valid tours, the same again for the same seed, and begin with every node as often as its probability says.
void TestAttentionModel::samplesAreDrawnFromTheSoftmax()
{
    constexpr int samples = 2000;
    const Tensors tensors = smallModel(true, false, 3);
    const auto model = written(tensors, {});
    const std::vector<RoutingInstance> instances{instanceOf(true, 9, 0), instanceOf(true, 9, 1)};
    const SolveRequest request{.policy = {}, .samples = samples, .seed = 5};
    const auto run = runRouting(*model, instances, request), again = runRouting(*model, instances, request);
    QVERIFY(run && again);
    QVERIFY(run->solutions == again->solutions && run->solutions[0] != run->solutions[1]);
    for (std::size_t i = 0; i < instances.size(); ++i) {
        std::vector<int> first(10, 0);
        for (const Tour& tour : run->solutions[i]) {
            QVERIFY(checkTour(instances[i], tour));
            ++first[static_cast<std::size_t>(tour.front())];
        }
        Plain plain(tensors, instances[i]);
        plain.tour(1, 1);
        const double sum = std::accumulate(plain.firstStep.begin(), plain.firstStep.end(), 0.0);
        for (std::size_t node = 0; node < first.size(); ++node) {
            const double p = plain.firstStep[node] / sum;
            QVERIFY(std::abs(first[node] - samples * p) <= 4 * std::sqrt(samples * p * (1 - p)));
        }
    }
}

void TestAttentionModel::everyStartIsForced()
{
    const auto model = written(smallModel(false, false, 4), {});
    const std::vector<RoutingInstance> instances{instanceOf(false, 7, 2)};
    const auto run = runRouting(*model, instances, {.policy = {}, .samples = 7, .everyStart = true});
    QVERIFY(run);
    for (std::size_t start = 0; start < 7; ++start) {
        QCOMPARE(run->solutions[0][start].front(), static_cast<int>(start));
        QVERIFY(checkTour(instances[0], run->solutions[0][start]));
    }
}

void TestAttentionModel::runsThatCannotBe()
{
    const auto tsp = written(smallModel(false, false, 3), {}), cvrp = written(smallModel(true, false, 3), {});
    std::vector<RoutingInstance> cities{instanceOf(false, 6, 0)}, customers{instanceOf(true, 6, 0)};
    const auto kindOf = [](const auto& result) { return result ? ErrorKind::NotFound : result.error().kind; };
    QCOMPARE(kindOf(runRouting(*tsp, customers, {})), ErrorKind::InvalidArgument);
    QCOMPARE(kindOf(runRouting(*cvrp, cities, {})), ErrorKind::InvalidArgument);
    cities.push_back(instanceOf(false, 7, 0));
    QCOMPARE(kindOf(runRouting(*tsp, cities, {})), ErrorKind::InvalidArgument);
    customers[0].demands[3] = 1.5f;  // no vehicle can bring it
    QCOMPARE(kindOf(runRouting(*cvrp, customers, {})), ErrorKind::InvalidArgument);
    cities.pop_back();
    QCOMPARE(kindOf(runRouting(*tsp, cities, {.policy = {.method = {"infoscale", {{"eps", 3}}, {}}}})),
             ErrorKind::Undefined);  // n below e^3
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(kindOf(runRouting(*tsp, cities, {.policy = {}, .stop = stop.get_token()})), ErrorKind::Cancelled);
    QVERIFY(runRouting(*tsp, std::span<const RoutingInstance>(), {})->solutions.empty());
}

void TestAttentionModel::hostileFiles_data()
{
    QTest::addColumn<int>("change");
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("names");
    QTest::newRow("no tensor") << 0 << static_cast<int>(ErrorKind::UnknownName) << "project_out.weight";
    QTest::newRow("another shape") << 1 << static_cast<int>(ErrorKind::BadShape) << "project_step_context.weight";
    QTest::newRow("heads that do not fit") << 2 << static_cast<int>(ErrorKind::BadShape) << "W_query";
    QTest::newRow("not finite") << 3 << static_cast<int>(ErrorKind::DataError) << "embedder.layers.1.2.module.0.bias";
    QTest::newRow("no running mean") << 4 << static_cast<int>(ErrorKind::UnknownName) << "normalization = layer";
    QTest::newRow("negative variance") << 5 << static_cast<int>(ErrorKind::DataError) << "running_var";
    QTest::newRow("no network") << 6 << static_cast<int>(ErrorKind::UnknownName) << "W_query";
    QTest::newRow("length is no number") << 7 << static_cast<int>(ErrorKind::InvalidHeader) << "length";
}

void TestAttentionModel::hostileFiles()
{
    QFETCH(int, change);
    QFETCH(int, kind);
    QFETCH(QString, names);
    Tensors tensors = smallModel(false, false, 3);
    Metadata metadata;
    switch (change) {
    case 0:
        tensors.erase("project_out.weight");
        break;
    case 1:
        tensors["project_step_context.weight"] = {{w, w + 1}, std::vector<float>(w * (w + 1))};
        break;
    case 2:
        tensors["embedder.layers.0.0.module.W_query"] = {{heads, w, 3}, std::vector<float>(heads * w * 3)};
        break;
    case 3:
        tensors["embedder.layers.1.2.module.0.bias"].values[2] = std::numeric_limits<float>::infinity();
        break;
    case 4:
        tensors.erase("embedder.layers.0.3.normalizer.running_mean");
        break;
    case 5:
        tensors["embedder.layers.0.3.normalizer.running_var"].values[1] = -1;
        break;
    case 6:
        tensors = {{"weights", {{1}, {1}}}};
        break;
    case 7:
        metadata["length"] = "a hundred";
        break;
    }
    const auto model = written(tensors, metadata);
    QVERIFY(!model);
    QCOMPARE(static_cast<int>(model.error().kind), kind);
    QVERIFY2(model.error().message.find(names.toStdString()) != std::string::npos, model.error().message.c_str());
}

QTEST_GUILESS_MAIN(TestAttentionModel)
#include "test_attention_model.moc"
