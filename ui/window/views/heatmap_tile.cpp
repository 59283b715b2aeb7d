#include "ui/window/views/heatmap_tile.h"

#include "core/base/choice.h"
#include "ui/plot/heatmap_plottable.h"
#include "ui/plot/plot_style.h"
#include "ui/window/controls/elided.h"
#include "ui/window/controls/line_swatch.h"
#include "ui/window/theme.h"
#include "ui/window/views/heatmap_plot.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace attnscope {

HeatmapTile::HeatmapTile(QWidget* parent)
    : QWidget(parent), m_swatch(new LineSwatch), m_name(new ElidedLabel), m_worked(new ElidedLabel), m_plot(new HeatmapPlot)
{
    auto* heading = new QHBoxLayout;
    heading->setContentsMargins(44, 0, 6, 0);
    heading->setSpacing(6);
    heading->addWidget(m_swatch);
    heading->addWidget(m_name, 0);
    heading->addWidget(m_worked, 1);
    QFont bold = m_name->font();
    bold.setWeight(QFont::DemiBold);
    m_name->setFont(bold);
    m_worked->setProperty("role", "caption");
    m_name->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    m_worked->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(heading);
    layout->addWidget(m_plot, 1);
    m_name->setFixedHeight(headingHeight);
}

void HeatmapTile::setHeading(int style, const QString& name, const QString& worked, double keys)
{
    m_swatch->setPosition(style);
    m_swatch->setVisible(style >= 0);
    m_name->setText(name);
    const auto equals = worked.lastIndexOf(QStringLiteral(" = "));
    QString caption = equals < 0 ? worked : QStringLiteral("m = ") + worked.mid(equals + 3);
    if (keys > 0)
        caption = tr("%1 keys \u00B7 %2").arg(QString::fromStdString(formatNumber(keys, 3)), caption);
    m_worked->setText(caption);
    m_worked->setToolTip(keys > 0 ? tr("A row attends to about %1 keys: e^H, H its mean entropy.<br>%2").arg(keys, 0, 'g', 4).arg(worked.toHtmlEscaped()) : worked);
    m_plot->setAccessibleName(tr("Attention map of %1").arg(name));
    m_plot->setAccessibleDescription(tr("Queries down, keys across. Arrow keys choose a row and pan, plus and minus zoom, 0 shows all"));
}

QString HeatmapTile::name() const { return m_name->text(); }
QString HeatmapTile::caption() const { return m_worked->text(); }

void HeatmapTile::setPointed(bool pointed)
{
    m_swatch->setStrong(pointed);
}

void TileGrid::setTiles(std::vector<QWidget*> tiles)
{
    m_tiles = std::move(tiles);
    for (QWidget* tile : m_tiles) {
        tile->setParent(this);
        tile->show();
    }
    arrange();
}

void TileGrid::arrange()
{
    const int count = static_cast<int>(m_tiles.size());
    if (count == 0)
        return;
    constexpr int gap = 10;
    const QSize around = HeatmapPlot::surroundings() + QSize(0, HeatmapTile::headingHeight);
    int bestColumns = 1, bestSide = -1;
    for (int columns = 1; columns <= count; ++columns) {
        const int rows = (count + columns - 1) / columns;
        const int side = std::min((width() - (columns - 1) * gap) / columns - around.width(),
                                  (height() - (rows - 1) * gap) / rows - around.height());
        if (side > bestSide) {
            bestSide = side;
            bestColumns = columns;
        }
    }
    const int rows = (count + bestColumns - 1) / bestColumns;
    const QSize tile(std::min(width(), bestSide + around.width()), std::min(height(), bestSide + around.height()));
    const QSize all(bestColumns * tile.width() + (bestColumns - 1) * gap, rows * tile.height() + (rows - 1) * gap);
    const QPoint origin((width() - all.width()) / 2, std::min(12, (height() - all.height()) / 2));
    for (int i = 0; i < count; ++i)
        m_tiles[static_cast<size_t>(i)]->setGeometry(origin.x() + (i % bestColumns) * (tile.width() + gap),
                                                     origin.y() + (i / bestColumns) * (tile.height() + gap), tile.width(), tile.height());
}

ColourBar::ColourBar(const QString& name, QWidget* parent) : QWidget(parent)
{
    setFixedHeight(48);
    setMinimumWidth(120);
    setMaximumWidth(300);
    setAccessibleName(name);
    setToolTip(name);
}

void ColourBar::setScale(const ColourScale& scale, const QString& title)
{
    m_scale = scale;
    m_title = title;
    update();
}

void ColourBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintColourBar(painter, QRectF(16, 18, width() - 32, 8), m_scale, m_title, windowStyle(currentTheme().dark));
}

}  // namespace attnscope
