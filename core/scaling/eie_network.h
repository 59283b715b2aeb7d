#pragma once
// The learned scale of EIE ("Train short, test long in combinatorial optimization", section 4): a small network f > 0
// gives the slope of lambda, so that lambda rises by construction,
//
//     lambda(n) = 1/sqrt(d) + integral from N to n of f,                                               (eq. 12)
//     Y1 = ReQUr(x W + b),   Yj = ReQUr(ReQUr(Y W + b) W + b) + Y   (three times),
//     f = ReQU(Y W + b) + eps,                                                                         (eq. 9-11)
//     ReQU(x) = relu(x)^2,   ReQUr(x) = relu(x)^2 - relu(x - 1/2)^2,
//
// by five-point Gauss quadrature over [N, n]. What x and the variable of integration are is the network's `variable`:
// the length itself, as the paper prints it, or u = ln(n/N)/ln(nMax/N), in which the slope is nearly constant (f is
// then dlambda/du).

#include "core/base/error.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace attnscope {

class EieNetwork;
class TensorFile;

/// The network of a file, read when first asked for and again when the file has changed since. Any number of threads.
/// Errors: those of TensorFile::open and EieNetwork::read.
Result<std::shared_ptr<const EieNetwork>> eieNetworkOf(const std::string& path);

/// Nodes on [-1, 1] and weights: 0, +-(1/3) sqrt(5 - 2 sqrt(10/7)), +-(1/3) sqrt(5 + 2 sqrt(10/7)).
struct FivePointGauss {
    std::array<double, 5> node, weight;
};
const FivePointGauss& fivePointGauss();

/// Tensors: input.{weight (w, 1), bias}, blocks.J.{0,1}.{weight (w, w), bias}, output.{weight (1, w), bias}; metadata:
/// d, n_train, n_max, variable ("n" or "log"), epsilon.
class EieNetwork {
public:
    enum class Variable { Length, Log };

    static Result<EieNetwork> read(const TensorFile& file);

    /// The trained networks that come with the program: d = 16 (N = 100, to 1600) and d = 32 (N = 120, to 1920)
    /// as in the paper; and d = 16 for the models that come with it (N = 20, to 320, and N = 256, to 4096).
    static const std::vector<EieNetwork>& shipped();

    /// lambda at any n >= 1; it was trained for N..nMax.
    double lambda(double n) const;

    int d() const { return m_d; }
    double nTrain() const { return m_nTrain; }
    double nMax() const { return m_nMax; }

    /// x of a length, and back from the variable's range to what the network reads.
    static double variableOf(Variable variable, double n, double nTrain, double nMax);

private:
    struct Layer {
        Eigen::MatrixXd weight;
        Eigen::VectorXd bias;
        Eigen::VectorXd operator()(const Eigen::VectorXd& x) const { return weight * x + bias; }
    };
    double slope(double x) const;

    int m_d = 0;
    double m_nTrain = 0, m_nMax = 0, m_epsilon = 0;
    Variable m_variable = Variable::Log;
    Layer m_input, m_output;
    std::vector<std::array<Layer, 2>> m_blocks;
};

}  // namespace attnscope
