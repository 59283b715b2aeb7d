#include "ui/window/views/shortcuts_overlay.h"

#include "ui/window/theme.h"

#include <QAction>
#include <QPainter>

namespace attnscope {

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
            out.emplace_back(action->shortcut().toString(QKeySequence::NativeText), action->text().remove(QLatin1Char('&')).remove(QStringLiteral("\u2026")));
    out.emplace_back(tr("\u2190 \u2192 on a slider"), tr("One step; with Shift, twelve"));
    out.emplace_back(tr("\u2191 \u2193 in a field"), tr("One step up or down"));
    out.emplace_back(tr("\u2191 \u2193 on a map"), tr("Choose the row above or below"));
    out.emplace_back(tr("\u2190 \u2192 on a map"), tr("Pan"));
    out.emplace_back(tr("+ \u2212 0 on a map"), tr("Zoom in, out, show all"));
    out.emplace_back(tr("Ctrl+C in a table"), tr("Copy it"));
    return out;
}

void ShortcutsOverlay::toggle()
{
    if (isVisible())
        return hide();
    setGeometry(parentWidget()->rect());
    raise();
    show();
    setFocus();
}

void ShortcutsOverlay::paintEvent(QPaintEvent*)
{
    const Theme& theme = currentTheme();
    const auto lines = keys();
    constexpr int rowHeight = 26, width2 = 560, padding = 28;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor veil = theme.window;
    veil.setAlphaF(0.82F);
    painter.fillRect(rect(), veil);
    const int height2 = 2 * padding + 34 + rowHeight * static_cast<int>(lines.size());
    QRect sheet(0, 0, std::min(width2, width() - 20), std::min(height2, height() - 20));
    sheet.moveCenter(rect().center());
    painter.setPen(QPen(theme.outline, 1));
    painter.setBrush(theme.surface);
    painter.drawRoundedRect(sheet, 12, 12);

    QFont heading = font();
    heading.setPixelSize(17);
    heading.setWeight(QFont::DemiBold);
    painter.setFont(heading);
    painter.setPen(theme.text);
    QRect line(sheet.left() + padding, sheet.top() + padding - 6, sheet.width() - 2 * padding, rowHeight);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, tr("Keyboard"));
    line.translate(0, 38);
    painter.setFont(font());
    for (const auto& [key, meaning] : lines) {
        painter.setPen(theme.accent);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, key);
        painter.setPen(theme.text);
        painter.drawText(line.adjusted(190, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, meaning);
        line.translate(0, rowHeight);
    }
}

}  // namespace attnscope
