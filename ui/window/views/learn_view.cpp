#include "ui/window/views/learn_view.h"

#include "ui/window/document.h"
#include "ui/window/icons.h"
#include "ui/window/lesson.h"
#include "ui/window/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QTextBlockFormat>
#include <QTextBrowser>
#include <QTextCursor>
#include <QToolButton>
#include <QVBoxLayout>

namespace attnscope {

namespace {

constexpr int aboutRole = Qt::UserRole + 1, air = 8;

/// A lesson's title, and below it what it is about.
class LessonDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const auto* list = qobject_cast<const QListView*>(option.widget);
        const int width = (list ? list->viewport()->width() : 280) - 2 * air;
        const QRect room(0, 0, width, QWIDGETSIZE_MAX);
        const int title = QFontMetrics(bold(option.font)).boundingRect(room, Qt::TextWordWrap, index.data().toString()).height();
        return {width, title + QFontMetrics(option.font).boundingRect(room, Qt::TextWordWrap, index.data(aboutRole).toString()).height() + 2 * air + 2};
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
        painter->drawText(room, Qt::TextWordWrap | Qt::AlignTop, index.data().toString(), &title);
        painter->setFont(option.font);
        painter->setPen(chosen ? theme.text : theme.muted);
        painter->drawText(room.adjusted(0, title.height() + 2, 0, 0), Qt::TextWordWrap | Qt::AlignTop, index.data(aboutRole).toString());
        painter->restore();
    }

private:
    static QFont bold(QFont font)
    {
        font.setWeight(QFont::DemiBold);
        return font;
    }
};

void spaceParagraphs(QTextDocument& document)
{
    QTextBlockFormat format;
    format.setBottomMargin(9);
    format.setLineHeight(118, QTextBlockFormat::ProportionalHeight);
    QTextCursor cursor(&document);
    cursor.select(QTextCursor::Document);
    cursor.mergeBlockFormat(format);
}

}  // namespace

LearnView::LearnView(Document& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_pages(new QStackedWidget), m_list(new QListWidget), m_place(new QLabel),
      m_text(new QTextBrowser), m_back(new QPushButton(tr("Back"))), m_next(new QPushButton(tr("Next")))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 0, 8, 8);
    layout->addWidget(m_pages);
    m_pages->addWidget(buildList());
    m_pages->addWidget(buildReader());
}

QWidget* LearnView::buildList()
{
    m_list->setAccessibleName(tr("Lessons"));
    m_list->setToolTip(tr("Each lesson sets the window step by step and asks you to try something"));
    m_list->setItemDelegate(new LessonDelegate(m_list));
    m_list->setResizeMode(QListView::Adjust);  // asks for the heights again
    m_list->setMouseTracking(true);
    for (const Lesson& lesson : lessons()) {
        auto* item = new QListWidgetItem(lesson.title);
        item->setData(aboutRole, lesson.about);
        item->setData(Qt::AccessibleDescriptionRole, lesson.about);
        m_list->addItem(item);
    }
    connect(m_list, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) { openLesson(m_list->row(item)); });
    connect(m_list, &QListWidget::itemActivated, this, [this](QListWidgetItem* item) { openLesson(m_list->row(item)); });
    return m_list;
}

QWidget* LearnView::buildReader()
{
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    auto* top = new QHBoxLayout;
    auto* all = new QToolButton;
    all->setText(tr("All lessons"));
    all->setIcon(icon(QStringLiteral("back")));
    all->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    all->setAccessibleName(tr("All lessons"));
    all->setToolTip(tr("Back to the list of lessons"));
    connect(all, &QToolButton::clicked, this, &LearnView::showList);
    m_place->setProperty("role", "caption");
    top->addWidget(all);
    top->addStretch(1);
    top->addWidget(m_place);
    layout->addLayout(top);
    m_text->setAccessibleName(tr("Step of the lesson"));
    m_text->setOpenExternalLinks(false);
    m_text->document()->setDocumentMargin(8);
    layout->addWidget(m_text, 1);
    auto* bottom = new QHBoxLayout;
    m_back->setAccessibleName(tr("Previous step"));
    m_back->setToolTip(tr("The step before; the window goes back with it"));
    m_next->setAccessibleName(tr("Next step"));
    m_next->setToolTip(tr("The next step; it sets the window"));
    m_next->setProperty("primary", true);
    bottom->addWidget(m_back);
    bottom->addStretch(1);
    bottom->addWidget(m_next);
    layout->addLayout(bottom);
    connect(m_back, &QPushButton::clicked, this, [this] { goToStep(m_step - 1); });
    connect(m_next, &QPushButton::clicked, this, [this] { goToStep(m_step + 1); });
    return page;
}

void LearnView::showList()
{
    m_lesson = -1;
    m_pages->setCurrentIndex(0);
}

void LearnView::openLesson(int lesson)
{
    if (lesson < 0 || lesson >= std::ssize(lessons()))
        return;
    m_lesson = lesson;
    m_pages->setCurrentIndex(1);
    goToStep(0);
}

void LearnView::goToStep(int step)
{
    const Lesson& lesson = lessons()[static_cast<size_t>(m_lesson)];
    const int count = static_cast<int>(lesson.steps.size());
    if (step >= count)
        return showList();
    m_step = std::max(0, step);
    const LessonStep& shown = lesson.steps[static_cast<size_t>(m_step)];
    m_place->setText(tr("%1 of %2").arg(m_step + 1).arg(count));
    m_text->setMarkdown(QStringLiteral("### %1\n\n%2").arg(shown.title, shown.text));
    spaceParagraphs(*m_text->document());
    m_back->setEnabled(m_step > 0);
    m_next->setText(m_step + 1 < count ? tr("Next") : tr("Finish"));
    if (shown.scenario) {
        m_document.replace(tr("Lesson"), *shown.scenario);
        m_document.endGesture();
        m_document.editLook([&](Look& look) { look.dispersion = shown.dispersion.toStdString(); });
    }
}

}  // namespace attnscope
