#include "ui/plot/absent_rows.h"

#include <QPainter>

#include <algorithm>

namespace attnscope {

std::vector<RowBand> rowsWithoutValue(std::span<const RowSummary> rows, std::span<const std::int64_t> sampled,
                                      std::int64_t queryCount)
{
    std::vector<RowBand> bands;
    for (std::size_t i = 0; i < rows.size() && (sampled.empty() || i < sampled.size()); ++i) {
        if (rows[i].visible > 0)
            continue;
        const auto row = static_cast<std::int64_t>(i);
        RowBand band{row, row + 1};
        if (!sampled.empty()) {
            band.begin = i == 0 ? 0 : (sampled[i - 1] + sampled[i] + 1) / 2;
            band.end = i + 1 == sampled.size() ? queryCount : (sampled[i] + sampled[i + 1] + 1) / 2;
        }
        if (!bands.empty() && bands.back().end >= band.begin)
            bands.back().end = band.end;
        else
            bands.push_back(band);
    }
    return bands;
}

std::vector<RowBand> joined(std::vector<RowBand> a, std::span<const RowBand> b)
{
    a.insert(a.end(), b.begin(), b.end());
    std::sort(a.begin(), a.end(), [](const RowBand& x, const RowBand& y) { return x.begin < y.begin; });
    std::vector<RowBand> bands;
    for (const RowBand& band : a)
        if (!bands.empty() && bands.back().end >= band.begin)
            bands.back().end = std::max(bands.back().end, band.end);
        else
            bands.push_back(band);
    return bands;
}

void paintRowBands(QPainter& painter, const QRectF& target, const Region& region, std::span<const RowBand> bands,
                   const QColor& paper, const QColor& ink)
{
    const double height = target.height() / static_cast<double>(region.rowEnd - region.rowBegin);
    painter.save();
    painter.setPen(Qt::NoPen);
    for (const RowBand& band : bands) {
        const std::int64_t begin = std::max(band.begin, region.rowBegin), end = std::min(band.end, region.rowEnd);
        if (begin >= end)
            continue;
        const QRectF shown(target.left(), target.top() + height * static_cast<double>(begin - region.rowBegin),
                           target.width(), std::max(1.0, height * static_cast<double>(end - begin)));
        painter.setBrush(paper);
        painter.drawRect(shown);
        painter.setBrush(QBrush(ink, Qt::BDiagPattern));
        painter.drawRect(shown);
    }
    painter.restore();
}

}  // namespace attnscope
