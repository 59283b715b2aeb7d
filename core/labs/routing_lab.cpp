// The lab `routing`: opens an Attention Model and measures its greedy tours at up to 16 times the length trained at, under scale
// methods in its encoder, its decoder or both.

#include "core/base/parameter.h"
#include "core/labs/lab_rows.h"
#include "core/labs/lab_support.h"
#include "core/labs/routing_evaluation.h"
#include "core/labs/routing_instances.h"

#include <algorithm>
#include <filesystem>
#include <map>

namespace attnscope {

namespace {

constexpr std::ptrdiff_t toursShown = 4;  // side by side

class RoutingExperiment {
public:
    RoutingExperiment(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress)
        : m_lab(lab), m_parameters(lab, run.choice), m_stop(std::move(stop)), m_report(progress, "opening the model")
    {
    }

    Result<LabResult> operator()()
    {
        for (Result<void> (RoutingExperiment::*part)() : {&RoutingExperiment::open, &RoutingExperiment::obtainInstances, &RoutingExperiment::test})
            if (const Result<void> done = (this->*part)(); !done)
                return tl::unexpected(done.error());
        m_report.send(1);
        return LabResult{inOrder(m_report.rows(), m_lab.main), {}};
    }

private:
    std::int64_t whole(const char* id) const { return static_cast<std::int64_t>(m_parameters[id]); }

    Result<void> open()
    {
        auto text = parseRoutingText(m_parameters.text());
        if (!text)
            return tl::unexpected(text.error());
        m_text = std::move(*text);
        if (m_text.model.empty())
            return failure(ErrorKind::InvalidArgument, "give the file of an Attention Model to test: model=FILE.safetensors, on the command line --set model=FILE.safetensors");
        auto model = openAttentionModel(m_text.model);
        if (!model)
            return tl::unexpected(model.error());
        m_model = std::move(*model);
        return {};
    }

    Result<void> obtainInstances()
    {
        m_trainLength = whole("length") > 0 ? whole("length") : m_model.trainLength.value_or(0);
        if (!m_text.instances.empty()) {
            auto read = readInstances(m_text.instances, m_model.hasDepot);
            if (!read)
                return tl::unexpected(read.error());
            m_instances = std::move(*read);
            if (m_trainLength == 0)
                m_trainLength = m_instances.begin()->first;
            return {};
        }
        if (m_trainLength == 0)
            return failure(ErrorKind::InvalidArgument, m_text.model + " does not say how many cities it was trained with; set length, 100 for the models published as tsp100 and cvrp100");
        if (m_model.hasDepot && m_parameters["capacity"] < (m_parameters.on("whole_demands") ? 9 : 1))
            return failure(ErrorKind::InvalidArgument, "a vehicle must be able to carry the largest demand: set capacity to 9 or more for whole demands, to 1 or more for uniform ones");
        for (std::int64_t times = 1; times <= whole("most"); times *= 2) {
            const RoutingDraw draw{.depot = m_model.hasDepot, .size = times * m_trainLength, .capacity = m_parameters["capacity"], .wholeDemands = m_parameters.on("whole_demands"),
                                   .seed = static_cast<std::uint64_t>(whole("seed"))};
            const std::int64_t count = std::max(std::min<std::int64_t>(8, whole("sets")), whole("sets") / times);
            for (std::int64_t number = 0; number < count; ++number)
                m_instances[draw.size].push_back(drawInstance(draw, number));
        }
        return {};
    }

    /// vanilla, if it is asked for, and the other methods wherever they are to act.
    std::vector<RoutingPolicy> policies() const
    {
        std::vector<RoutingPolicy> all;
        const auto add = [&](const Choice& method, bool encoder, bool decoder) { all.push_back({.method = method, .encoder = encoder, .decoder = decoder, .trainLength = static_cast<double>(m_trainLength)}); };
        for (const Choice& method : m_text.methods)
            if (method.id == "vanilla")
                add(method, true, true);
        for (const Choice& method : m_text.methods)
            for (const std::string& where : m_text.where)
                if (method.id != "vanilla")
                    add(method, where != "decoder", where != "encoder");
        return all;
    }

