// figure, figures: print-quality figures from recipes, and the list of those that come with the program.

#include "app/commands/command_table.h"
#include "app/commands/head_input.h"
#include "app/commands/offscreen.h"
#include "app/commands/options.h"
#include "app/commands/progress.h"
#include "core/base/choice.h"
#include "core/base/replace_file.h"
#include "ui/figure/figure.h"

namespace attnscope {

namespace {

struct FigureSettings {
    std::string recipe;
    std::string output;
    std::string folder;
    FigureOptions options;
    bool progress = false;
};

Result<void> runFigure(const FigureSettings& settings, const Console& console)
{
    const bool all = !settings.folder.empty();
    if (all && !(settings.recipe.empty() && settings.output.empty() && settings.options.dataPath.empty()))
        return failure(ErrorKind::InvalidArgument,
                       "--all makes every figure with its data; it takes no NAME, --output or --data");
    if (!all && settings.recipe.empty())
        return failure(ErrorKind::InvalidArgument,
                       "name a figure (attnscope figures lists them) or a recipe, or give --all DIR");
    if (!all && settings.output.empty())
        return failure(ErrorKind::InvalidArgument, "--output is required: a path that ends in .pdf, .svg or .png");
    TRY(checkApart(settings.recipe, "NAME", settings.output, "--output"));
    TRY(checkApart(settings.recipe, "NAME", settings.options.dataPath, "--data"));
    TRY(eachKeyOnce("--set", settings.options.settings));
    ensureDrawing();
    if (!all) {
        const QSizeF size = TRY(renderFigure(settings.recipe, settings.output, settings.options, {}));
        if (!fitsA4(size))
            writeNotes(console, {formatNumber(size.width(), 4) + " x " + formatNumber(size.height(), 4) +
                                 " mm are more than a page of A4"});
        return {};
    }
    Progress progress(console, "figures", settings.progress);
    return renderGallery(settings.folder, settings.options,
                         [&](int done, int count, const std::string&) {
                             progress.update(static_cast<double>(done) / std::max(count, 1));
                         },
                         {});
}

Result<void> listFigures(const std::optional<Format>& format, const Console& console)
{
    ResultWriter writer(console.out, formatFor(format, console), {"name", "title", "source", "seconds"});
    for (const GalleryRow& row : gallery())
        writer.add({row.name, row.title, row.source, row.seconds});
    writer.finish();
    return {};
}

}  // namespace

Command figureCommand()
{
    return commandWith<FigureSettings>(
        "figure", "A print-quality figure as PDF, SVG or PNG",
        {"figure method_grid -o grid.pdf",
         "figure all_multipliers -o slide.svg --width 183mm --set style=slide --data numbers.csv",
         "figure grid.pdf -o again.pdf", "figure --all figures/"},
        [](CLI::App& app, FigureSettings& settings) {
            app.add_option("NAME", settings.recipe,
                           "A name of `attnscope figures`, a recipe (.json), or a figure that this program made")
                ->type_name("");
            app.add_option("-o,--output", settings.output, "File to write; its ending decides: .pdf, .svg or .png")
                ->type_name("FILE");
            addOption(app, "--width", "WIDTH", settings.options.widthMm, parseWidth,
                      "Width: 89mm, 120mm, 183mm, 12cm, 3.5in");
            addOption(
                app, "--style", "paper|slide|dark|dark-slide", settings.options.style,
                [](const std::string& text) { return Result<std::string>(text); }, "Style");
            app.add_option("--set", settings.options.settings,
                           "Overrides of the recipe, as scenario.n=256 or parameters.decades=3")
                ->type_name("FIELD=VALUE");
            app.add_option("--data", settings.options.dataPath, "Also write every plotted number as CSV")
                ->type_name("FILE");
            app.add_option("--all", settings.folder,
                           "Make every figure of the gallery in this folder, with an index page")
                ->type_name("DIR");
            addProgress(app, settings.progress);
        },
        runFigure);
}

Command figuresCommand()
{
    return commandWith<std::optional<Format>>("figures", "The figures that come with the program", {"figures"},
                                              addFormat, listFigures);
}

}  // namespace attnscope
