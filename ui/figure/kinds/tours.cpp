// One instance routed by one network under the scale it was trained with and under another: the two tours side by side,
// or a row each with some steps on the way, with the attention of the place where each tour stands.

#include "core/base/json_writer.h"
#include "ui/figure/kinds/support.h"
#include "ui/figure/tours_recipe.h"

namespace attnscope {

Recipe toursRecipe(const RedecodingRequest& request, const std::vector<std::int64_t>& steps)
{
    Recipe recipe;
    recipe.name = recipe.kind = "tours";
    recipe.widthMm = 120;
    ObjectWriter writer;
    redecodingFields(writer, request);
    recipe.parameters = std::move(writer).json();
    for (const char* name : {"model", "instances"})
        if (recipe.parameters[name] == "")
            recipe.parameters.erase(name);
    if (!request.model.empty())
        for (const char* ofShipped : {"vehicles", "learned"})
            recipe.parameters.erase(ofShipped);
    if (request.trainLength == 0)
        recipe.parameters.erase("n_train");
    if (!steps.empty())
        recipe.parameters["steps"] = steps;
    return recipe;
}

Result<FigureContent> buildTours(const Recipe& recipe, std::stop_token stop)
{
    RedecodingRequest request;
    std::vector<std::int64_t> choices;
    ObjectReader reader(recipe.parameters, "parameters");
    redecodingFields(reader, request);
    reader.numbers("steps", choices, 0, 2 * RedecodingRequest::mostCities, 20);
    TRY(reader.finish());
    Redecoder redecoder;
    const Redecoded found = TRY(redecoder(request, stop));
    FigureContent content;
    const bool whole = choices.empty(), sideBySide = choices.size() < 2;  // else a row each
    for (std::size_t i = 0; i < found.tours.panels.size(); ++i) {
        (sideBySide ? content.columnTitles : content.rowTitles).push_back(symbolsIn(text(found.tours.panels[i].title)));
        if (whole)
            addPanel(content, tourPanel({found.tours, i, {}}), 0, i);
        for (std::size_t column = 0; column < choices.size(); ++column)
            addPanel(content,
                     tourPanel({found.tours, i, stepOf(found.tours.panels[i], found.glimpses[i], choices[column])}),
                     sideBySide ? 0 : i, sideBySide ? i : column);
    }
    QStringList steps;
    for (const std::int64_t choice : choices)
        steps << (choice < choicesOf(found) ? u"Choice %1"_s.arg(choice + 1) : u"Made"_s);
    content.footnote = symbolsIn(text(found.tours.title)) + u". "_s;
    if (sideBySide)
        content.footnote += whole ? QString() : steps.front() + u". "_s;
    else
        content.columnTitles = {steps.begin(), steps.end()};
    content.footnote += meaningOfTours(!whole);
    return content;
}

}  // namespace attnscope
