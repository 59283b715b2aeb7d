#include "ui/window/views/shortcuts_overlay.h"

#include "ui/window/theme.h"

#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QPainter>

#include <algorithm>

namespace attnscope {

namespace {

constexpr int lineHeight = 26, columnWidth = 400, columnGap = 24, padding = 28, heading = 38, keyWidth = 140;

QString plain(QString text) { return text.remove(QLatin1Char('&')).remove(QStringLiteral("\u2026")); }

/// "Copy data: ", where the action stands in a menu of a menu.
QString submenuOf(const QAction& action)
{
    for (const QObject* object : action.associatedObjects())
        if (const auto* menu = qobject_cast<const QMenu*>(object); menu && qobject_cast<const QMenu*>(menu->parent()))
            return menu->title() + QStringLiteral(": ");
    return {};
}

}  // namespace

ShortcutsOverlay::ShortcutsOverlay(QWidget* window) : QWidget(window)
{
    setAccessibleName(tr("Keyboard shortcuts"));
    setFocusPolicy(Qt::StrongFocus);
    hide();
}

std::vector<std::pair<QString, QString>> ShortcutsOverlay::keys() const
{
    std::vector<std::pair<QString, QString>> out;
    for (const QAction* action : parentWidget()->findChildren<QAction*>())
        if (!action->shortcut().isEmpty())
            out.emplace_back(action->shortcut().toString(QKeySequence::NativeText), plain(submenuOf(*action) + action->text()));
    out.emplace_back(tr("Tab"), tr("Next control; Shift+Tab, the one before"));
    out.emplace_back(tr("\u2190 \u2192 on a slider"), tr("One step; with Shift, twelve"));
    out.emplace_back(tr("\u2191 \u2193 in a field"), tr("One step up or down"));
    out.emplace_back(tr("\u2191 \u2193 on a map"), tr("Choose the row above or below"));
    out.emplace_back(tr("\u2190 \u2192 on a map"), tr("Pan"));
    out.emplace_back(tr("+ \u2212 0 on a map"), tr("Zoom in, out, show all"));
    out.emplace_back(tr("\u2190 \u2192 on a curve"), tr("Move n; with Alt, N"));
    out.emplace_back(tr("Ctrl+C in a table"), tr("Copy it"));
    return out;
}

void ShortcutsOverlay::toggle()
{
    if (isVisible())
        return hide();
    m_before = QApplication::focusWidget();
    setGeometry(parentWidget()->rect());
    raise();
    show();
    setFocus();
}

void ShortcutsOverlay::hideEvent(QHideEvent*)
{
    if (m_before)
        m_before->setFocus();
}

QRect ShortcutsOverlay::sheet() const
{
    const int lines = (static_cast<int>(keys().size()) + 1) / 2;
    QRect sheet(0, 0, std::min(2 * columnWidth + 2 * padding + columnGap, width() - 20), std::min(2 * padding + heading + lines * lineHeight, height() - 20));
    sheet.moveCenter(rect().center());
    return sheet;
}

void ShortcutsOverlay::paintEvent(QPaintEvent*)
{
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor veil = theme.window;
    veil.setAlphaF(0.82F);
    painter.fillRect(rect(), veil);
    painter.setPen(QPen(theme.outline, 1));
    painter.setBrush(theme.surface);
    painter.drawRoundedRect(sheet(), 12, 12);

    const QRect inside = sheet().adjusted(padding, padding, -padding, -padding);
    QFont title = font();
    title.setPixelSize(17);
    title.setWeight(QFont::DemiBold);
    painter.setFont(title);
    painter.setPen(theme.text);
    painter.drawText(QRect(inside.topLeft(), QSize(inside.width(), lineHeight)), Qt::AlignLeft | Qt::AlignVCenter, tr("Keyboard"));
    painter.setFont(font());
    const auto lines = keys();
    const int half = (static_cast<int>(lines.size()) + 1) / 2, width = (inside.width() - columnGap) / 2;
    for (int i = 0; i < static_cast<int>(lines.size()); ++i) {
        const QRect line(inside.left() + (i < half ? 0 : width + columnGap), inside.top() + heading + (i % half) * lineHeight, width, lineHeight);
        const auto& [key, meaning] = lines[static_cast<size_t>(i)];
        painter.setPen(theme.accent);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, key);
        painter.setPen(theme.text);
        painter.drawText(line.adjusted(keyWidth, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(meaning, Qt::ElideRight, width - keyWidth));
    }
}

}  // namespace attnscope
