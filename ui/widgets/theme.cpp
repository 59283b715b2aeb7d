#include "ui/widgets/theme.h"

#include "ui/plot/fonts.h"
#include "ui/plot/qt_text.h"

#include <QApplication>
#include <QFile>
#include <QFont>
#include <QPalette>
#include <QPixmap>
#include <QRegularExpression>
#include <QSettings>
#include <QStyle>
#include <QStyleFactory>
#include <QWidget>

#include <algorithm>
#include <optional>
#include <utility>

namespace attnscope {

namespace {

const Theme* g_current = nullptr;
double g_textScale = 1, g_desktopText = 1;
std::optional<bool> g_desktopIsDark;
std::map<int, QColor> g_methodColours;

QPalette paletteOf(const Theme& theme)
{
    QPalette palette;
    const std::pair<QPalette::ColorRole, QColor> roles[] = {{QPalette::Window, theme.window},
                                                            {QPalette::WindowText, theme.text},
                                                            {QPalette::Base, theme.surface},
                                                            {QPalette::AlternateBase, theme.window},
                                                            {QPalette::Text, theme.text},
                                                            {QPalette::Button, theme.field},
                                                            {QPalette::ButtonText, theme.text},
                                                            {QPalette::BrightText, theme.onAccent},
                                                            {QPalette::Highlight, theme.accent},
                                                            {QPalette::HighlightedText, theme.onAccent},
                                                            {QPalette::ToolTipBase, theme.surface},
                                                            {QPalette::ToolTipText, theme.text},
                                                            {QPalette::PlaceholderText, theme.muted},
                                                            {QPalette::Link, theme.accent},
                                                            {QPalette::LinkVisited, theme.accent},
                                                            {QPalette::Mid, theme.border},
                                                            {QPalette::Midlight, theme.border},
                                                            {QPalette::Light, theme.surface},
                                                            {QPalette::Dark, theme.outline}};
    for (const auto& [role, colour] : roles)
        palette.setColor(role, colour);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, theme.disabled);
    return palette;
}

QFont interfaceFont()
{
    QFont font;
    font.setFamilies(fontFamilies());
    font.setPixelSize(qRound(13 * g_textScale));
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

}  // namespace

const Theme& lightTheme()
{
    static const Theme theme{u"light"_s,
                             false,
                             /*window*/ 0xF4F5F8,
                             /*surface*/ 0xFFFFFF,
                             /*field*/ 0xFFFFFF,
                             /*hover*/ 0xECEFF5,
                             /*border*/ 0xE2E5EB,
                             /*outline*/ 0xC4CAD5,
                             /*control*/ 0x838C9C,
                             /*text*/ 0x171C26,
                             /*muted*/ 0x5A6373,
                             /*disabled*/ 0x98A1B1,
                             /*accent*/ 0x2F5BD7,
                             /*onAccent*/ 0xFFFFFF,
                             /*selection*/ 0xDFE7FB,
                             /*error*/ 0x9B1C1C,
                             /*errorSurface*/ 0xFDECEC,
                             /*note*/ 0x6B4A00,
                             /*noteSurface*/ 0xFFF5DC,
                             /*done*/ 0x1B5E34,
                             /*doneSurface*/ 0xE6F5EA};
    return theme;
}

const Theme& darkTheme()
{
    static const Theme theme{u"dark"_s,
                             true,
                             /*window*/ 0x101319,
                             /*surface*/ 0x171B23,
                             /*field*/ 0x1F2530,
                             /*hover*/ 0x262D3A,
                             /*border*/ 0x262C38,
                             /*outline*/ 0x414A5C,
                             /*control*/ 0x7A869E,
                             /*text*/ 0xE8ECF3,
                             /*muted*/ 0x9CA7BA,
                             /*disabled*/ 0x566071,
                             /*accent*/ 0x8AA9FF,
                             /*onAccent*/ 0x0C1430,
                             /*selection*/ 0x27365F,
                             /*error*/ 0xFFB4AB,
                             /*errorSurface*/ 0x3B1A1C,
                             /*note*/ 0xF3CF7A,
                             /*noteSurface*/ 0x33290F,
                             /*done*/ 0x93DCA9,
                             /*doneSurface*/ 0x14291C};
    return theme;
}

const Theme& currentTheme() { return g_current ? *g_current : lightTheme(); }

QString styleSheetOf(const Theme& theme)
{
    QFile file(u":/themes/window.qss"_s);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QString sheet = QString::fromUtf8(file.readAll());
    const std::pair<const char*, QColor> names[] = {{"@window", theme.window},
                                                    {"@surface", theme.surface},
                                                    {"@field", theme.field},
                                                    {"@hover", theme.hover},
                                                    {"@border", theme.border},
                                                    {"@outline", theme.outline},
                                                    {"@control", theme.control},
                                                    {"@text", theme.text},
                                                    {"@muted", theme.muted},
                                                    {"@disabled", theme.disabled},
                                                    {"@accent", theme.accent},
                                                    {"@onAccent", theme.onAccent},
                                                    {"@selection", theme.selection},
                                                    {"@errorSurface", theme.errorSurface},
                                                    {"@error", theme.error},
                                                    {"@noteSurface", theme.noteSurface},
                                                    {"@note", theme.note},
                                                    {"@doneSurface", theme.doneSurface},
                                                    {"@done", theme.done}};
    for (const auto& [name, colour] : names)
        sheet.replace(QLatin1String(name) + QLatin1Char(';'), colour.name() + QLatin1Char(';'));
    static const QRegularExpression fontSize(u"font-size: (\\d+)px"_s);
    for (qsizetype at = 0; g_textScale != 1;) {
        const QRegularExpressionMatch size = fontSize.match(sheet, at);
        if (!size.hasMatch())
            break;
        at = size.capturedStart(1);
        sheet.replace(at, size.capturedLength(1), QString::number(qRound(size.captured(1).toInt() * g_textScale)));
    }
    return sheet.replace(u"@theme"_s, theme.id);
}

ThemeChoice chosenTheme()
{
    return static_cast<ThemeChoice>(QSettings().value(u"theme"_s, int(ThemeChoice::System)).toInt());
}

void keepChosenTheme(ThemeChoice choice) { QSettings().setValue(u"theme"_s, int(choice)); }

void followDesktopColours(bool dark) { g_desktopIsDark = dark; }

void applyColours(QApplication& application, ThemeChoice choice)
{
    static const bool paletteIsDark = application.palette().color(QPalette::Window).lightnessF() < 0.5;
    const bool dark =
        choice == ThemeChoice::Dark || (choice == ThemeChoice::System && g_desktopIsDark.value_or(paletteIsDark));
    g_current = dark ? &darkTheme() : &lightTheme();
    if (application.style()->objectName() != "fusion"_L1)
        application.setStyle(QStyleFactory::create(u"Fusion"_s));
    application.setPalette(paletteOf(*g_current));
    application.setFont(interfaceFont());
}

/// Where a sheet takes the place of another, Qt 6 polishes a widget once for each of those that it stands in; where
/// there was none, once.
static void wear(QApplication& application, const QString& sheet)
{
    application.setStyleSheet({});
    application.setStyleSheet(sheet);
}

void applyTheme(QApplication& application, ThemeChoice choice)
{
    applyColours(application, choice);
    wear(application, styleSheetOf(*g_current));
}

void followDesktopText(const QFont& desktop)
{
    constexpr double usual = 11,
                     most = 2;  // points: desktops come with 9 to 11, which is what the window is designed for
    g_desktopText = std::clamp(desktop.pointSizeF() / usual, 1.0, most);
    g_textScale = g_desktopText;
}

void setTextScale(QApplication& application, double scale)
{
    g_textScale = scale * g_desktopText;
    application.setFont(interfaceFont());
    wear(application, styleSheetOf(currentTheme()));
}

double textScale() { return g_textScale; }

double stageScale() { return g_textScale / g_desktopText; }

void setMethodColours(QApplication& application, std::map<int, QColor> colours)
{
    if (colours == g_methodColours)
        return;
    g_methodColours = std::move(colours);
    for (QWidget* widget : application.allWidgets()) {
        QEvent change(QEvent::PaletteChange);  // as for another theme: whatever holds a colour takes it anew
        QCoreApplication::sendEvent(widget, &change);
        widget->update();
    }
}

QPixmap pictureOf(QWidget& widget)
{
    QPixmap picture(widget.size() * widget.devicePixelRatio());
    picture.setDevicePixelRatio(widget.devicePixelRatio());
    picture.fill(currentTheme().surface);
    widget.render(&picture, {}, {}, QWidget::DrawChildren);
    return picture;
}

PlotStyle chartStyle()
{
    PlotStyle style = windowStyle(currentTheme().dark);
    style.methodColours = g_methodColours;
    for (double PlotStyle::*length : {&PlotStyle::text, &PlotStyle::small, &PlotStyle::label, &PlotStyle::line,
                                      &PlotStyle::thin, &PlotStyle::tick, &PlotStyle::gap, &PlotStyle::marker})
        style.*length *= g_textScale;
    return style;
}

}  // namespace attnscope
