#pragma once
// The pinned scenarios (Look::pins) answered, for the views that show them behind the present one. What was on the
// screen when it was pinned is kept as it was; what a session brought, or another measure or row set needs, is computed
// beside the window, one after another.

#include "ui/job/derived.h"
#include "ui/workbench/analyser.h"
#include "ui/plot/chart.h"

#include <QObject>

#include <vector>

namespace attnscope {

class Pins : public QObject {
    Q_OBJECT
public:
    Pins(Document& document, Analyser& analyser, QObject* parent = nullptr);

    /// The present scenario, if it is none of the pins yet and there is room. This, and removing, are steps of undo.
    void pin();
    void remove(int place);
    void removeAll();
    /// What these read was written again: they are computed anew.
    void readAgain(const std::function<bool(const Scenario&)>& reads);
    void putBack(const std::vector<Scenario>& before);
    /// Its scenario is the present one again: a step of undo.
    void goTo(int place);
    /// Shows the pin in place of the present scenario, in all views, until flipBack().
    void flipTo(int place);
    void flipBack();
    /// The pin that is shown in place of the present scenario; -1: none.
    int flipped() const { return m_flipped; }
    bool isFull() const;
    /// Of the present scenario; -1: it is none.
    int current() const;
    /// Of each pin; null: not known yet, or cannot be.
    const std::vector<AnalysisPtr>& analyses() const { return m_analyses; }

signals:
    void changed();
    void removed(const std::vector<attnscope::Scenario>& before);  ///< all of the pins as they were

private:
    void follow();
    void take(const Scenario& asked, const AnalysisPtr& analysis);
    Scenario asked(std::size_t place) const;

    Document& m_document;
    Analyser& m_analyser;
    std::vector<AnalysisPtr> m_analyses;
    std::vector<Scenario> m_asked;  ///< what each was computed for
    std::vector<bool> m_failed;
    int m_flipped = -1;
    Scenario m_flippedTo;                       ///< of that pin
    Derived<Scenario, AnalysisPtr> m_computed;  ///< of one pin after another
};

/// The pins that are known, each in the chart that `chartOf` makes of it, behind the present one. A pin that is the
/// present scenario hides behind it.
void addGhosts(ChartSpec& chart, const Pins& pins, const std::function<ChartSpec(const Analysis&)>& chartOf);

}  // namespace attnscope
