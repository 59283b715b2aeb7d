#pragma once
// What each file of this folder provides. A kind reads its parameters from the recipe, asks core for numbers and lays
// them out as panels.

#include "ui/figure/figure_kind.h"

namespace attnscope {

Result<FigureContent> buildViews(const Recipe& recipe, std::stop_token stop);
Result<FigureContent> buildMethodGrid(const Recipe& recipe, std::stop_token stop);
Result<FigureContent> buildScaleCurves(const Recipe& recipe, std::stop_token stop);
Result<FigureContent> buildDispersion(const Recipe& recipe, std::stop_token stop);
Result<FigureContent> buildEntropyCurves(const Recipe& recipe, std::stop_token stop);
Result<FigureContent> buildApproximations(const Recipe& recipe, std::stop_token stop);
Result<FigureContent> buildPowerSeries(const Recipe& recipe, std::stop_token stop);
Result<FigureContent> buildAdaptiveFit(const Recipe& recipe, std::stop_token stop);
Result<FigureContent> buildHeadSize(const Recipe& recipe, std::stop_token stop);
Result<FigureContent> buildPublishedCurves(const Recipe& recipe, std::stop_token stop);
Result<FigureContent> buildPublishedTables(const Recipe& recipe, std::stop_token stop);
Result<FigureContent> buildScenarioGrid(const Recipe& recipe, std::stop_token stop);
Result<FigureContent> buildCosinePeak(const Recipe& recipe, std::stop_token stop);
Result<FigureContent> buildCosineAngles(const Recipe& recipe, std::stop_token stop);
Result<FigureContent> buildHeadEntropy(const Recipe& recipe, std::stop_token stop);
Result<FigureContent> buildEntropySources(const Recipe& recipe, std::stop_token stop);
Result<FigureContent> buildMaxRetrievalHeads(const Recipe& recipe, std::stop_token stop);
Result<FigureContent> buildMaxRetrievalTable(const Recipe& recipe, std::stop_token stop);
Result<FigureContent> buildFigure7Here(const Recipe& recipe, std::stop_token stop);
Result<FigureContent> buildEieTables(const Recipe& recipe, std::stop_token stop);
Result<FigureContent> buildEncoderInputs(const Recipe& recipe, std::stop_token stop);
Result<FigureContent> buildLanguageHere(const Recipe& recipe, std::stop_token stop);
Result<FigureContent> buildTours(const Recipe& recipe, std::stop_token stop);
Result<FigureContent> buildLabRun(const Recipe& recipe, std::stop_token stop);
Result<FigureContent> buildModelQuality(const Recipe& recipe, std::stop_token stop);
Result<FigureContent> buildNeedleMap(const Recipe& recipe, std::stop_token stop);
Result<FigureContent> buildRepeatRecall(const Recipe& recipe, std::stop_token stop);
Result<FigureContent> buildScoreboard(const Recipe& recipe, std::stop_token stop);
Result<FigureContent> buildScoreboardEntropy(const Recipe& recipe, std::stop_token stop);

}  // namespace attnscope
