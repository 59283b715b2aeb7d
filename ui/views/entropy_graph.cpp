#include "ui/views/entropy_graph.h"

#include "ui/plot/custom_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnscope {

EntropyGraph::EntropyGraph(QCPAxisRect* strip) : m_strip(strip)
{
    for (QCPGraph** graph : {&m_lowest, &m_highest, &m_line}) {
        *graph = new QCPGraph(strip->axis(QCPAxis::atLeft), strip->axis(QCPAxis::atBottom));
        (*graph)->setPen(Qt::NoPen);
        (*graph)->setAntialiasedFill(false);
    }
    m_highest->setChannelFillGraph(m_lowest);
    m_line->setAdaptiveSampling(true);
}

void EntropyGraph::setRows(const Analysis& analysis, const MethodAnalysis& method, const QColor& colour)
{
    m_rows.clear();
    m_entropies.clear();
    for (std::size_t i = 0; i < method.rows.size(); ++i) {
        if (method.rows[i].visible == 0)
            continue;
        const std::int64_t row = analysis.sampledRows.empty() ? static_cast<std::int64_t>(i) : analysis.sampledRows[i];
        m_rows.push_back(double(row) + 0.5);
        m_entropies.push_back(method.rows[i].entropy);
    }
    constexpr double thick = 1.25;  // as heavy on a screen of few pixels as on one of many
    m_line->setPen(QPen(colour, thick));
    QColor fill = colour;
    fill.setAlphaF(0.16F);
    m_line->setBrush(fill);
    fill.setAlphaF(0.4F);
    m_highest->setBrush(fill);
}

void EntropyGraph::clear()
{
    m_rows.clear();
    m_entropies.clear();
    for (QCPGraph* graph : {m_lowest, m_highest, m_line})
        graph->data()->clear();
}

void EntropyGraph::arrange(int pixels)
{
    const QCPRange shown = m_strip->axis(QCPAxis::atLeft)->range();
    const auto first = std::ranges::lower_bound(m_rows, shown.lower),
               last = std::ranges::upper_bound(m_rows, shown.upper);
    m_lowest->data()->clear();
    m_highest->data()->clear();
    if (last - first <= pixels || shown.size() <= 0)
        return m_line->setData(m_rows, m_entropies, true);
    m_line->data()->clear();
    const double pixel = shown.size() / pixels;
    const auto pixelOf = [&](double row) { return std::floor((row - shown.lower) / pixel); };
    for (auto from = first; from != last;) {
        const double at = pixelOf(*from);
        double low = std::numeric_limits<double>::infinity(), high = -low, sum = 0;
        auto to = from;
        for (; to != last && pixelOf(*to) == at; ++to) {
            const double one = m_entropies[to - m_rows.begin()];
            low = std::min(low, one);
            high = std::max(high, one);
            sum += one;
        }
        const double middle = shown.lower + (at + 0.5) * pixel;
        m_lowest->addData(middle, low);
        m_highest->addData(middle, high);
        m_line->addData(middle, sum / double(to - from));
        from = to;
    }
}

}  // namespace attnscope
