// The lab `max-retrieval`: what it takes, and what it shows.

#include "core/labs/retrieval/max_retrieval_lab.h"

#include "core/labs/lab_charts.h"
#include "core/labs/lab_parameters.h"
#include "core/labs/retrieval/max_retrieval_evaluation.h"
#include "core/labs/retrieval/max_retrieval_trainer.h"

#include <algorithm>
#include <iterator>

namespace attnscope {

namespace {

std::vector<Parameter> maxRetrievalParameters()
{
    return {
        whole("steps", "training steps", 0, 0, 1e7,
              "0 takes the head that comes with the program, trained for the paper's 100000 steps."),
        whole("heads", "heads", 1, 1, 100,
              "Heads trained, with one seed after another; seed s of the test takes head s, from the first again when "
              "they run out. The paper averages over ten."),
        whole("seed", "seed", 1, 0, 999'999'999'900,  // with a hundred heads below testSeed
              "The weights at the start and the training sets are functions of it."),
        whole("batch", "sets a step", 128, 1, 4096, "128 in the paper."),
        fewestItems(),
        mostItems(),
        headWidth(),
        real("rate", "learning rate", 1e-3, 1e-7, 1, "Adam's step."),
        real("decay", "decay", 1e-3, 0, 10,
             "Decoupled weight decay (AdamW): the reading of the paper's \"L2 regularisation\" that gives its table."),
        real("l2", "L2", 0, 0, 10, "Weight of a penalty |w|² / 2 in the loss, another reading."),
        toggle("biases", "decay of biases", true,
               "Off: decay and L2 hold for the matrices alone; the paper does not say."),
        toggle("bfloat16", "factors in bfloat16", true,
               "Products round their factors to 8 significant bits, as JAX does on a TPU unless told otherwise, in "
               "training and in tests; off: float32."),
        real("constraint", "constraint", 0.1, 0, 1e6,
             "For `constraint` in `train`: what (H − target)² is multiplied by in the loss."),
        real("target", "target entropy", 1, 0, 20,
             "For `constraint` in `train`: the entropy in nats that rows are held to, whatever the number of items."),
        whole("seeds", "test seeds", 10, 2, 100,
              "Test sets are drawn anew for each, at least one for each head; the paired t-test is over them, or over "
              "the "
              "heads where several are trained."),
        whole("sets", "sets", 512, 1, 65536,
              "Test sets a seed and size; fewer where they would hold more than four million items."),
        whole("most_items", "most items tested", 16384, 16, 65536, "Sizes double from 16 up to this.")};
}

std::vector<LabChart> maxRetrievalCharts()
{
    using enum LabLine::Look;
    const std::string items = "Items, $n$", found = "Found (%)", entropy = "Row entropy (nats)";
    LabChart loss = inTraining("loss", "Loss", "Loss (nats)", "loss", "network");
    loss.logY = true;
    return {loss,
            accuracyInTraining("network"),
            overLengths(
                "accuracy", "Found in larger sets", items, found,
                {{.table = "table1", .x = "items", .y = "accuracy"},
                 {.table = "table1", .x = "items", .y = "published", .label = "as published", .look = ReferencePoints},
                 {.table = "table1",
                  .x = "items",
                  .y = "resolvable",
                  .label = "at most, by the factors' bits",
                  .look = Reference,
                  .ofEveryGroup = false}},
                "method"),
            overLengths("entropy", "Entropy of the head", items, entropy,
                        {{.table = "table1", .x = "items", .y = "entropy"}}, "method"),
            overLengths("learned", "Trained with a method, or given it later", items, found,
                        {{.table = "learned", .x = "items", .y = "accuracy"},
                         {.table = "learned", .x = "items", .y = "afterwards", .label = "given later", .look = Points}},
                        "trained"),
            overLengths("gain", "What learning with it gains", items, "Gain over afterwards (points)",
                        {{.table = "learned", .x = "items", .y = "gain"}}, "trained"),
            overLengths("learned_entropy", "Entropy of heads that learned with it", items, entropy,
                        {{.table = "learned", .x = "items", .y = "entropy"}}, "trained"),
            {.id = "fit",
             .title = "Adaptive temperature",
             .xTitle = "Row entropy $H$ (nats)",
             .yTitle = "Temperature $\\theta$",
             .lines = {{.table = "temperatures",
                        .x = "entropy",
                        .y = "theta",
                        .label = "best for a misranked set",
                        .look = Points},
                       {.table = "fit", .x = "entropy", .y = "published", .label = "published", .look = Reference},
                       {.table = "fit", .x = "entropy", .y = "refit", .label = "refit"}}}};
}

/// What heads may learn with: there is no head to measure or to fit to before it does.
std::vector<Entry> trainedWith()
{
    std::vector<Entry> rows = trainingMethods();
    std::erase_if(rows, [](const Entry& row) {  // without a value at the sizes trained with
        MaxRetrievalSettings settings;
        settings.learning.method = {row.id, {}, {}};
        return !headRule(settings);
    });
    std::ranges::move(normaliserVariants(), std::back_inserter(rows));
    rows.push_back(plainEntry(std::string(constraintId), "Constrained entropy",
                              "Plain softmax with a constraint on its entropy in the loss."));
    return rows;
}

}  // namespace

Lab maxRetrievalLab()
{
    return {{"max-retrieval",
             "Finding the largest",
             "class of argmax p",
             "Veličković et al. 2024, section 4.1 and appendix A",
             "A single attention head learns to find the largest of up to 16 items; with more items its attention "
             "disperses. Tests it on ever larger sets under any scale method and normaliser, and heads that learned "
             "with one beside heads that get it afterwards.",
             maxRetrievalParameters(),
             {{"train one quickly", "max-retrieval:steps=5000,most_items=4096,sets=128", "a minute on two cores"},
              {"test the head that comes with the program", "max-retrieval",
               "it trained for 100000 steps; nothing is trained"},
              {"ten heads, as in the paper", "max-retrieval:steps=100000,heads=10", "Veličković et al. 2024, table 1"},
              {"trained with it, or given it later",
               "max-retrieval:steps=3000,heads=3,sets=256,most_items=1024,\"vanilla @ vanilla|adaptive; "
               "vanilla|entmax15; vanilla|sparsemax; vanilla|sigmoid; log_n; softmax_plus:B=16; constraint\"",
               "eight kinds, three heads each"}},
             "METHODS @ METHODS TO TRAIN WITH: each METHOD or METHOD|NORMALISER, with semicolons between them; "
             "vanilla|refit, to "
             "test, is the refitted adaptive temperature, and constraint, to train with, one on the entropy",
             "vanilla; vanilla|adaptive; vanilla|refit; infoscale; softmax_plus:B=16; log_n; ssmax; "
             "entropy_mean_field; entropy_exact; entropy_measured @"},
            "table1",
            "methods",
            maxRetrievalCharts(),
            runMaxRetrieval,
            {{"methods", variantRows()}, {"train", trainedWith()}},
            false,
            '@'};
}

}  // namespace attnscope
