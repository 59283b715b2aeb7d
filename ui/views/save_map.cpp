#include "ui/views/save_map.h"

#include "core/base/replace_file.h"
#include "ui/figure/figure.h"
#include "ui/figure/figure_content.h"
#include "ui/figure/labels.h"
#include "ui/figure/map_pictures.h"
#include "ui/plot/heatmap_plottable.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/typeset.h"
#include "ui/widgets/save_picture.h"
#include "ui/views/heatmap_plot.h"
#include "ui/views/heatmap_tile.h"

#include <QAction>

namespace attnscope {

namespace {

constexpr double mapWidthMm = 89;  // a column of a journal

}  // namespace

FigureContent mapFigure(const HeatmapPlot& plot, const MapWords& words)
{
    const HeatmapPlottable& drawn = plot.plottable();
    FigureContent content;
    Panel& panel = content.panels.emplace_back(weightsPanel(drawn.map(), drawn.scale(), symbolsIn(words.title)));
    panel.absent = drawn.absentRows();
    panel.chart.notes = plot.notes();
    nameTokens(panel, plot.keyTokens(), plot.queryTokens());
    content.bars.push_back({drawn.scale(), words.bar});
    content.footnote = words.footnote;
    return content;
}

Result<void> saveMap(const FigureContent& map, const QString& path)
{
    if (path.endsWith(".csv"_L1, Qt::CaseInsensitive))
        return replaceFile(path.toStdString(), dataTable(map));
    Recipe recipe;
    recipe.title = plainText(map.panels.front().chart.title).toStdString();
    recipe.widthMm = mapWidthMm;
    return saveFigure(map, recipe, path.toStdString());
}

void offerSaving(MapTile& tile, const std::function<MapWords()>& words)
{
    HeatmapPlot* plot = tile.plot();
    auto* save = new QAction(savingWords(true), plot);
    plot->addAction(save);
    QObject::connect(save, &QAction::triggered, plot, [&tile, plot, words] {
        if (!hasCells(plot->map()))
            return;
        MapWords said = words();
        said.title = tile.title();
        askAndSave(*plot, u"map"_s, true,
                   [map = mapFigure(*plot, said)](const QString& path) { return saveMap(map, path); });
    });
}

}  // namespace attnscope
