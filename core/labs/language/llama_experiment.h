#pragma once
// What labs share that train small Llamas: a network for every seed and attention, which shows how it does while it
// learns, and tests of what is kept of it at N, 2 N, 4 N and so on. A lab says what is learned, looked at and asked.

#include "core/labs/experiment.h"
#include "core/labs/language/language_evaluation.h"
#include "core/labs/language/language_network.h"
#include "core/labs/language/language_trainer.h"

#include <optional>

namespace attnscope {

class LlamaExperiment : protected Experiment {
public:
    virtual ~LlamaExperiment() = default;

protected:
    struct Network {
        NetworkLabel label;
        Model model;
    };
    /// What one network learns, and what is to stand beside its weights.
    struct Learning {
        LanguageSettings settings;
        BatchSource batches;
        learn::LlamaFolder about;
    };

    /// `names`: how those of files begin. `shareOfLearning`: of the run's progress.
    LlamaExperiment(std::string names, double shareOfLearning, const LabRun& run, const Lab& lab, std::stop_token stop,
                    const LabCallback& progress)
        : Experiment(run, lab, std::move(stop), progress), m_names(std::move(names)), m_shareOfLearning(shareOfLearning)
    {
    }

    /// Reads m_text, and checks that the width is of heads of an even size. Its masks are those of networks that are
    /// causal, or see both sides.
    Result<void> readText(bool causal = true);

    /// As the lab's parameters and the label say; of sequences of that many tokens. Errors: those of trainingAttention.
    Result<LanguageSettings> settingsOf(const NetworkLabel& network, learn::LlamaShape shape,
                                        std::int64_t length) const;
    /// Layers, width, inner width, heads and, in labs that have it, the cosine's factor of the parameters.
    learn::LlamaShape shapeOf(std::int64_t vocabulary) const;
    /// What settings say, the lab, and the parameters of these ids.
    learn::Metadata factsOf(const LanguageSettings& settings, std::initializer_list<const char*> parameters) const;

    /// Trains all of them, and keeps them in m_networks.
    Result<void> learnAll();

    /// N, 2 N, 4 N, ... to the longest.
    std::vector<std::int64_t> lengthsTested(std::int64_t trainLength) const;

    /// For every length, network and choice of positions; done(share) counts as that share of its effort.
    using Done = std::function<void(double share)>;
    using Test = std::function<Result<void>(const Network&, std::int64_t n, const Placement& placement, const Done&)>;
    Result<void> testAll(std::span<const std::int64_t> lengths, const std::function<double(std::int64_t n)>& effort,
                         const Test& test);

    /// What is tested in this placement, its mask not put in: all methods, vanilla, which the others are held against,
    /// first, and at last, unless there is such a mask, what costs nothing: vanilla that sees a plain window of so many
    /// tokens.
    std::vector<Policy> policiesTested(const Network& network, const Placement& placement, std::int64_t window) const;
    using Score = std::function<Result<std::optional<PolicyScores>>(const Policy&)>;
    using Found = std::function<void(const Policy&, const std::optional<PolicyScores>&, const PolicyScores* vanilla)>;
    /// Each of them scored under the placement's mask; `vanilla`: its scores, null where it is not among the methods,
    /// or has none.
    static Result<void> scoreEach(const std::vector<Policy>& policies, const Placement& placement, const Score& score,
                                  const Found& found, const Done& done);

    /// With a table `seeds` where there are several networks of a kind.
    LabResult finishTested();

    LlamaText m_text;
    NetworkStore m_store;
    std::vector<Network> m_networks;

private:
    virtual Result<Learning> learningOf(const NetworkLabel& network) const = 0;
    /// Inputs whose attention is shown while it learns.
    virtual Window pictured(const NetworkLabel& network) const = 0;
    /// Inputs that the heads of the first network are kept of.
    virtual Result<Window> kept(const Network& network) const = 0;
    /// A short test: rows as the whole one's, into m_previews.
    virtual Result<void> testBriefly(const Network& now) = 0;
    virtual bool showsTests() const { return true; }
    virtual void learned(const std::string&) {}  ///< the training of that name is done

    std::string nameOf(const NetworkLabel& network) const;
    Result<void> learn(const NetworkLabel& network, double from, double to);
    Result<void> keepFiles(const Network& network);
    Result<void> show(const NetworkLabel& network, LanguageTrainer& trainer, const learn::LlamaFolder& about);
    Result<void> preview(const NetworkLabel& network, LanguageTrainer& trainer, const learn::LlamaFolder& about);

    std::string m_names;
    double m_shareOfLearning;
};

}  // namespace attnscope
