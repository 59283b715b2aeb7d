#include "ui/learn/lesson_list.h"

#include "ui/figure/views_recipe.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/workbench/lesson.h"
#include "ui/widgets/theme.h"

#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace attnscope {

namespace {

constexpr int aboutRole = Qt::UserRole + 1, lengthRole = Qt::UserRole + 2, begunRole = Qt::UserRole + 3;
constexpr int around = 4, inside = 8, leastLessonCard = 212;  // pixels: half a gap between cards, in them, their width
constexpr double pictureMillimetres = 76;

/// A card: the picture, and below it the lesson's title, what it is about, and how long it is or where one was.
class LessonDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    /// That has room for the longest of the texts.
    static QSize cell(const QListWidget& list, int width)
    {
        const int words = width - 2 * (around + inside);
        int most = 0;
        for (int i = 0; i < list.count(); ++i)
            most = std::max(most, highOf(list.item(i)->text(), words, demiBold(list.font())) +
                                      highOf(list.item(i)->data(aboutRole).toString(), words, list.font()));
        return {width, picture(width).height() + most + list.fontMetrics().height() + 2 * around + 5 * inside};
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override
    {
        const auto* list = qobject_cast<const QListView*>(option.widget);
        return list ? list->gridSize() : QSize(leastLessonCard, leastLessonCard);
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = currentTheme();
        painter->save();
        const QRect card = option.rect.adjusted(around, around, -around, -around);
        paintCard(*painter, QRectF(card).adjusted(0.5, 0.5, -0.5, -0.5), option);
        QRect room = card.adjusted(inside, inside, -inside, -inside);
        const QSize size = picture(option.rect.width());
        paintThumbnail(*painter, {room.center().x() - size.width() / 2, room.top(), size.width(), size.height()},
                       qvariant_cast<QImage>(index.data(Qt::DecorationRole)), theme);
        room.setTop(room.top() + size.height() + inside);
        const QFontMetrics metrics(option.font);
        QRect drawn;
        painter->setFont(demiBold(option.font));
        painter->setPen(theme.text);
        painter->drawText(room, Qt::TextWordWrap | Qt::AlignTop, index.data().toString(), &drawn);
        room.setTop(drawn.bottom() + inside / 2);
        painter->setFont(option.font);
        painter->setPen(theme.muted);
        painter->drawText(room, Qt::TextWordWrap | Qt::AlignTop, index.data(aboutRole).toString());
        if (index.data(begunRole).toBool())
            painter->setPen(theme.accent);
        painter->drawText(room, Qt::AlignLeft | Qt::AlignBottom, index.data(lengthRole).toString());
        painter->restore();
    }

private:
    static QSize picture(int width)
    {
        return Thumbnails::size.scaled(width - 2 * (around + inside), QWIDGETSIZE_MAX, Qt::KeepAspectRatio)
            .boundedTo(Thumbnails::size);
    }
    static int highOf(const QString& text, int width, const QFont& font)
    {
        return QFontMetrics(font).boundingRect(QRect(0, 0, width, QWIDGETSIZE_MAX), Qt::TextWordWrap, text).height();
    }
};

/// What a view shows in the step that has it.
std::vector<Recipe> lessonPictures()
{
    std::vector<Recipe> recipes;
    for (const Lesson& lesson : lessons()) {
        const auto step =
            std::ranges::find_if(lesson.steps, [](const LessonStep& one) { return !one.picture.isEmpty(); });
        Look look;
        look.dispersion = step->dispersion.toStdString();
        recipes.push_back(viewsRecipe({step->picture.toStdString()}, step->scenario.value(), look));
        recipes.back().name = "lesson_" + lesson.id.toStdString();
        recipes.back().widthMm = pictureMillimetres;
        recipes.back().heightMm =
            pictureMillimetres * Thumbnails::size.height() / Thumbnails::size.width();  // all of one format
    }
    return recipes;
}

}  // namespace

LessonList::LessonList(QWidget* parent)
    : QListWidget(parent), m_pictures(lessonPictures(), [this](int place, const QImage& image) {
          item(place)->setData(Qt::DecorationRole, image);
      })
{
    setAccessibleName(u"Lessons"_s);
    setToolTip(u"Each lesson sets the window step by step and asks you to try something"_s);
    setItemDelegate(new LessonDelegate(this));
    showCards(*this);
    setViewportMargins(10, 0, 0, 0);  // so that cards stand below the heading
    for (const Lesson& lesson : lessons()) {
        auto* item = new QListWidgetItem(lesson.title);
        item->setData(aboutRole, lesson.about);
        item->setData(Qt::AccessibleDescriptionRole, lesson.about);
        addItem(item);
    }
    connect(this, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) { emit chosen(row(item)); });
    connect(this, &QListWidget::itemActivated, this, [this](QListWidgetItem* item) { emit chosen(row(item)); });
}

/// A lesson may have been read since it was seen last.
void LessonList::showEvent(QShowEvent* event)
{
    const QStringList finished = finishedLessons();
    for (int i = 0; i < count(); ++i) {
        const Lesson& lesson = lessons()[static_cast<std::size_t>(i)];
        const QString length = u"%1 steps"_s.arg(lesson.steps.size());
        const int begun = begunStep(lesson);
        item(i)->setData(begunRole, begun > 0);
        item(i)->setData(lengthRole, begun > 0 ? u"Continue: step %1 of %2"_s.arg(begun + 1).arg(lesson.steps.size())
                                     : finished.contains(lesson.id) ? u"%1, done \u2713"_s.arg(length)
                                                                    : length);
        item(i)->setData(Qt::AccessibleDescriptionRole,
                         u"%1 %2"_s.arg(lesson.about, item(i)->data(lengthRole).toString()));
    }
    QListWidget::showEvent(event);
    m_pictures.refresh(devicePixelRatioF());
}

void LessonList::resizeEvent(QResizeEvent* event)
{
    setGridSize(LessonDelegate::cell(*this, cardWidth(*this, withText(leastLessonCard))));
    QListWidget::resizeEvent(event);
}

void LessonList::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange && isVisible())
        m_pictures.refresh(devicePixelRatioF());
    QListWidget::changeEvent(event);
}

}  // namespace attnscope

#include "moc_lesson_list.cpp"
