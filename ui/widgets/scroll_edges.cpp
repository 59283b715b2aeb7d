#include "ui/widgets/scroll_edges.h"

#include "ui/widgets/theme.h"

#include <QAbstractScrollArea>
#include <QEvent>
#include <QLinearGradient>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cstdlib>

namespace attnscope {

namespace {

constexpr int fadesOver = 16;  // pixels: a line of text
constexpr const char* wholeAtTop = "wholeAtTop";

/// Lies over the viewport, and takes no event of it.
class ScrollEdges : public QWidget {
public:
    explicit ScrollEdges(QAbstractScrollArea& area) : QWidget(&area), m_area(area)
    {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setAttribute(Qt::WA_NoSystemBackground);
        area.viewport()->installEventFilter(this);
        const QScrollBar* down = area.verticalScrollBar();
        connect(down, &QScrollBar::valueChanged, this, qOverload<>(&QWidget::update));
        connect(down, &QScrollBar::rangeChanged, this, qOverload<>(&QWidget::update));
        cover();
    }

protected:
    bool eventFilter(QObject*, QEvent* event) override
    {
        if (event->type() == QEvent::Resize || event->type() == QEvent::Move || event->type() == QEvent::Show)
            cover();
        return false;
    }

    void paintEvent(QPaintEvent*) override
    {
        const QScrollBar& down = *m_area.verticalScrollBar();
        QPainter painter(this);
        if (!m_area.property(wholeAtTop).toBool())
            fade(painter, 0, std::min(fadesOver, down.value() - down.minimum()));
        fade(painter, height(), -std::min(fadesOver, down.maximum() - down.value()));
    }

private:
    void cover()
    {
        setGeometry(m_area.viewport()->geometry());
        raise();
    }

    /// From the edge inwards; the nearer the end, the less of it.
    void fade(QPainter& painter, int edge, int depth) const
    {
        if (depth == 0)
            return;
        QColor ground = currentTheme().surface;
        QLinearGradient fading(0, edge, 0, edge + depth);
        fading.setColorAt(0, ground);
        ground.setAlpha(0);
        fading.setColorAt(1, ground);
        painter.fillRect(QRect(0, std::min(edge, edge + depth), width(), std::abs(depth)), fading);
    }

    QAbstractScrollArea& m_area;
};

}  // namespace

void fadeEdges(QAbstractScrollArea& area) { (new ScrollEdges(area))->show(); }

void keepBarRoom(QAbstractScrollArea& area)
{
    QScrollBar* bar = area.verticalScrollBar();
    QSizePolicy policy = bar->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    bar->setSizePolicy(policy);
    area.setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    bar->hide();
    QObject::connect(bar, &QScrollBar::rangeChanged, bar,
                     [bar](int least, int most) { bar->setVisible(most > least); });
}

void setWholeAtTop(QAbstractScrollArea& area, bool whole) { area.setProperty(wholeAtTop, whole); }

}  // namespace attnscope
