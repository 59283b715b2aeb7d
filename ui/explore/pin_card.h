#pragma once
// One pin of the strip: a small map beside its number and a few words.

#include <QAbstractButton>
#include <QElapsedTimer>
#include <QFontMetrics>
#include <QImage>
#include <QStringList>

namespace attnscope {

/// Words in up to so many lines, the first beside the number: a word that is longer than a line, as the name of a file
/// is, loses its middle, and the last line its end.
QStringList pinLines(const QString& words, const QFontMetrics& letters, int firstRoom, int room, int most);

class PinCard : public QAbstractButton {
    Q_OBJECT
public:
    explicit PinCard(int number, QWidget* parent = nullptr);
    /// `map`: one pixel a cell; null: not known yet. `isShown`: it is what is on the screen.
    void show(const QImage& map, const QString& words, bool isShown);
    bool isShown() const { return m_isShown; }
    QString words() const { return m_words; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }

signals:
    void held();   ///< for a moment: it is to be seen
    void letGo();  ///< after that

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void timerEvent(QTimerEvent* event) override;

private:
    int m_number;
    QImage m_map;
    QString m_words;
    bool m_isShown = false, m_held = false;
    int m_timer = 0;
};

}  // namespace attnscope
