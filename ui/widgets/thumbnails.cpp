#include "ui/widgets/thumbnails.h"

#include "core/base/replace_file.h"
#include "ui/figure/figure.h"
#include "ui/figure/figure_file.h"
#include "ui/figure/figure_kind.h"
#include "ui/plot/png_file.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/scroll_edges.h"
#include "ui/widgets/theme.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QFileInfo>
#include <QLinearGradient>
#include <QListView>
#include <QPainter>
#include <QScrollBar>
#include <QStandardPaths>
#include <QStyle>

#include <algorithm>
#include <utility>

namespace attnscope {

namespace {

/// All of it; of one that is higher than wide the top part, as wide as there is room, which fades where it goes on.
QImage reducedTo(QSize size, const QImage& page)
{
    if (page.height() <= page.width())
        return page.scaled(size, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    QImage top = page.scaledToWidth(size.width(), Qt::SmoothTransformation)
                     .copy(0, 0, size.width(), size.height())
                     .convertToFormat(QImage::Format_ARGB32_Premultiplied);
    constexpr double faded = 0.16;  // of its height
    QLinearGradient goesOn(0, (1 - faded) * size.height(), 0, size.height());
    goesOn.setColorAt(0, Qt::black);
    goesOn.setColorAt(1, Qt::transparent);
    QPainter painter(&top);
    painter.setCompositionMode(QPainter::CompositionMode_DestinationIn);
    painter.fillRect(top.rect(), goesOn);
    return top;
}

/// From the cache, or rendered twice as large and reduced.
QImage thumbnailOf(const Recipe& recipe, double ratio, std::stop_token stop)
{
    const QString file = thumbnailFile(recipe, ratio);
    QImage image(file);
    if (image.isNull()) {
        const auto content = buildFigure(recipe, stop);
        if (!content)
            return {};
        const QSize size = Thumbnails::size * ratio;
        const auto painted = figureImage(*content, recipe, 2.0 * size.width() / recipe.widthMm);
        if (!painted)
            return {};
        image = reducedTo(size, *painted);
        if (makeFolder(QFileInfo(file).path().toStdString()))
            (void)savePng(image, file.toStdString());  // a full disk costs the cache, nothing else
    }
    image.setDevicePixelRatio(ratio);
    return image;
}

}  // namespace

Thumbnails::Thumbnails(std::vector<Recipe> recipes, std::function<void(int place, const QImage&)> show)
    : m_recipes(std::move(recipes)), m_show(std::move(show)), m_job(
                                                                  [this](const Thumbnail& thumbnail) {
                                                                      ++m_shown;
                                                                      if (thumbnail.place >= 0)
                                                                          m_show(thumbnail.place, thumbnail.image);
                                                                  },
                                                                  [](const Error&) { return Thumbnail{}; })
{
}

void Thumbnails::refresh(double ratio)
{
    const bool dark = currentTheme().dark;
    if (areComplete() && m_dark == dark)
        return;
    if (m_dark.value_or(dark) != dark)  // each of them would stand in the other theme until its turn comes
        for (std::size_t i = 0; i < m_recipes.size(); ++i)
            m_show(static_cast<int>(i), {});
    m_dark = dark;
    m_shown = 0;
    std::vector<Recipe> recipes = m_recipes;
    for (Recipe& recipe : recipes)
        recipe.style = dark ? "dark-slide" : "slide";  // the same but for its colours
    m_job.start([recipes = std::move(recipes), ratio](std::stop_token stop, const auto& publish) {
        for (std::size_t i = 0; i < recipes.size() && !stop.stop_requested(); ++i)
            publish({static_cast<int>(i), thumbnailOf(recipes[i], ratio, stop)});
    });
}

QString thumbnailFile(const Recipe& recipe, double ratio)
{
    QCryptographicHash hash(QCryptographicHash::Sha1);
    hash.addData(QByteArray::fromStdString(writeRecipe(recipe)));
    hash.addData(QCoreApplication::applicationVersion().toUtf8() + ' ' + QByteArray::number(ratio) +
                 " 2");  // how they are reduced
    return QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + u"/thumbnails/"_s + text(recipe.name) +
           QLatin1Char('_') + QString::fromLatin1(hash.result().toHex().left(16)) + u".png"_s;
}

void paintThumbnail(QPainter& painter, const QRect& place, const QImage& image, const Theme& theme,
                    Qt::Alignment alignment)
{
    if (image.isNull()) {
        painter.setPen(theme.muted);
        painter.drawText(place, Qt::AlignCenter, u"rendering\u2026"_s);
        return;
    }
    const QSizeF size = image.deviceIndependentSize()
                            .scaled(place.size(), Qt::KeepAspectRatio)
                            .boundedTo(image.deviceIndependentSize());
    const QRectF target(QStyle::alignedRect(Qt::LeftToRight, alignment, size.toSize(), place).topLeft(), size);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    constexpr double radius = 8;  // of a card
    QImage page = image;
    page.setDevicePixelRatio(1);
    QBrush paper(page);
    paper.setTransform(QTransform::fromTranslate(target.left(), target.top())
                           .scale(target.width() / page.width(), target.height() / page.height()));
    painter.setPen(Qt::NoPen);
    painter.setBrush(paper);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.drawRoundedRect(target, radius, radius);
}

void showCards(QListView& list)
{
    list.setViewMode(QListView::IconMode);
    list.setResizeMode(QListView::Adjust);
    list.setMovement(QListView::Static);
    list.setUniformItemSizes(true);
    list.setMouseTracking(true);
    list.setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);  // or room is kept for a second one
    QScrollBar* bar = list.verticalScrollBar();
    bar->hide();
    QObject::connect(bar, &QScrollBar::rangeChanged, bar,
                     [bar](int least, int most) { bar->setVisible(most > least); });
    list.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    fadeEdges(list);
}

int cardWidth(const QListView& list, int least)
{
    constexpr int spare = 6;  // that the layout of the list takes
    const int width = list.viewport()->width() - spare;
    return width / std::max(1, width / least);
}

void paintCard(QPainter& painter, const QRectF& card, const QStyleOptionViewItem& option)
{
    const Theme& theme = currentTheme();
    const bool chosen = option.state.testFlag(QStyle::State_Selected),
               under = option.state.testFlag(QStyle::State_MouseOver);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(chosen ? theme.accent : theme.border, chosen ? 2 : 1));
    painter.setBrush(under || chosen ? theme.hover : theme.surface);
    painter.drawRoundedRect(card, 8, 8);
}

}  // namespace attnscope
