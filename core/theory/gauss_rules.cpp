#include "core/theory/gauss_rules.h"

#include "core/base/each.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <Eigen/Eigenvalues>

namespace attnscope {

namespace {

template <class A, class B>
std::vector<Node> gauss(int count, A a, B b)
{
    std::vector<double> diagonal, square;
    for (int k = 0; k < count; ++k) {
        diagonal.push_back(a(k));
        square.push_back(k == 0 ? 0 : b(k));
    }
    return gaussOf(diagonal, square);
}

}  // namespace

std::vector<Node> gaussOf(const std::vector<double>& middles, const std::vector<double>& square)
{
    const auto count = static_cast<Eigen::Index>(middles.size());
    const Eigen::VectorXd diagonal = Eigen::Map<const Eigen::VectorXd>(middles.data(), count);
    Eigen::VectorXd offDiagonal(std::max<Eigen::Index>(count - 1, 0));
    for (Eigen::Index k = 1; k < count; ++k)
        offDiagonal[k - 1] = std::sqrt(square[static_cast<size_t>(k)]);
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
    solver.computeFromTridiagonal(diagonal, offDiagonal, Eigen::EigenvaluesOnly);

    std::vector<Node> nodes;
    for (const double x : solver.eigenvalues()) {
        double before = 0, p = 1, sum = 1;
        for (Eigen::Index k = 0; k + 1 < count; ++k) {
            const double next = ((x - diagonal[k]) * p - (k > 0 ? offDiagonal[k - 1] * before : 0)) / offDiagonal[k];
            before = p;
            p = next;
            sum += p * p;
        }
        nodes.push_back({x, 1 / sum});
    }
    return nodes;
}

std::vector<Node> gaussHermite(int count)
{
    return gauss(
        count, [](int) { return 0.0; }, [](int k) { return k; });
}

std::vector<Node> gaussGamma(int count, double shape)
{
    return gauss(
        count, [=](int k) { return 2 * k + shape; }, [=](int k) { return k * (k + shape - 1); });
}

std::vector<Node> gaussGegenbauer(int count, double power)
{
    return gauss(
        count, [](int) { return 0.0; },
        [=](int k) {
            return k == 1 ? 1 / (2 * power + 3)
                          : k * (k + 2 * power) / ((2 * k + 2 * power - 1) * (2 * k + 2 * power + 1));
        });
}

std::vector<Node> gaussPanels(double lo, double hi, int pieces, const std::function<double(double)>& density)
{
    static const std::vector<Node> legendre = gaussGegenbauer(16, 0);
    const double half = (hi - lo) / (2 * pieces);
    std::vector<Node> nodes;
    for (int piece = 0; piece < pieces; ++piece)
        for (const Node& node : legendre) {
            const double x = lo + half * (2 * piece + 1 + node.x);
            nodes.push_back({x, 2 * half * node.weight * density(x)});
        }
    return nodes;
}

RuleOfSize rulesOfSizes(std::initializer_list<int> sizes, const std::function<std::vector<Node>(int)>& make)
{
    return [rules = std::make_shared<const std::vector<std::vector<Node>>>(each(sizes, make))](double count) {
        const auto found = std::find_if(rules->begin(), rules->end(), [count](const std::vector<Node>& rule) {
            return static_cast<double>(rule.size()) >= count;
        });
        return found == rules->end() ? std::vector<Node>{} : *found;
    };
}

}  // namespace attnscope
