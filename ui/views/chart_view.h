#pragma once
// A ChartSpec in the window: paints it, reads a value a line where the pointer is, zooms, pans and fits, tells what is
// hovered and clicked, lets strong reference lines (the markers at n and N) be dragged or moved with the arrow keys,
// and marks what is pointed at elsewhere. While a line is dragged the axis below it stays, whatever is shown: the
// pointer means the same from press to release. Knows nothing of attention. A chart that is on the screen already is
// painted anew by a thread of its own, and the old picture stays for these few milliseconds; one that has none, or not
// of this size, is painted at once, and so is whatever leaves the window as a picture.

#include "core/document/look.h"
#include "ui/job/latest_job.h"
#include "ui/plot/chart.h"
#include "ui/plot/chart_readout.h"
#include "ui/views/chart_mark.h"
#include "ui/widgets/focus_frame.h"

#include <QImage>
#include <QPixmap>
#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>

class QToolButton;

namespace attnscope {

class ChartView : public QWidget {
    Q_OBJECT
public:
    static constexpr double reach = 7;  ///< device-independent pixels: of a point or a line, from the pointer
    using Range = std::pair<double, double>;

    explicit ChartView(QWidget* parent = nullptr);
    /// A zoom stays while the axes mean the same.
    void show(ChartSpec spec);
    const ChartSpec& spec() const { return m_spec; }
    /// With the zoom and the emphasis that are on the screen.
    ChartSpec onScreen() const { return painted(); }
    /// Where everything stands in the widget.
    const ChartLayout& chartLayout() const;
    const FocusFrame& focusFrame() const { return m_focus; }
    /// Stays until another one is set, over new data too. Drawing it does not draw the chart again.
    void setMark(ChartMark mark);
    const ChartMark& mark() const { return m_mark; }
    /// Series of this style stand out, the others step back; -1: all alike.
    void setEmphasis(int style);
    /// With a legend below, whatever the chart has: where nothing beside it says whose lines these are.
    void nameLines(bool named);
    /// A legend below gives way to names at the ends of the lines, wherever the chart has room for them.
    void setNamesAtEnds(bool atEnds);
    /// A legend below stands in a corner of the frame instead, where one has no point: beside charts that have none
    /// below, so that their axes are at one height.
    void setNamesInside(bool inside);
    int emphasis() const { return m_emphasis; }
    /// In a page that scrolls the wheel zooms with Ctrl only.
    void setZoomsWithControl(bool needed) { m_zoomsWithControl = needed; }
    /// Closer by the factor, about a point of the widget.
    void zoom(double factor, QPointF about);
    void fit();
    /// Of the axes, in their units; empty: the whole chart.
    void showZoom(const std::optional<ChartZoom>& zoom);
    const std::optional<ChartZoom>& shownZoom() const { return m_zoom; }
    /// Where the pointer read the chart last, in the widget; its middle before that.
    QPointF lastPointed() const { return m_read.value_or(chartLayout().frame.center()); }
    /// As if the pointer read the chart there, without its readout.
    void point(QPointF at);
    bool isZoomed() const { return m_zoom.has_value(); }
    /// Says how many lines a zoom leaves out of sight, and shows the whole chart when it is clicked; hidden where there
    /// are none.
    QToolButton* outside() const { return m_outside; }
    /// A second cursor, which stays at this abscissa: the readout says the change from there to the pointer.
    void setSince(std::optional<double> x);
    const std::optional<double>& since() const { return m_since; }
    /// As the pointer reads the chart, or read it last; without lines before that.
    ChartReadout readout() const;
    /// That as text; empty before that.
    QString reading() const;
    QSize sizeHint() const override { return {380, 280}; }
    QSize minimumSizeHint() const override { return {214, 90}; }

signals:
    /// `value`: at the abscissa of the readout; `hit`: the point that is meant, if the pointer is on one.
    void hovered(QPointF value, std::optional<attnscope::ChartHit> hit);
    void left();
    void clicked(QPointF value, std::optional<attnscope::ChartHit> hit);
    void lineDragged(int line, double value);
    void lineReleased(int line);
    void zoomChanged();  ///< by the user

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void moveEvent(QMoveEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    ChartSpec painted() const;
    /// What a thread needs to paint the chart: values alone.
    struct Picture {
        ChartSpec spec;
        ChartLayout layout;
        PlotStyle style;
        QSize pixels;
        double ratio = 1;  ///< device pixels of the widget's
        QImage image() const;
    };
    Picture picture() const;
    struct Painted {
        QImage image;
        std::uint64_t version = 0;
    };
    bool fits(QSize pixels, double ratio) const;
    void redraw();
    /// Charts below one another in a window have their ordinates in one line, charts side by side their tops.
    void lineUp();
    void showOutside();
    void repaintLater();
    void take(const Painted& painted);
    void drawMark(QPainter& painter) const;
    void setZoom(QRectF corners);
    int strongLineAt(QPointF position) const;
    void moveLine(int direction, Qt::KeyboardModifiers modifiers);
    void endDrag();
    void read(QPointF at);
    ChartReadout readoutAtPlace(QPointF at) const;
    void toggleSince(QPointF at);

    QToolButton* m_outside;
    ChartSpec m_spec;
    Legend m_legend = Legend::None;  ///< the chart's own
    bool m_namesLines = false, m_namesAtEnds = false, m_namesInside = false;
    ChartMark m_mark;
    mutable std::optional<ChartLayout> m_layout;
    mutable double m_needed = 0;                        ///< from the widget's left to the ordinate: what stands there
    mutable double m_neededAbove = 0;                   ///< from its top to the frame: the title
    double m_ordinate = 0;                              ///< at least, for those below and above
    double m_above = 0;                                 ///< at least, for those beside it
    QPixmap m_picture;                                  ///< the chart without marks and readout; null: to be drawn
    std::uint64_t m_version = 0, m_paintedVersion = 0;  ///< of what is to be seen, and of m_picture
    std::unique_ptr<LatestJob<Painted>> m_painter;      ///< made when a first picture is replaced
    bool m_paints = false;                              ///< m_painter is at work
    std::optional<ChartZoom> m_zoom;
    std::optional<QPointF> m_pointer;  ///< over the frame, where the readout is
    std::optional<QPointF> m_read;     ///< the last of these
    std::optional<double> m_since;
    std::optional<QPointF> m_pressed;  ///< the left button, not on a line
    QPointF m_panned;                  ///< up to where
    int m_emphasis = -1;
    int m_draggedLine = -1;
    int m_steppedLine = -1;            ///< by a key that is held
    std::optional<Range> m_heldRange;  ///< of the abscissa, while a line is dragged
    QRectF m_heldFrame;                ///< likewise
    bool m_panning = false;
    bool m_zoomsWithControl = false;
    FocusFrame m_focus{*this};
};

}  // namespace attnscope
