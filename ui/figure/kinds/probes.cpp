// What models find again (core/model/probes.h), under scale methods and positions. The needle map: how often they find
// what was told once at a depth of a filler text, a field of depth against length for each method. Repeated tokens: how
// much of the second copy they know, against length, a line a method. A panel a position scheme; of several models the
// mean of their shares.

#include "core/attention/positions.h"
#include "core/model/generated_text.h"
#include "core/model/probes.h"
#include "ui/figure/kinds/support.h"
#include "ui/figure/model_figures.h"
#include "ui/figure/model_text.h"

namespace attnscope {

namespace {

struct ProbeOptions {
    std::vector<std::string> models, positions{std::string(ownPositions)};
    std::string text = generatedTextName, typed;  ///< around needles
    std::vector<std::int64_t> lengths;
    std::vector<double> depths{0, 0.25, 0.5, 0.75, 1};  ///< of needles
    double samples = 8, keys = 1;
    bool probability = false, difference = false;  ///< of needles, as needleValue() has them
};

Result<ProbeOptions> readProbeOptions(const Recipe& recipe, ProbeTask task)
{
    ProbeOptions options;
    ObjectReader reader(recipe.parameters, "parameters");
    reader.texts("models", options.models);
    readLengths(reader, "lengths", options.lengths, "64:1024:x2");
    reader.texts("positions", options.positions);
    reader.number("samples", options.samples, 2, 10000);
    if (task == ProbeTask::Needle) {
        reader.numbers("depths", options.depths, 0, 1, 100);
        reader.number("keys", options.keys, 1, mostNeedleKeys);
        reader.boolean("probability", options.probability);
        reader.boolean("difference", options.difference);
        reader.text("text", options.text);
        reader.text("typed", options.typed);
    }
    if (options.models.empty())
        reader.fail("parameters.models is empty; give models' folders, or names of models that come with the program");
    if (options.positions.empty())
        reader.fail("parameters.positions is empty; give \"own\" for the model's own, or ids of `attnscope positions`");
    if (options.depths.empty())
        reader.fail("parameters.depths is empty; give numbers from 0, the text's beginning, to 1, its end");
    TRY(reader.finish());
    if (recipe.scenario.methods.empty())
        return failure(ErrorKind::InvalidArgument, "scenario.methods is empty; name one scale method");
    return options;
}

/// The cells of all models as one list, in the order of runProbe's: a score is a model's, the mean of its samples; of
/// one model they are its own.
struct Probed {
    std::vector<ProbeCell> cells;
    FiguredPolicies of;
    ProbesRun run;
};

void addScores(std::vector<ProbeCell>& all, const std::vector<ProbeCell>& ofOne)
{
    all.resize(ofOne.size());
    for (std::size_t i = 0; i < ofOne.size(); ++i) {
        all[i].n = ofOne[i].n;
        all[i].depth = ofOne[i].depth;
        all[i].policy = ofOne[i].policy;
        if (ofOne[i].scores.empty())
            continue;
        const ProbeMeans means = meansOf(ofOne[i], nullptr);
        all[i].scores.push_back(
            {.loss = means.loss.mean, .right = means.right.mean, .firstLoss = means.firstLoss.mean});
    }
}

ModelAsked fillerAsked(const ProbeOptions& options)
{
    ModelAsked asked;
    asked.text = options.text;
    asked.typed = options.typed;
    return asked;
}

/// Of all models, and of the text between which a needle lies.
QString askedInWords(const ProbeOptions& options, ProbeTask task)
{
    const QString models = modelsInWords(options.models);
    return task == ProbeTask::Repeat ? models : u"%1, on %2"_s.arg(models, fillerAsked(options).textInWords());
}

Result<Probed> probed(const Recipe& recipe, ProbeTask task, std::stop_token stop)
{
    const auto options = TRY(readProbeOptions(recipe, task));
    Probed all{.cells = {},
               .of = {recipe.scenario.methods, options.positions},
               .run = {askedInWords(options, task), options.lengths, options.depths, static_cast<int>(options.samples),
                       options.models.size(), 0, 0, options.probability, options.difference}};
    ProbeRequest request{.task = task,
                         .lengths = options.lengths,
                         .depths = options.depths,
                         .policies = TRY(policiesOf(all.of)),
                         .samples = static_cast<int>(options.samples),
                         .keys = static_cast<int>(options.keys),
                         .words = {},
                         .seed = 1,
                         .engine = recipe.scenario.engine};
    for (const std::string& folder : options.models) {
        const Model model = TRY(openModel(folder));
        std::vector<int> filler;
        if (task == ProbeTask::Needle) {
            filler = TRY(tokensOf(model, fillerAsked(options), static_cast<double>(fillerTokens(request))));
            request.words = needleWordsFor(model, options.typed.empty() && options.text == generatedTextName);
        }
        auto cells = TRY(runProbe(
            model, filler, request, [](double) {}, stop));
        const auto trained = static_cast<double>(model.architecture.trainLength);
        all.run.trainLength = all.cells.empty() || all.run.trainLength == trained ? trained : 0;
        const std::int64_t vocabulary = model.architecture.vocabulary;
        all.run.vocabulary = all.cells.empty() || all.run.vocabulary == vocabulary ? vocabulary : 0;
        if (options.models.size() == 1)
            all.cells = std::move(cells);
        else
            addScores(all.cells, cells);
    }
    return all;
}

}  // namespace

Result<FigureContent> buildNeedleMap(const Recipe& recipe, std::stop_token stop)
{
    const Probed found = TRY(probed(recipe, ProbeTask::Needle, stop));
    return needleFigure(found.cells, found.of, found.run);
}

Result<FigureContent> buildRepeatRecall(const Recipe& recipe, std::stop_token stop)
{
    const Probed found = TRY(probed(recipe, ProbeTask::Repeat, stop));
    return recallFigure(found.cells, found.of, found.run);
}

}  // namespace attnscope
