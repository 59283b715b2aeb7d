#pragma once
// Trains the network of core/scaling/eie_network.h, in the same variable and with the same quadrature, to the loss of
// EIE's eq. 13:  L = mean over a batch of lengths of (H(n_i, lambda(n_i)) - H(N, 1/sqrt d))^2.
//
// dL/dlambda_i needs H and dH/dlambda. Exact: from the expected entropy of core/theory (entropy_surface.h). Monte
// Carlo, as in the paper: from drawn rows, H = ln Z - s E_p x and dH/dlambda = -s^2 Var_p(x) / lambda for logits s x.

#include "core/base/random.h"
#include "core/labs/eie/entropy_surface.h"
#include "core/learn/layers.h"
#include "core/learn/optimiser.h"
#include "core/scaling/eie_network.h"

#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope {

struct EieSettings {
    int d = 16;
    double nTrain = 100, nMax = 1600;
    int blocks = 3, width = 10;
    double epsilon = 1e-4;
    EieNetwork::Variable variable = EieNetwork::Variable::Log;
    bool monteCarlo = false;
    int rows = 1;                 ///< drawn rows a length, Monte Carlo
    int batch = 256, steps = 20;  ///< lengths a step, steps an epoch
    double rate = 1e-3, decay = 0.99;
    std::uint64_t seed = 1;
};

class EieTrainer {
public:
    /// Errors: InvalidArgument, Cancelled.
    static Result<EieTrainer> make(const EieSettings& settings, const std::stop_token& stop = {});

    /// `steps` of Adam; returns their mean loss, nats squared. Errors: Cancelled, and then it stands as before.
    Result<double> epoch(const std::stop_token& stop = {});
    std::int64_t epochs() const { return m_adam.steps() / m_settings.steps; }

    /// What it has learned so far.
    std::vector<double> lambda(const std::vector<double>& n);

    const EieSettings& settings() const { return m_settings; }
    double target() const { return m_target; }  ///< H(N, 1/sqrt d), nats
    const EntropySurface& surface() const { return m_surface; }
    learn::Weights weights();
    learn::Adam& adam() { return m_adam; }

    /// As EieNetwork::read wants it.
    std::map<std::string, std::string> metadata() const;

private:
    EieTrainer(const EieSettings& settings, EntropySurface surface);

    learn::Var slope(learn::Tape& tape, learn::Var x);
    learn::Var scales(learn::Tape& tape, const Eigen::ArrayXd& n);  ///< lambda (batch, 1)
    /// At each length; what it is when stopped means nothing.
    EntropySurface::Values entropies(const Eigen::ArrayXd& n, const Eigen::ArrayXd& lambda, std::uint64_t step,
                                     const std::stop_token& stop) const;
    EntropySurface::Values drawn(const Eigen::ArrayXd& n, const Eigen::ArrayXd& lambda, std::uint64_t step,
                                 const std::stop_token& stop) const;
    double drawnTarget(const std::stop_token& stop) const;
    double step(const learn::Weights& all, double factor, const std::stop_token& stop);  ///< its loss

    EieSettings m_settings;
    EntropySurface m_surface;
    double m_target = 0;
    learn::Linear m_input, m_output;
    std::vector<std::array<learn::Linear, 2>> m_blocks;
    learn::Adam m_adam;
    learn::Tape m_tape;
};

}  // namespace attnscope
