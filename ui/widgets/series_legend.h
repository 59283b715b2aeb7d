#pragma once
// One legend for several charts, in columns of equal width; says which line's name the pointer is on. Of many lines it
// shows the first rows until the others are asked for: the charts matter more, and name a line under the pointer. Those
// that are drawn thin in one grey have one entry together, whose tip says which they are.

#include "ui/plot/chart.h"

#include <QWidget>

#include <vector>

class QToolButton;

namespace attnscope {

class SeriesLegend : public QWidget {
    Q_OBJECT
public:
    explicit SeriesLegend(QWidget* parent = nullptr);
    /// Hidden without any.
    void show(std::vector<ChartSeries> series);
    const std::vector<ChartSeries>& series() const { return m_series; }
    /// How many of them it names now.
    std::size_t named() const { return m_named.size(); }
    QToolButton& more() const { return *m_more; }

signals:
    /// Empty: on none.
    void pointed(const QString& label);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fit();
    void point(const QString& label);
    std::vector<ChartSeries> shown() const;

    std::vector<ChartSeries> m_series;
    std::vector<std::size_t> m_named;
    QToolButton* m_more;
    QString m_pointed;
};

}  // namespace attnscope
