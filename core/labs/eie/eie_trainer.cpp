#include "core/labs/eie/eie_trainer.h"

#include "core/base/choice.h"
#include "core/learn/parallel.h"

#include <cmath>

namespace attnscope {

using namespace learn;

namespace {

constexpr int targetRows = 16384;  // Monte Carlo rows for H(N, 1/sqrt d)

/// One row of n keys: logits s x_j, x_j standard normal, s = lambda |q|.
struct DrawnRow {
    double entropy = 0, slope = 0;
    DrawnRow(const Random& random, std::uint64_t row, std::int64_t n, int d, double lambda)
    {
        Eigen::ArrayXf q(d), x(n);
        random.normals(2 * row, {q.data(), static_cast<std::size_t>(d)});
        random.normals(2 * row + 1, {x.data(), static_cast<std::size_t>(n)});
        const double length = q.matrix().cast<double>().norm();
        const Eigen::ArrayXf z = static_cast<float>(lambda * length) * x;
        const float largest = z.maxCoeff();
        const Eigen::ArrayXf weight = (z - largest).exp();
        const double total = weight.cast<double>().sum();
        const double mean = (weight * x).cast<double>().sum() / total,
                     square = (weight * x.square()).cast<double>().sum() / total;
        entropy = std::log(total) + static_cast<double>(largest) - lambda * length * mean;
        slope = -lambda * length * length * (square - mean * mean);
    }
};

}  // namespace

Result<EieTrainer> EieTrainer::make(const EieSettings& settings, const std::stop_token& stop)
{
    if (!(settings.nTrain >= 1 && settings.nMax > settings.nTrain) || settings.d < 1)
        return failure(ErrorKind::InvalidArgument,
                       "EIE needs d of 1 or more, and a largest length above the training length");
    EieTrainer trainer(settings, TRY(EntropySurface::make(settings.d, settings.nTrain, settings.nMax)));
    if (settings.monteCarlo)
        trainer.m_target = trainer.drawnTarget(stop);
    TRY(unlessStopped(stop));
    return trainer;
}

EieTrainer::EieTrainer(const EieSettings& settings, EntropySurface surface)
    : m_settings(settings), m_surface(std::move(surface)), m_input("input", 1, settings.width),
      m_output("output", settings.width, 1), m_adam({.rate = settings.rate})
{
    std::uint64_t number = 0;
    m_input.initialise(Start::KaimingUniform, settings.seed, number++);
    for (int block = 0; block < settings.blocks; ++block) {
        m_blocks.emplace_back();
        for (std::size_t half = 0; half < 2; ++half) {
            m_blocks.back()[half] =
                Linear("blocks." + std::to_string(block) + "." + std::to_string(half), settings.width, settings.width);
            m_blocks.back()[half].initialise(Start::KaimingUniform, settings.seed, number++);
        }
    }
    m_output.initialise(Start::KaimingUniform, settings.seed, number);
    const auto variableOf = [&](double n) {
        return EieNetwork::variableOf(settings.variable, n, settings.nTrain, settings.nMax);
    };
    // ReQU is flat below 0: a negative start would stay for ever. From here lambda doubles on its way to nMax.
    m_output.bias.value.setConstant(static_cast<float>(std::sqrt(
        1 / std::sqrt(static_cast<double>(settings.d)) / (variableOf(settings.nMax) - variableOf(settings.nTrain)))));
    const Eigen::ArrayXd n = Eigen::ArrayXd::Constant(1, settings.nTrain),
                         lambda = Eigen::ArrayXd::Constant(1, 1 / std::sqrt(settings.d));
    m_target = m_surface.at(n, lambda).entropy[0];
}

Weights EieTrainer::weights()
{
    Weights all;
    m_input.collect(all);
    for (std::array<Linear, 2>& block : m_blocks)
        for (Linear& half : block)
            half.collect(all);
    m_output.collect(all);
    return all;
}

std::map<std::string, std::string> EieTrainer::metadata() const
{
    return {{"d", std::to_string(m_settings.d)},
            {"n_train", formatNumber(m_settings.nTrain)},
            {"n_max", formatNumber(m_settings.nMax)},
            {"epsilon", formatNumber(m_settings.epsilon)},
            {"variable", m_settings.variable == EieNetwork::Variable::Length ? "n" : "log"}};
}

Var EieTrainer::slope(Tape& tape, Var x)
{
    Var y = requr(tape, m_input(tape, x));
    for (std::array<Linear, 2>& block : m_blocks)
        y = add(tape, requr(tape, block[1](tape, requr(tape, block[0](tape, y)))), y);
    return requ(tape, m_output(tape, y));
}

Var EieTrainer::scales(Tape& tape, const Eigen::ArrayXd& n)
{
    const FivePointGauss& gauss = fivePointGauss();
    const double from =
        EieNetwork::variableOf(m_settings.variable, m_settings.nTrain, m_settings.nTrain, m_settings.nMax);
    const Index count = n.size();
    const Var x = tape.constant(5 * count, 1), weights = tape.constant(count, 5);
    const Matrix start = Matrix::Constant(1, 1, static_cast<float>(1 / std::sqrt(static_cast<double>(m_settings.d))));
    Matrix floor(count, 1);  // what eps adds
    for (Index i = 0; i < count; ++i) {
        const double half =
            (EieNetwork::variableOf(m_settings.variable, n[i], m_settings.nTrain, m_settings.nMax) - from) / 2;
        for (Index k = 0; k < 5; ++k) {
            tape.fill(x)(5 * i + k, 0) =
                static_cast<float>(half * gauss.node[static_cast<std::size_t>(k)] + from + half);
            tape.fill(weights)(i, k) = static_cast<float>(half * gauss.weight[static_cast<std::size_t>(k)]);
        }
        floor(i, 0) = static_cast<float>(2 * half * m_settings.epsilon);
    }
    const Var f = reshape(tape, slope(tape, x), count, 5);
    const Var integral = matmul(tape, multiply(tape, f, weights), tape.constant(Matrix::Ones(5, 1)));
    return add(tape, add(tape, integral, tape.constant(floor)), tape.constant(start));
}

/// Of N, by rows that are drawn on all cores and added in their order.
double EieTrainer::drawnTarget(const std::stop_token& stop) const
{
    const Random random(m_settings.seed, Stream::Target);
    std::vector<double> entropies(targetRows, 0.0);
    forEachInParallel(targetRows, 1, [&](std::int64_t row) {
        if (stop.stop_requested())
            return;
        const auto number = static_cast<std::uint64_t>(row);
        entropies[number] = DrawnRow(random, number, static_cast<std::int64_t>(m_settings.nTrain), m_settings.d,
                                     1 / std::sqrt(m_settings.d))
                                .entropy;
    });
    double mean = 0;
    for (const double entropy : entropies)
        mean += entropy / targetRows;
    return mean;
}

EntropySurface::Values EieTrainer::drawn(const Eigen::ArrayXd& n, const Eigen::ArrayXd& lambda, std::uint64_t step,
                                         const std::stop_token& stop) const
{
    const Random random(m_settings.seed, Stream::Logits);
    const int rows = m_settings.rows;
    EntropySurface::Values values{Eigen::ArrayXd::Zero(n.size()), Eigen::ArrayXd::Zero(n.size())};
    forChunks(n.size(), 16, [&](Index begin, Index end, Index) {
        for (Index i = begin; i < end; ++i)
            for (int row = 0; row < rows && !stop.stop_requested(); ++row) {
                const std::uint64_t number =
                    (step * static_cast<std::uint64_t>(n.size()) + static_cast<std::uint64_t>(i)) *
                        static_cast<std::uint64_t>(rows) +
                    static_cast<std::uint64_t>(row);
                const DrawnRow one(random, number, static_cast<std::int64_t>(n[i]), m_settings.d, lambda[i]);
                values.entropy[i] += one.entropy / rows;
                values.slope[i] += one.slope / rows;
            }
    });
    return values;
}

EntropySurface::Values EieTrainer::entropies(const Eigen::ArrayXd& n, const Eigen::ArrayXd& lambda, std::uint64_t step,
                                             const std::stop_token& stop) const
{
    return m_settings.monteCarlo ? drawn(n, lambda, step, stop) : m_surface.at(n, lambda);
}

double EieTrainer::step(const Weights& all, double factor, const std::stop_token& stop)
{
    const Random random(m_settings.seed, Stream::Sampling);
    const std::uint64_t number = static_cast<std::uint64_t>(m_adam.steps());
    Eigen::ArrayXd n(m_settings.batch);
    for (Index k = 0; k < n.size(); ++k)  // whole lengths in N + 1 .. nMax
        n[k] =
            std::floor(m_settings.nTrain + 1 +
                       random.uniform(number, static_cast<std::uint64_t>(k)) * (m_settings.nMax - m_settings.nTrain));
    m_tape.clear();
    const Var lambda = scales(m_tape, n);
    const EntropySurface::Values h = entropies(n, m_tape.value(lambda).col(0).cast<double>().array(), number, stop);
    const Var errors = pointwise(m_tape, lambda, [&](Index k, double) {
        const double off = h.entropy[k] - m_target;
        return Jet{off * off, 2 * off * h.slope[k]};
    });
    const Var loss = mean(m_tape, errors);
    m_tape.backward(loss);
    m_adam.step(all, factor);
    return static_cast<double>(m_tape.value(loss)(0, 0));
}

Result<double> EieTrainer::epoch(const std::stop_token& stop)
{
    const Weights all = weights();
    const Adam before = m_adam;
    std::vector<Matrix> values;
    for (const Weight* weight : all)
        values.push_back(weight->value);
    const double factor = std::pow(m_settings.decay, static_cast<double>(epochs()));
    double sum = 0;
    for (int i = 0; i < m_settings.steps; ++i) {
        sum += step(all, factor, stop);
        if (!stop.stop_requested())
            continue;
        m_adam = before;
        for (std::size_t k = 0; k < all.size(); ++k)
            all[k]->value = values[k];
        return stopped();
    }
    return sum / m_settings.steps;
}

std::vector<double> EieTrainer::lambda(const std::vector<double>& n)
{
    m_tape.clear();
    const Var scale = scales(m_tape, Eigen::Map<const Eigen::ArrayXd>(n.data(), static_cast<Index>(n.size())));
    const ConstMatrixView values = m_tape.value(scale);
    return {values.data(), values.data() + values.size()};
}

}  // namespace attnscope
