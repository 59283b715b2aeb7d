#include "ui/window/controls/colour_menu.h"

#include "core/scaling/scale_method.h"
#include "ui/plot/method_style.h"
#include "ui/plot/qt_text.h"
#include "ui/window/document.h"
#include "ui/window/theme.h"

#include <QColorDialog>

namespace attnscope {

namespace {

QIcon plainIcon(const QColor& colour)
{
    QPixmap pixmap(16, 16);
    pixmap.fill(colour);
    return pixmap;
}

}  // namespace

ColourMenu::ColourMenu(Document& document, const ScaleMethod& method, QWidget* parent)
    : QMenu(parent), m_document(document), m_method(method)
{
    connect(this, &QMenu::aboutToShow, this, &ColourMenu::fill);
}

void ColourMenu::fill()
{
    clear();
    const auto& colours = m_document.look().colours;
    const auto chosen = colours.find(m_method.id);
    const auto offer = [&](const QString& name, const QColor& shown, const QString& kept) {
        QAction* action = addAction(plainIcon(shown), name, this, [this, kept] { choose(kept); });
        action->setCheckable(true);
        action->setChecked(chosen == colours.end() ? kept.isEmpty() : kept.toStdString() == chosen->second);
    };
    offer(tr("Its own"), methodStyle(m_method.style, currentTheme().dark).colour, {});
    addSeparator();
    for (int style = 0; style < scaleStyles; ++style)
        offer(tr(hueNames()[static_cast<std::size_t>(style)]), methodStyle(style, currentTheme().dark).colour,
              methodStyle(style, false).colour.name());
    addSeparator();
    addAction(tr("Another\u2026"), this, &ColourMenu::chooseAny);
}

void ColourMenu::choose(const QString& colour)
{
    m_document.editLook([&](Look& look) {
        if (colour.isEmpty())
            look.colours.erase(m_method.id);
        else
            look.colours[m_method.id] = colour.toStdString();
    });
}

void ColourMenu::chooseAny()
{
    const QColor colour = QColorDialog::getColor(methodStyle(m_method.style, chartStyle()).colour, window(),
                                                 tr("Colour of %1").arg(text(m_method.label)));
    if (colour.isValid())
        choose(colour.name());
}

}  // namespace attnscope

#include "moc_colour_menu.cpp"
