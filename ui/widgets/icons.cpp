#include "ui/widgets/icons.h"

#include "ui/plot/qt_text.h"
#include "ui/widgets/theme.h"

#include <QIconEngine>
#include <QPainter>
#include <QSvgRenderer>

namespace attnscope {

namespace {

/// Renders at whatever size and pixel ratio is asked for, in the text colour of the theme at that moment.
class LineIcon : public QIconEngine {
public:
    explicit LineIcon(QString name) : m_name(std::move(name)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override
    {
        painter->drawPixmap(rect, render(rect.size() * painter->device()->devicePixelRatioF(), mode, state));
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        return render(size, mode, state);
    }

    QIconEngine* clone() const override { return new LineIcon(m_name); }

private:
    QPixmap render(const QSize& size, QIcon::Mode mode, QIcon::State state) const
    {
        const Theme& theme = currentTheme();
        const QColor colour = mode == QIcon::Disabled ? theme.disabled : state == QIcon::On ? theme.accent : theme.text;
        QPixmap pixmap(size);
        if (pixmap.isNull())  // of a button that has no place yet
            return pixmap;
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        QSvgRenderer(u":/icons/%1.svg"_s.arg(m_name)).render(&painter);
        painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
        painter.fillRect(pixmap.rect(), colour);
        return pixmap;
    }

    QString m_name;
};

}  // namespace

QIcon icon(const QString& name) { return QIcon(new LineIcon(name)); }

}  // namespace attnscope
