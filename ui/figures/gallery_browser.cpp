#include "ui/figures/gallery_browser.h"

#include "ui/figure/figure.h"
#include "ui/figure/figure_kind.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/typeset.h"
#include "ui/widgets/building.h"
#include "ui/widgets/theme.h"

#include <QLayout>
#include <QListWidget>
#include <QPainter>
#include <QSignalBlocker>
#include <QStyledItemDelegate>

#include <algorithm>

namespace attnscope {

namespace {

constexpr int aroundCard = 3, leastCard = 196, mostCard = 256, aroundPicture = 20, titleLines = 3, sourceLines = 3,
              captionLines = 4, abovePicture = 10, besideWords = 2, aboveWords = 7, belowWords = 14, belowTitle = 6,
              aroundBadge = 6;
constexpr int sourceRole = Qt::UserRole + 1, badgeRole = Qt::UserRole + 2;

QString plain(const std::string& markup) { return plainText(QString::fromStdString(markup)); }

/// As much of it as has room in so many lines.
QString inLines(const QString& text, const QFontMetrics& metrics, int width, int lines)
{
    QString shown = text;
    while (shown.size() > 4 && metrics.boundingRect(QRect(0, 0, width, 1000), Qt::TextWordWrap, shown).height() >
                                   lines * metrics.lineSpacing() + 1)
        shown = shown.left(shown.size() - 2).trimmed() + QChar(0x2026);
    return shown;
}

QFont badgeFont(QFont font)
{
    font.setPixelSize(withText(10));
    font.setWeight(QFont::Normal);
    return font;
}

/// Of nothing too.
int badgeWidth(const QString& badge, const QFont& font)
{
    return badge.isEmpty() ? 0 : QFontMetrics(badgeFont(font)).horizontalAdvance(badge) + 2 * aroundBadge;
}

/// What stands below a card's picture, in that width: the title, and right below it the source, which leaves room for
/// the badge.
struct CardWords {
    QString title, source;
    int titleHeight = 0, sourceHeight = 0, sourceWidth = 0;

    CardWords(const QString& titled, const QString& from, const QString& badge, const QFont& font, int width)
    {
        const QFontMetrics bold(demiBold(font)), usual(font);
        const auto highOf = [](const QFontMetrics& metrics, int within, const QString& text) {
            return metrics.boundingRect(QRect(0, 0, within, QWIDGETSIZE_MAX), Qt::TextWordWrap, text).height();
        };
        sourceWidth = width - badgeWidth(badge, font);
        title = inLines(titled, bold, width, titleLines);
        source = inLines(from, usual, sourceWidth, sourceLines);
        titleHeight = highOf(bold, width, title);
        sourceHeight = std::max(usual.lineSpacing(), highOf(usual, sourceWidth, source));
    }
    int height() const { return titleHeight + belowTitle + sourceHeight; }
};

int pictureWidth(int card) { return std::min(card, mostCard) - aroundPicture; }

/// All cards are as high as the one of most words.
class CardList : public QListWidget {
protected:
    void resizeEvent(QResizeEvent* event) override
    {
        const int card = cardWidth(*this, leastCard), width = pictureWidth(card);
        int most = 0;
        for (int i = 0; i < count(); ++i)
            most = std::max(most, CardWords(item(i)->text(), item(i)->data(sourceRole).toString(),
                                            item(i)->data(badgeRole).toString(), font(), width - 2 * besideWords)
                                      .height());
        setGridSize({card, abovePicture + width * Thumbnails::size.height() / Thumbnails::size.width() + aboveWords +
                               most + belowWords});
        QListWidget::resizeEvent(event);
    }
};

/// Picture, title, source, and what opening it does.
class CardDelegate : public QStyledItemDelegate {
public:
    explicit CardDelegate(QListView* list) : QStyledItemDelegate(list), m_list(list) {}

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return m_list->gridSize(); }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = currentTheme();
        painter->save();
        paintCard(
            *painter,
            QRectF(option.rect).adjusted(aroundCard + 0.5, aroundCard + 0.5, -aroundCard - 0.5, -aroundCard - 0.5),
            option);
        const int width = pictureWidth(option.rect.width());
        const QRect picture(option.rect.left() + aroundPicture / 2, option.rect.top() + abovePicture, width,
                            width * Thumbnails::size.height() / Thumbnails::size.width());
        paintThumbnail(*painter, picture, qvariant_cast<QImage>(index.data(Qt::DecorationRole)), theme);
        const QString badge = index.data(badgeRole).toString();
        const CardWords words(index.data(Qt::DisplayRole).toString(), index.data(sourceRole).toString(), badge,
                              option.font, width - 2 * besideWords);
        const QRect title(picture.left() + besideWords, picture.bottom() + aboveWords, width - 2 * besideWords,
                          words.titleHeight);
        painter->setFont(demiBold(option.font));
        painter->setPen(theme.text);
        painter->drawText(title, Qt::TextWordWrap | Qt::AlignTop, words.title);
        const QRect source(title.left(), title.bottom() + belowTitle, words.sourceWidth, words.sourceHeight);
        painter->setFont(option.font);
        painter->setPen(theme.muted);
        painter->drawText(source, Qt::TextWordWrap | Qt::AlignTop, words.source);
        paintBadge(*painter, {title.right() + 1, source.top()}, badge, option.font, theme);
        painter->restore();
    }

private:
    QListView* m_list;

