// The QCustomPlot shell of a chart: the plot lends its axes (ranges, zooming, dragging) and its event loop; the drawing is
// paintChart's.

#include "ui/plot/chart.h"

#include <qcustomplot.h>

namespace attnscope {

namespace {

class ChartView : public QCPLayerable {
    Q_OBJECT
public:
    explicit ChartView(QCustomPlot& plot) : QCPLayerable(&plot, QStringLiteral("main"))
    {
        setParent(&plot);
        QCPAxisRect* rect = plot.axisRect();
        rect->setAutoMargins(QCP::msNone);
        for (QCPAxis* axis : rect->axes()) {
            axis->setVisible(false);
            axis->grid()->setVisible(false);
        }
        connect(&plot, &QCustomPlot::beforeReplot, this, &ChartView::arrange);
    }

    void show(const ChartSpec& spec, const PlotStyle& style, bool keepRanges)
    {
        const bool keep = keepRanges && m_shown;
        m_spec = spec;
        m_style = style;
        m_shown = true;
        m_arrangedFor = {};
        const ChartLayout natural = layoutChart(spec, style, mParentPlot->viewport());
        applyAxis(mParentPlot->xAxis, spec.x, natural.xRange, keep);
        applyAxis(mParentPlot->yAxis, spec.y, natural.yRange, keep);
        mParentPlot->setBackground(style.background);
    }

    const ChartLayout& layout() const { return m_layout; }

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(true); }

    void draw(QCPPainter* painter) override
    {
        arrange();
        paintChart(*painter, m_spec, m_style, m_layout);
    }

    QRect clipRect() const override { return mParentPlot->viewport(); }

private:
    static void applyAxis(QCPAxis* axis, const ChartAxis& wanted, std::pair<double, double> range, bool keep)
    {
        axis->setScaleType(wanted.log ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
        if (!keep || wanted.range)
            axis->setRange(range.first, range.second);
    }

    /// What the layout depends on beside the spec.
    struct Place {
        QRect outer;
        QCPRange x, y;
        bool operator==(const Place&) const = default;
    };

    /// The frame follows the labels that the ranges of the moment need.
    void arrange()
    {
        const Place place{mParentPlot->viewport(), mParentPlot->xAxis->range(), mParentPlot->yAxis->range()};
        if (place == m_arrangedFor)
            return;
        m_arrangedFor = place;
        ChartSpec spec = m_spec;
        spec.x.range = {mParentPlot->xAxis->range().lower, mParentPlot->xAxis->range().upper};
        spec.y.range = {mParentPlot->yAxis->range().lower, mParentPlot->yAxis->range().upper};
        const QRect outer = mParentPlot->viewport();
        const QMargins margins = chartMargins(spec, m_style, outer).toMargins();
        mParentPlot->axisRect()->setMargins(margins);
        m_layout = layoutChart(spec, m_style, outer, QMarginsF(margins));
    }

    ChartSpec m_spec;
    PlotStyle m_style;
    ChartLayout m_layout;
    Place m_arrangedFor;
    bool m_shown = false;
};

ChartView* viewOf(const QCustomPlot& plot) { return plot.findChild<ChartView*>(QString(), Qt::FindDirectChildrenOnly); }

}  // namespace

void applyChart(QCustomPlot& plot, const ChartSpec& spec, const PlotStyle& style, bool keepRanges)
{
    ChartView* view = viewOf(plot);
    if (!view)
        view = new ChartView(plot);
    view->show(spec, style, keepRanges);
}

ChartLayout shownLayout(const QCustomPlot& plot)
{
    const ChartView* view = viewOf(plot);
    return view ? view->layout() : ChartLayout{};
}

}  // namespace attnscope

#include "chart_view.moc"
