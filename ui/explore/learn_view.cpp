#include "ui/explore/learn_view.h"

#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/widgets/scroll_edges.h"
#include "ui/widgets/theme.h"
#include "ui/workbench/document.h"
#include "ui/workbench/lesson.h"

#include <QFontInfo>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBlockFormat>
#include <QTextBrowser>
#include <QTextCursor>

#include <utility>

namespace attnscope {

namespace {

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
    : QWidget(parent), m_document(document), m_place(textLabel({}, "caption")), m_text(new QTextBrowser),
      m_try(paragraph("try")), m_stale(paragraph("caption")),
      m_back(pushButton(u"Back"_s, u"The step before; the window goes back with it"_s, u"Previous step"_s)),
      m_again(pushButton(u"Set it again"_s, u"Back to what this step set: its source, its lengths and its methods"_s)),
      m_next(pushButton(u"Next"_s, u"The next step; it sets the window"_s, u"Next step"_s))
{
    buildReader();
    showNone();
    connect(&document, &Document::visitEnded, this, &LearnView::showNone);
    connect(&document, &Document::changed, this, &LearnView::showStale);
}

void LearnView::buildReader()
{
    QToolButton* all = iconAndText(u"back"_s, u"All lessons"_s, u"To the list of lessons, in Learn"_s);
    connect(all, &QToolButton::clicked, this, &LearnView::showList);
    m_text->setAccessibleName(u"Step of the lesson"_s);
    m_text->setOpenExternalLinks(false);
    fadeEdges(*m_text);
    m_text->document()->setDocumentMargin(0);
    all->setProperty("flush", true);
    m_try->setTextFormat(Qt::MarkdownText);
    m_next->setProperty("primary", true);
    inColumn(
        this,
        {inRow({all, stretch(), m_place}), {m_text, 1}, m_stale, m_try, inRow({m_back, m_again, stretch(), m_next})}, 6,
        {14, 0, 14, 8});
    connect(m_text->verticalScrollBar(), &QScrollBar::rangeChanged, this, &LearnView::fitText);
    connect(m_back, &QPushButton::clicked, this, [this] { goToStep(m_step - 1); });
    connect(m_next, &QPushButton::clicked, this, [this] { goToStep(m_step + 1); });
    connect(m_again, &QPushButton::clicked, this, [this] { goToStep(m_step); });
}

/// In the large type of the stage a long step is smaller, though no smaller than in the window: nobody scrolls while
/// they speak.
void LearnView::fitText()
{
    if (std::exchange(m_isFitting, true))
        return;  // another size has another range
    QFont font = m_text->font();
    const int usual = QFontInfo(font).pixelSize(), least = qRound(usual / stageScale());
    for (int pixels = usual; pixels >= least; --pixels) {
        font.setPixelSize(pixels);
        m_text->document()->setDefaultFont(font);
        m_try->setFont(font);
        layout()->activate();
        if (m_text->document()->size().height() <= m_text->viewport()->height())
            break;
    }
    m_isFitting = false;
}

void LearnView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitText();
}

void LearnView::showList()
{
    emit listAsked();
    close();
}

void LearnView::close()
{
    if (m_lesson < 0)
        return emit closed();
    m_leave([this] { end(); });
}

void LearnView::end()
{
    if (m_lesson < 0)
        return;  // the question was answered, and it had ended meanwhile
    const Scenario shown = m_document.scenario();
    Scenario set = lessons()[static_cast<size_t>(m_lesson)].steps[static_cast<size_t>(m_step)].scenario.value_or(shown);
    set.view.row = shown.view.row;  // looked at, not made
    set.view.region = shown.view.region;
    const bool changed = shown != set;
    m_document.endVisit();
    if (changed)
        emit left(shown);
}

/// Its visit is over.
void LearnView::showNone()
{
    m_lesson = -1;
    m_place->clear();
    m_text->setMarkdown(u"### No lesson is open\n\nThe lessons stand in Learn (Ctrl+5)."_s);
    m_try->hide();
    m_back->hide();
    m_next->hide();
    showStale();
    emit closed();
}

bool LearnView::isStale() const
{
    if (m_lesson < 0)
        return false;
    const auto& set = lessons()[static_cast<size_t>(m_lesson)].steps[static_cast<size_t>(m_step)].scenario;
    const Scenario& shown = m_document.scenario();
    return set && (shown.source.id != set->source.id || shown.tensors.path != set->tensors.path);
}

void LearnView::showStale()
{
    const bool stale = isStale();
    m_stale->setText(u"The source is another than the one that this step is about: its numbers are not of what is "
                     "shown."_s);
    if (m_stale->isHidden() == !stale && m_again->isHidden() == !stale)
        return;
    m_stale->setVisible(stale);
    m_again->setVisible(stale);
    fitText();
}

void LearnView::openLesson(int lesson, int step)
{
    if (lesson < 0 || lesson >= std::ssize(lessons()))
        return;
    m_leave([this, lesson, step] {
        emit begins();
        m_lesson = lesson;
        m_step = 0;  // that of the lesson before may be none of this one's
        m_document.visit(lessons()[static_cast<size_t>(lesson)].title);
        m_back->show();
        m_next->show();
        goToStep(step);
    });
}

int LearnView::stepCount() const
{
    return m_lesson < 0 ? 0 : static_cast<int>(lessons()[static_cast<size_t>(m_lesson)].steps.size());
}

void LearnView::goToStep(int step)
{
    if (m_lesson < 0)
        return;
    const Lesson& lesson = lessons()[static_cast<size_t>(m_lesson)];
    const int count = stepCount();
    if (step >= count) {
        finishLesson(lesson.id);
        return showList();
    }
    m_step = std::max(0, step);
    beginStep(lesson.id, m_step);
    const LessonStep& shown = lesson.steps[static_cast<size_t>(m_step)];
    m_place->setText(u"%1 of %2"_s.arg(m_step + 1).arg(count));
    static const QRegularExpression thousands(u"(\\d) (?=\\d{3}(?!\\d))"_s);  // a number does not break
    const QString words = QString(shown.text).replace(thousands, u"\\1\u202F"_s);
    const qsizetype asks = words.indexOf(u"**Try:**"_s);
    m_text->setMarkdown(u"### %1\n\n%2"_s.arg(shown.title, words.first(asks < 0 ? words.size() : asks)));
    m_try->setText(asks < 0 ? QString() : words.sliced(asks));
    m_try->setVisible(asks >= 0);
    spaceParagraphs(*m_text->document());
    fitText();
    m_back->setEnabled(m_step > 0);
    m_next->setText(m_step + 1 < count ? u"Next"_s : u"Finish"_s);
    if (shown.scenario) {
        m_document.turnTo(*shown.scenario);
        m_document.editLook([&](Look& look) { look.dispersion = shown.dispersion.toStdString(); });
        emit partsNamed(shown.parts);
        emit controlsNamed(shown.controls);
    }
    showStale();
}

}  // namespace attnscope

#include "moc_learn_view.cpp"