    /// At the end of the source's first line.
    static void paintBadge(QPainter& painter, QPoint topRight, const QString& badge, const QFont& font,
                           const Theme& theme)
    {
        if (badge.isEmpty())
            return;
        const int line = QFontMetrics(font).lineSpacing(), width = badgeWidth(badge, font);
        painter.setFont(badgeFont(font));
        const int height = std::min(line, painter.fontMetrics().lineSpacing() + 2);
        const QRectF box(topRight.x() - width, topRight.y() + (line - height) / 2.0, width, height);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.selection);
        painter.drawRoundedRect(box, 4, 4);
        painter.setPen(theme.text);
        painter.drawText(box, Qt::AlignCenter, badge);
    }
};

QString captionOf(const Recipe& recipe)
{
    return plain(recipe.caption) + (liveFigure(recipe) ? QString() : u" Nothing here is live."_s);
}

/// Those that can be read.
std::vector<Recipe> readGallery()
{
    std::vector<Recipe> recipes;
    for (const GalleryRow& row : gallery())
        if (auto recipe = loadRecipe(row.name))
            recipes.push_back(std::move(*recipe));
    return recipes;
}

}  // namespace

GalleryBrowser::GalleryBrowser(QWidget* parent)
    : QWidget(parent), m_list(new CardList), m_caption(paragraph("caption")), m_open(new QPushButton(u"Open"_s)),
      m_thumbnails(readGallery(),
                   [this](int place, const QImage& image) { m_list->item(place)->setData(Qt::DecorationRole, image); })
{
    showCards(*m_list);
    m_list->setItemDelegate(new CardDelegate(m_list));
    described(m_list, u"Figures"_s, u"A click shows a figure; a double click or Enter sets Explore to it"_s);
    for (const Recipe& recipe : recipes()) {
        const bool live = liveFigure(recipe).has_value();
        auto* item = new QListWidgetItem(plain(recipe.title));
        item->setData(sourceRole, plain(recipe.source));
        item->setToolTip(u"%1\n%2"_s.arg(item->text(), plain(recipe.source)));
        const auto kind = findRow(figureKinds(), recipe.kind, "kind of figure");
        item->setData(badgeRole, live || !kind ? QString() : text((*kind)->basis));
        item->setData(Qt::AccessibleDescriptionRole, plain(recipe.caption));
        m_list->addItem(item);
    }
    m_caption->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_caption->setAccessibleDescription(u"What the figure shows"_s);
    QHBoxLayout* below = inRow({{m_caption, 1}, {m_open, 0, Qt::AlignBottom}}, 12);
    below->setContentsMargins(aroundCard, 0, 0, 0);
    inColumn(this, {{m_list, 1}, below}, usualSpacing, {14 - aroundCard, 4, 14, 12});
    connect(m_list, &QListWidget::itemSelectionChanged, this, [this] {
        describe();
        if (const Recipe* recipe = current())
            emit chosen(*recipe);
    });
    connect(m_list, &QListWidget::itemActivated, this, &GalleryBrowser::open);
    connect(m_open, &QPushButton::clicked, this, &GalleryBrowser::open);
    describe();
}

void GalleryBrowser::mark(Recipe shown)
{
    const auto same = std::ranges::find_if(recipes(), [&](const Recipe& recipe) {
        shown.widthMm = recipe.widthMm;
        shown.style = recipe.style;
        return shown == recipe;
    });
    const int row = same == recipes().end() ? -1 : static_cast<int>(same - recipes().begin());
    if (current() == (row < 0 ? nullptr : &recipes()[static_cast<size_t>(row)]))
        return;
    {
        const QSignalBlocker quiet(m_list);
        m_list->setCurrentRow(row);
        if (row < 0)
            m_list->clearSelection();
    }
    m_list->viewport()->update();
    describe();
}

/// A list that has the keyboard has a current row though nobody chose it: what is selected counts.
const Recipe* GalleryBrowser::current() const
{
    const int row = m_list->selectedItems().isEmpty() ? -1 : m_list->row(m_list->selectedItems().front());
    return row >= 0 && row < std::ssize(recipes()) ? &recipes()[static_cast<size_t>(row)] : nullptr;
}

void GalleryBrowser::describe()
{
    const Recipe* recipe = current();
    m_open->setEnabled(recipe && liveFigure(*recipe));
    m_open->setToolTip(m_open->isEnabled() ? u"Set the window to this figure's scenario"_s
                       : recipe            ? u"Nothing of this figure can be shown in Explore"_s
                                           : u"Choose a figure first"_s);
    const QString caption =
        recipe ? captionOf(*recipe) : u"You see a figure of your own. Click a card to see that one."_s;
    m_caption->setText(inLines(caption, QFontMetrics(m_caption->font()), m_caption->width(), captionLines));
    m_caption->setToolTip(m_caption->text() == caption ? QString() : caption);
}

void GalleryBrowser::open()
{
    if (const Recipe* recipe = current(); recipe && liveFigure(*recipe))
        emit openRequested(*recipe);
}

/// The cards stay where they are whichever is chosen.
void GalleryBrowser::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_caption->setFixedHeight(captionLines * QFontMetrics(m_caption->font()).lineSpacing() + 2);
    layout()->activate();  // the caption has its width
    describe();
}

void GalleryBrowser::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_thumbnails.refresh(devicePixelRatioF());
}

void GalleryBrowser::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange && isVisible())
        m_thumbnails.refresh(devicePixelRatioF());
    QWidget::changeEvent(event);
}

}  // namespace attnscope

#include "moc_gallery_browser.cpp"