    Result<void> test()
    {
        const std::vector<RoutingPolicy> tested = policies();
        double work = 0, done = 0;
        for (const auto& [n, instances] : m_instances)
            work += costOf(n, instances) * static_cast<double>(tested.size() + 1);
        for (auto& [n, instances] : m_instances) {
            const double cost = costOf(n, instances);
            m_report.stage("n = " + std::to_string(n) + ", without a network");
            m_report.sendIfDue(done / work);
            const auto set = makeRoutingSet(std::move(instances), m_stop);
            if (!set)
                return tl::unexpected(set.error());
            done += cost;
            std::optional<RoutingScore> vanilla;
            std::vector<NamedTour> tours;  // of the first instance
            for (const RoutingPolicy& policy : tested) {
                m_report.stage("n = " + std::to_string(n) + ", " + labelOf(policy));
                m_report.sendIfDue(done / work);
                auto score = scoreRouting(m_model, *set, policy, m_stop);
                if (!score)
                    return tl::unexpected(score.error());
                m_report.row(m_lab.main, qualityCells(*set, policy, *score, vanilla ? &*vanilla : nullptr));
                for (LabCells& cells : *score ? headCells(*set, policy, **score) : std::vector<LabCells>())
                    m_report.row("heads", std::move(cells));
                if (*score && std::ssize(tours) < toursShown) {
                    tours.push_back({labelOf(policy) + ", " + formatNumber((*score)->lengths.front(), 4), (*score)->tours.front()});
                    m_report.tours(sideBySide("n" + std::to_string(n), "n = " + std::to_string(n), set->instances.front(), tours));
                }
                if (policy.method.id == "vanilla")
                    vanilla = std::move(*score);
                done += cost;
                m_report.sendIfDue(done / work);
            }
        }
        return {};
    }

    static double costOf(std::int64_t n, const std::vector<RoutingInstance>& instances) { return static_cast<double>(n) * static_cast<double>(n + 200) * static_cast<double>(instances.size()); }

    const Lab& m_lab;
    Parameters m_parameters;
    std::stop_token m_stop;
    LabReporter m_report;
    RoutingText m_text;
    AttentionModel m_model;
    std::int64_t m_trainLength = 0;
    std::map<std::int64_t, std::vector<RoutingInstance>> m_instances;  ///< by size
};

Result<LabResult> runRoutingLab(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress) { return RoutingExperiment(run, lab, std::move(stop), progress)(); }

std::vector<LabChart> routingCharts()
{
    return {{"length", "Tours beside 2-opt with Or-opt", "Cities or customers, $n$", "Longer by (%)", {{"quality", "n", "gap_improved", ""}}, true, false, "policy"},
            {"change", "Change against vanilla", "Cities or customers, $n$", "Longer by (%)", {{"quality", "n", "change", ""}}, true, false, "policy"},
            {"encoder", "Entropy of the encoder's heads", "Cities or customers, $n$", "Row entropy (nats)", {{"quality", "n", "entropy_encoder", ""}}, true, false, "policy"},
            {"decoder", "Entropy of the decoder's glimpse", "Cities or customers, $n$", "Row entropy (nats)", {{"quality", "n", "entropy_decoder", ""}}, true, false, "policy"}};
}

}  // namespace

Lab routingLab()
{
    return {{"routing", "Routing", "n nodes \u2192 a tour", "Kool et al. 2019; EIE, tables 2 and 3",
             "An Attention Model that learned to route among N cities or customers makes greedy tours at up to 16 N, under any scale method in its encoder, its decoder's glimpse or both; beside the nearest neighbour and 2-opt with Or-opt.",
             {whole("length", "training length", 0, 0, 1e5, "N, cities or customers; 0: what the model's file says, or where it says nothing the smallest of the instances' file."),
              whole("sets", "instances", 32, 1, 10000, "Of N cities; half as many of 2 N and so on, at least 8. Every policy sees the same."),
              whole("most", "longest test", 16, 1, 1024, "In training lengths; tested are N, 2 N, 4 N and so on."),
              whole("seed", "seed", 1, 0, 1e12, "Instances are a function of it."),
              real("capacity", "capacity", 50, 1, 1e6, "CVRP: what a vehicle carries. The published model for 100 customers was trained with 50."),
              toggle("whole_demands", "whole demands", true, "CVRP: customers demand 1 to 9, as Kool et al. draw them; off: uniform in 0 to 1, as in EIE, whose capacities are 10, 15 and 20.")},
             {{"as it stands", "routing", "needs a model"}, {"quick", "routing:sets=8,most=4", "up to 4 N"}},
             "METHODS | WHERE | MODEL | INSTANCES: scale methods, and where each acts (encoder, decoder, both), with semicolons between them; an Attention Model's file; a file of instances in place of drawn ones",
             "vanilla; softmax_plus; infoscale; entropy_exact | encoder; decoder; both | |"},
            "quality", "methods", routingCharts(), runRoutingLab, {"methods", "where", "model", "instances"}};
}

}  // namespace attnscope
