#include "ui/views/colour_menu.h"

#include "core/scaling/scale_method.h"
#include "ui/plot/method_style.h"
#include "ui/plot/qt_text.h"
#include "ui/workbench/document.h"
#include "ui/widgets/theme.h"

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
    offer(u"Its own"_s, methodStyle(m_method.style, currentTheme().dark).colour, {});
    addSeparator();
    for (int style = 0; style < scaleStyles; ++style)
        offer(text(hueNames()[static_cast<std::size_t>(style)]), methodStyle(style, currentTheme().dark).colour,
              methodStyle(style, false).colour.name());
    addSeparator();
    addAction(u"Another\u2026"_s, this, &ColourMenu::chooseAny);
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
                                                 u"Colour of %1"_s.arg(text(m_method.label)));
    if (colour.isValid())
        choose(colour.name());
}

}  // namespace attnscope

#include "moc_colour_menu.cpp"
