#pragma once
// The charts of Explore. A row here is a dock there, a view on the stage and in recordings, a figure, and data to copy.

#include "core/document/look.h"

#include <QString>

#include <span>
#include <string>

namespace attnscope {

struct ExploreChart {
    std::string id;     ///< of its dock, and in Recipe's views
    const char* title;  ///< whatever it shows; the letter after & is its key in menus and on the stage
    const char* help;   ///< how it is read, for who cannot see it
    /// Annotation::chart of what is shown.
    std::string (*name)(const Scenario& scenario, const Look& look);
    /// In the window and in print.
    ChartSpec (*chart)(const Analysis& analysis, const Look& look);
    /// Are its lines those of methods? Then the pins' stand behind them.
    bool (*showsMethods)(const Analysis& analysis, const Look& look) = [](const Analysis&, const Look&) {
        return true;
    };
    /// In print, above a chart without a title.
    QString (*printed)(const Analysis& analysis, const Look& look) = [](const Analysis&, const Look&) {
        return QString();
    };

    /// Of its card; null: the title.
    QString (*titleNow)(const Scenario& scenario) = nullptr;

    /// Without the &.
    QString plainTitle() const;
    QString titleOf(const Scenario& scenario) const { return titleNow ? titleNow(scenario) : plainTitle(); }
    Qt::Key key() const;
    /// Of a pin, to stand behind that of the scenario: the methods alone.
    ChartSpec ofPin(const Analysis& pin, Look look) const;
};

/// In the order of the docks, from the top.
std::span<const ExploreChart> exploreCharts();

/// Null: there is none of that id.
const ExploreChart* findExploreChart(std::string_view id);

}  // namespace attnscope
