// The table of labs.

#include "core/base/parameter.h"
#include "core/labs/lab_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnscope {

namespace {

std::vector<Parameter> eieParameters()
{
    return {whole("epochs", "epochs", 500, 1, 100000, "How many times the learning rate falls by its factor; 500 in the paper."),
            whole("steps", "steps an epoch", 40, 1, 10000, "Batches between two falls of the learning rate. The paper's Algorithm 2 has one, which is too few to converge."),
            whole("batch", "lengths a batch", 256, 1, 65536, "Lengths drawn from N + 1 up to the largest, for each step."),
            real("rate", "learning rate", 3e-3, 1e-7, 1, "Adam's step at the start; 0.001 in the paper."),
            real("decay", "fall", 0.99, 0.5, 1, "The factor on the learning rate after each epoch."),
            whole("blocks", "residual blocks", 3, 0, 16, "N_r of the paper."),
            whole("width", "width", 10, 1, 256, "d' of the paper: units a layer."),
            real("epsilon", "ε", 1e-4, 0, 1, "Added to the network's output, so that lambda rises strictly."),
            toggle("log_length", "work in ln n", true,
                   "On: the network reads ln(n/N)/ln(n_max/N) and gives the slope in it, which is nearly constant. Off: it reads n itself and gives the slope in n, as printed in the paper."),
            toggle("monte_carlo", "Monte Carlo", false, "Off: the gradient goes through the exact expected entropy. On: through drawn rows, as in the paper."),
            whole("rows", "rows a length", 1, 1, 4096, "Rows of attention drawn for each length of a batch, with Monte Carlo."),
            whole("seed", "seed", 1, 0, 1e15, "The weights at the start and all that is drawn are functions of it.")};
}

std::vector<Parameter> maxRetrievalParameters()
{
    return {whole("steps", "training steps", 0, 0, 1e7, "0 takes the head that comes with the program, trained for the paper's 100000 steps."),
            whole("seed", "seed", 1, 0, 1e15, "The weights at the start and the training sets are functions of it."),
            whole("batch", "sets a step", 128, 1, 4096, "128 in the paper."),
            whole("items_min", "fewest items", 5, 1, 4096, "Sets of a step all have one size, drawn from here"),
            whole("items_max", "most items", 16, 1, 4096, "to here; also the N of the scale methods."),
            whole("width", "width", 128, 1, 1024, "Of every layer, and the head's d."),
            real("rate", "learning rate", 1e-3, 1e-7, 1, "Adam's step."),
            real("l2", "L2", 1e-3, 0, 10, "Weight of the penalty |w|^2 / 2 in the loss."),
            real("decay", "decay", 0, 0, 10, "Decoupled weight decay (AdamW), the other reading of the paper's \"L2 regularisation\"."),
            whole("seeds", "seeds", 10, 2, 100, "Test sets are drawn anew for each; the paired t-test is over them."),
            whole("sets", "sets", 512, 1, 65536, "Test sets a seed and size; fewer where they would hold more than two million items."),
            whole("most_items", "most items tested", 16384, 16, 65536, "Sizes double from 16 up to this.")};
}

}  // namespace

// clang-format off
std::span<const Lab> labs()
{
    static const std::vector<Lab> rows{
        {{"eie", "Entropy-invariant scale, learned", "λ(n) = 1/√d + ∫ f(x; θ) dx from N to n", "\"Train short, test long in combinatorial optimization\" (EIE), section 4",
          "Trains a small network to hold the expected entropy of attention as sequences grow, and puts what it learned beside the exact solution and the published tables.",
          eieParameters(),
          {{"as printed in the paper", "eie:steps=1,rate=0.001,log_length=0,monte_carlo=1", "EIE, section 4.2 and Algorithm 2"},
           {"exact gradient, the paper's step count", "eie:steps=1,rate=0.001", "EIE's hyperparameters in ln n"}},
          "d:N:LARGEST, one or more", "16:100:1600 32:120:1920"},
         "lambda", "configurations", runEieLab},

        {{"max-retrieval", "Finding the largest", "class of argmax p", "Veličković et al. 2024, section 4.1 and appendix A",
          "A single attention head learns to find the largest of up to 16 items; with more items its attention disperses. Tests it up to 16384 items under any scale method and normaliser.",
          maxRetrievalParameters(),
          {{"the shipped head", "max-retrieval", "100000 steps"}, {"train one quickly", "max-retrieval:steps=5000", "a minute on two cores"}},
          "METHOD or METHOD|NORMALISER, separated by semicolons; refit is the refitted adaptive temperature",
          "vanilla; vanilla|adaptive; vanilla|refit; infoscale; softmax_plus:B=16; log_n; ssmax; entropy_mean_field; entropy_exact; entropy_measured"},
         "table1", "methods", runMaxRetrievalLab},
    };
    return rows;
}
// clang-format on

const LabValue* LabRow::find(std::string_view column) const
{
    const auto found = std::ranges::find_if(cells, [&](const auto& cell) { return cell.first == column; });
    return found == cells.end() ? nullptr : &found->second;
}

double LabRow::number(std::string_view column) const
{
    const LabValue* value = find(column);
    if (value && std::holds_alternative<double>(*value))
        return std::get<double>(*value);
    if (value && std::holds_alternative<std::int64_t>(*value))
        return static_cast<double>(std::get<std::int64_t>(*value));
    return std::numeric_limits<double>::quiet_NaN();
}

std::vector<LabRow> inOrder(const std::vector<LabRow>& rows, const std::string& main)
{
    std::vector<std::string> tables;
    for (const LabRow& row : rows)
        if (row.table != main && std::ranges::find(tables, row.table) == tables.end())
            tables.push_back(row.table);
    tables.push_back(main);
    std::vector<LabRow> ordered;
    for (const std::string& table : tables)
        std::ranges::copy_if(rows, std::back_inserter(ordered), [&](const LabRow& row) { return row.table == table; });
    return ordered;
}

Result<LabResult> runLab(const LabRun& run, std::stop_token stop, const LabCallback& progress)
{
    const Result<const Lab*> lab = findRow(labs(), run.choice.id, "lab");
    if (!lab)
        return tl::unexpected(lab.error());
    if (const Result<void> valid = validate(**lab, run.choice); !valid)
        return tl::unexpected(valid.error());
    return (*lab)->run(run, std::move(stop), progress);
}

}  // namespace attnscope
