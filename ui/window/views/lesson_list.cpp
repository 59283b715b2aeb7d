#include "ui/window/views/lesson_list.h"

#include "ui/plot/qt_text.h"
#include "ui/window/lesson.h"
#include "ui/window/theme.h"

#include <QPainter>
#include <QStyledItemDelegate>

namespace attnscope {

namespace {

constexpr int aboutRole = Qt::UserRole + 1, lengthRole = Qt::UserRole + 2, air = 8;

/// A lesson's title with its length at the right, and below it what it is about.
class LessonDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const auto* list = qobject_cast<const QListView*>(option.widget);
        const int width = (list ? list->viewport()->width() : 280) - 2 * air;
        const QRect room(0, 0, width, QWIDGETSIZE_MAX);
        const int title = QFontMetrics(bold(option.font))
                              .boundingRect(room.adjusted(0, 0, -lengthWidth(option, index), 0), Qt::TextWordWrap,
                                            index.data().toString())
                              .height();
        return {width, title +
                           QFontMetrics(option.font)
                               .boundingRect(room, Qt::TextWordWrap, index.data(aboutRole).toString())
                               .height() +
                           2 * air + 2};
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
        const QRect room = option.rect.adjusted(air, air, -air, -air);
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

}  // namespace

LessonList::LessonList(QWidget* parent) : QListWidget(parent)
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
}

}  // namespace attnscope

#include "moc_lesson_list.cpp"
