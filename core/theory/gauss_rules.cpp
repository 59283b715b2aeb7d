#include "core/theory/gauss_rules.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <Eigen/Eigenvalues>

namespace attnscope {

namespace {

/// x p_k = sqrt(b_{k+1}) p_{k+1} + a_k p_k + sqrt(b_k) p_{k-1}, p_0 = 1.
template <class A, class B>
std::vector<Node> gauss(int count, A a, B b)
{
    Eigen::VectorXd diagonal(count), offDiagonal(std::max(count - 1, 0));
    for (int k = 0; k < count; ++k)
        diagonal[k] = a(k);
    for (int k = 1; k < count; ++k)
        offDiagonal[k - 1] = std::sqrt(b(k));
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
    solver.computeFromTridiagonal(diagonal, offDiagonal, Eigen::EigenvaluesOnly);

    std::vector<Node> nodes;
    for (const double x : solver.eigenvalues()) {
        double before = 0, p = 1, sum = 1;
        for (int k = 0; k + 1 < count; ++k) {
            const double next = ((x - diagonal[k]) * p - (k > 0 ? offDiagonal[k - 1] * before : 0)) / offDiagonal[k];
            before = p;
            p = next;
            sum += p * p;
        }
        nodes.push_back({x, 1 / sum});
    }
    return nodes;
}

}  // namespace

std::vector<Node> gaussHermite(int count)
{
    return gauss(count, [](int) { return 0.0; }, [](int k) { return k; });
}

std::vector<Node> gaussGamma(int count, double shape)
{
    return gauss(count, [=](int k) { return 2 * k + shape; }, [=](int k) { return k * (k + shape - 1); });
}

std::vector<Node> gaussGegenbauer(int count, double power)
{
    return gauss(count, [](int) { return 0.0; },
                 [=](int k) { return k == 1 ? 1 / (2 * power + 3) : k * (k + 2 * power) / ((2 * k + 2 * power - 1) * (2 * k + 2 * power + 1)); });
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
    std::vector<std::vector<Node>> made;
    for (const int size : sizes)
        made.push_back(make(size));
    return [rules = std::make_shared<const std::vector<std::vector<Node>>>(std::move(made))](double count) {
        const auto found = std::find_if(rules->begin(), rules->end(), [count](const std::vector<Node>& rule) { return static_cast<double>(rule.size()) >= count; });
        return found == rules->end() ? std::vector<Node>{} : *found;
    };
}

}  // namespace attnscope
