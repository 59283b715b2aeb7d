#include "ui/learn/lesson_list.h"

#include "ui/figure/views_recipe.h"
#include "ui/plot/qt_text.h"
#include "ui/workbench/lesson.h"
#include "ui/widgets/theme.h"

#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace attnscope {

namespace {

constexpr int aboutRole = Qt::UserRole + 1, lengthRole = Qt::UserRole + 2, air = 8;
constexpr double pictureMillimetres = 60;

/// A picture, beside it the lesson's title with its length at the right, and below that what it is about.
class LessonDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const auto* list = qobject_cast<const QListView*>(option.widget);
        const int width = list ? list->viewport()->width() : 280;
        const QRect room = words({0, 0, width, QWIDGETSIZE_MAX});
        const int title = QFontMetrics(bold(option.font))
                              .boundingRect(room.adjusted(0, 0, -lengthWidth(option, index), 0), Qt::TextWordWrap,
                                            index.data().toString())
                              .height(),
                  about = QFontMetrics(option.font)
                              .boundingRect(room, Qt::TextWordWrap, index.data(aboutRole).toString())
                              .height();
        return {width, std::max(title + 2 + about, picture(width).height()) + 2 * air};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = currentTheme();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const bool chosen = option.state.testFlag(QStyle::State_Selected);
        painter->setPen(Qt::NoPen);
        if (chosen || option.state.testFlag(QStyle::State_MouseOver)) {
            painter->setBrush(chosen ? theme.selection : theme.hover);
            painter->drawRoundedRect(option.rect, 6, 6);
        }
        paintThumbnail(*painter, {option.rect.topLeft() + QPoint(air, air), picture(option.rect.width())},
                       qvariant_cast<QImage>(index.data(Qt::DecorationRole)), theme, Qt::AlignLeft | Qt::AlignTop);
        const QRect room = words(option.rect);
        QRect title;
        painter->setFont(bold(option.font));
        painter->setPen(theme.text);
        painter->drawText(room.adjusted(0, 0, -lengthWidth(option, index), 0), Qt::TextWordWrap | Qt::AlignTop,
                          index.data().toString(), &title);
        painter->setFont(option.font);
        painter->setPen(chosen ? theme.text : theme.muted);
        painter->drawText(room, Qt::AlignRight | Qt::AlignTop, index.data(lengthRole).toString());
        painter->drawText(room.adjusted(0, title.height() + 2, 0, 0), Qt::TextWordWrap | Qt::AlignTop,
                          index.data(aboutRole).toString());
        painter->restore();
    }

private:
    static QSize picture(int width)
    {
        const int side = std::clamp(width * 3 / 8, 72, 160);
        return {side, side * Thumbnails::size.height() / Thumbnails::size.width()};
    }
    /// What the picture leaves of an entry.
    static QRect words(const QRect& entry)
    {
        return entry.adjusted(air + picture(entry.width()).width() + 2 * air, air, -air, -air);
    }
    static int lengthWidth(const QStyleOptionViewItem& option, const QModelIndex& index)
    {
        return QFontMetrics(option.font).horizontalAdvance(index.data(lengthRole).toString()) + air;
    }
    static QFont bold(QFont font)
    {
        font.setWeight(QFont::DemiBold);
        return font;
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
    setResizeMode(QListView::Adjust);  // asks for the heights again
    setMouseTracking(true);
    setViewportMargins(6, 0, 6, 0);  // so that texts stand below the heading
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
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
        item(i)->setData(lengthRole, finished.contains(lesson.id) ? u"%1, done \u2713"_s.arg(length) : length);
        item(i)->setData(Qt::AccessibleDescriptionRole,
                         u"%1 %2"_s.arg(lesson.about, item(i)->data(lengthRole).toString()));
    }
    QListWidget::showEvent(event);
    m_pictures.refresh(devicePixelRatioF());
}

void LessonList::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange && isVisible())
        m_pictures.refresh(devicePixelRatioF());
    QListWidget::changeEvent(event);
}

}  // namespace attnscope

#include "moc_lesson_list.cpp"
