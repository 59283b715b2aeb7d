#pragma once
// One legend for several charts, in rows as wide as it is; says which line's name the pointer is on.

#include "ui/plot/chart.h"

#include <QWidget>

#include <vector>

namespace attnscope {

class SeriesLegend : public QWidget {
    Q_OBJECT
public:
    explicit SeriesLegend(QWidget* parent = nullptr);
    /// Hidden without any.
    void show(std::vector<ChartSeries> series);
    const std::vector<ChartSeries>& series() const { return m_series; }

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

    std::vector<ChartSeries> m_series;
    QString m_pointed;
};

}  // namespace attnscope
