#include "ui/views/chart_notes.h"

#include "ui/figure/chart_look.h"
#include "ui/workbench/document.h"
#include "ui/views/chart_view.h"
#include "ui/views/note_pad.h"

#include <utility>

namespace attnscope {

namespace {
constexpr double snapReach = 14;  // device-independent pixels
}

ChartNotes::ChartNotes(Document& document, ChartView* chart, std::function<std::string()> name)
    : QObject(chart), m_document(document), m_chart(chart), m_name(std::move(name)),
      m_pad(new NotePad(document, {.widget = chart,
                                   .name = m_name,
                                   .layout = [chart] { return chart->chartLayout(); },
                                   .lastPointed = [chart] { return chart->lastPointed(); },
                                   .valueAt = [this](QPointF at) { return valueAt(at); },
                                   .point = [chart](QPointF at) { chart->point(at); },
                                   .chart = [chart] { return chart->onScreen(); }}))
{
    connect(chart, &ChartView::zoomChanged, this, &ChartNotes::keepZoom);
}

QLineEdit* ChartNotes::field() const { return m_pad->field(); }

void ChartNotes::show(ChartSpec spec)
{
    const Look& look = m_document.look();
    m_chart->show(withAnnotations(std::move(spec), look, m_name()));
    const auto zoom = look.zooms.find(m_name());
    m_chart->showZoom(zoom == look.zooms.end() ? std::nullopt : std::optional(zoom->second));
}

void ChartNotes::keepZoom()
{
    m_document.editLook([this](Look& look) {
        if (const auto zoom = m_chart->shownZoom())
            look.zooms[m_name()] = *zoom;
        else
            look.zooms.erase(m_name());
    });
}

/// The curve nearest to a place of the view, or the place itself.
QPointF ChartNotes::valueAt(QPointF at) const
{
    const ChartLayout& place = m_chart->chartLayout();
    if (const auto hit = nearestPoint(m_chart->spec(), place, at, snapReach)) {
        const ChartPoint& point =
            m_chart->spec().series[static_cast<std::size_t>(hit->series)].points[static_cast<std::size_t>(hit->point)];
        return {point.x, point.y};
    }
    return place.value(at);
}

}  // namespace attnscope

#include "moc_chart_notes.cpp"
