#pragma once
// What each file of this folder provides. A kind reads its parameters from the recipe, asks core for numbers and lays them
// out as panels.

#include "ui/figure/figure_kind.h"

namespace attnscope {

FigureKind methodGridKind();
FigureKind scaleCurvesKind();
FigureKind dispersionKind();
FigureKind entropyCurvesKind();
FigureKind approximationsKind();
FigureKind powerSeriesKind();
FigureKind adaptiveFitKind();
FigureKind headSizeKind();
FigureKind publishedCurvesKind();
FigureKind publishedTablesKind();
FigureKind scenarioGridKind();
FigureKind cosinePeakKind();
FigureKind cosineAnglesKind();
FigureKind headEntropyKind();
FigureKind entropySourcesKind();
FigureKind maxRetrievalHeadsKind();
FigureKind maxRetrievalTableKind();
FigureKind figure7HereKind();
FigureKind eieTablesKind();
FigureKind languageHereKind();
FigureKind labRunKind();
FigureKind modelQualityKind();
FigureKind scoreboardKind();
FigureKind scoreboardEntropyKind();
FigureKind viewsKind();

}  // namespace attnscope
