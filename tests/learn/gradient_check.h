#pragma once
// Gradients of operations against central differences.

#include "core/learn/operations.h"

#include <QMetaType>
#include <QString>

#include <cmath>
#include <functional>

namespace attnscope::learn {

/// size sin(seed + 1.7 i), as in reference.py.
inline Matrix sines(Index rows, Index columns, double seed, double size)
{
    Matrix values(rows, columns);
    for (Index i = 0; i < values.size(); ++i)
        values.data()[i] = static_cast<float>(size * std::sin(seed + 1.7 * static_cast<double>(i)));
    return values;
}

inline Weight weightOf(const std::string& name, const Matrix& value)
{
    Weight weight(name, value.rows(), value.cols(), value.rows() == 1);
    weight.value = value;
    return weight;
}

/// An operation of up to three weights; its output is summed with fixed coefficients to a scalar.
struct Operation {
    std::vector<Matrix> inputs;
    std::function<Var(Tape&, const std::vector<Var>&)> make;
};

inline double weighted(const Tape& tape, Var y)
{
    const ConstMatrixView value = tape.value(y);
    double sum = 0;
    for (Index i = 0; i < value.size(); ++i)
        sum += static_cast<double>(value.data()[i]) * std::cos(0.7 * static_cast<double>(i));
    return sum;
}

inline double evaluate(const Operation& operation, std::vector<Weight>& weights, bool backward)
{
    Tape tape;
    std::vector<Var> inputs;
    for (Weight& weight : weights)
        inputs.push_back(tape.weight(weight));
    const Var y = operation.make(tape, inputs);
    if (backward) {
        const Var coefficients = tape.constant(tape.rows(y), tape.columns(y));
        for (Index i = 0; i < tape.value(y).size(); ++i)
            tape.fill(coefficients).data()[i] =
                static_cast<float>(std::cos(0.7 * static_cast<double>(i)) * static_cast<double>(tape.value(y).size()));
        tape.backward(mean(tape, multiply(tape, y, coefficients)));
    }
    return weighted(tape, y);
}

/// Central differences in float32: the step is wide and the next order is taken out (Richardson). Empty, or where they
/// disagree.
inline QString disagreement(const Operation& operation)
{
    std::vector<Weight> weights;
    for (const Matrix& input : operation.inputs)
        weights.push_back(weightOf("w", input));
    evaluate(operation, weights, true);
    for (std::size_t w = 0; w < weights.size(); ++w) {
        Matrix& value = weights[w].value;
        const Matrix gradient = weights[w].gradient;
        const double size = std::max(1.0, static_cast<double>(gradient.cwiseAbs().maxCoeff()));
        for (Index i = 0; i < value.size(); i += std::max<Index>(1, value.size() / 40)) {
            const float centre = value.data()[i];
            const auto difference = [&](float h) {
                value.data()[i] = centre + h;
                const double up = evaluate(operation, weights, false);
                value.data()[i] = centre - h;
                const double down = evaluate(operation, weights, false);
                value.data()[i] = centre;
                return (up - down) / (2 * static_cast<double>(h));
            };
            const double slope = (4 * difference(0.01f) - difference(0.02f)) / 3;
            if (!(std::abs(slope - static_cast<double>(gradient.data()[i])) < 2e-3 * size))
                return QString("input %1, element %2: %3, by differences %4")
                    .arg(w)
                    .arg(i)
                    .arg(static_cast<double>(gradient.data()[i]))
                    .arg(slope);
        }
    }
    return {};
}

/// Of some elements of every weight: the gradient that loss(true) leaves, against central differences of loss(false).
/// Empty, or where they disagree; `moved` counts the elements on which the loss depends.
template <class Loss>
QString disagreement(const std::vector<Weight*>& weights, const Loss& loss, int& moved)
{
    loss(true);
    for (Weight* weight : weights) {
        const Matrix gradient = weight->gradient;
        for (Index i = 0; i < weight->value.size(); i += std::max<Index>(1, weight->value.size() / 6)) {
            float& element = weight->value.data()[i];
            const auto difference = [&, centre = element](float h) {
                element = centre + h;
                const double up = loss(false);
                element = centre - h;
                const double down = loss(false);
                element = centre;
                return (up - down) / (2 * static_cast<double>(h));
            };
            const double slope = (4 * difference(4e-3f) - difference(8e-3f)) / 3,
                         ours = static_cast<double>(gradient.data()[i]);
            if (!(std::abs(slope - ours) < 2e-3 * std::max(1.0, std::abs(slope))))
                return QString("%1, element %2: %3, by differences %4")
                    .arg(QString::fromStdString(weight->name))
                    .arg(i)
                    .arg(ours)
                    .arg(slope);
            moved += std::abs(ours) > 1e-3;
        }
    }
    return {};
}

}  // namespace attnscope::learn

Q_DECLARE_METATYPE(attnscope::learn::Operation)
