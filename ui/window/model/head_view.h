#pragma once
// The head that is looked at: its map with the tokens' text at the axes where there is room, and below it who looks at
// whom.

#include "ui/window/model/model_runner.h"
#include "ui/window/pointer.h"

#include <QPointer>
#include <QWidget>

class QPushButton;

namespace attnscope {

class ElidedLabel;
class HeatmapPlot;
class MapLoupe;

class HeadView : public QWidget {
    Q_OBJECT
public:
    HeadView(Document& document, ModelRunner& runner, QWidget* parent = nullptr);
    HeatmapPlot* plot() const { return m_plot; }
    QString reading() const;
    QPushButton* explore() const { return m_explore; }
    MapLoupe* loupe() const;

signals:
    void exploreAsked();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void show();
    void showRow();
    void read(const Pointed& at);
    void lookCloser(const Pointed& at);

    Document& m_document;
    ModelRunner& m_runner;
    ElidedLabel* m_heading;
    QPushButton* m_explore;
    HeatmapPlot* m_plot;
    ElidedLabel* m_reading;
    QPointer<MapLoupe> m_loupe;         ///< a part of the window, which may go first
    QString m_teaches;                  ///< what the map's tool tip says where no loupe is in its place
    Pointed m_underAt;                  ///< the cell under the pointer
    std::optional<std::int64_t> m_row;  ///< that is shown as chosen
};

/// "'she' looks at 'Lily' 0.43, 'girl' 0.12": a row of weights in words, the largest first.
QString rowInWords(const Analysis& analysis, const PreparedHead& head, std::int64_t row, std::int64_t key);

}  // namespace attnscope
