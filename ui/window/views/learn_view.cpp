#include "ui/window/views/learn_view.h"

#include "ui/window/document.h"
#include "ui/window/icons.h"
#include "ui/window/lesson.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QTextBlockFormat>
#include <QTextBrowser>
#include <QTextCursor>
#include <QToolButton>
#include <QVBoxLayout>

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
    : QWidget(parent), m_document(document), m_place(new QLabel),
      m_text(new QTextBrowser), m_back(new QPushButton(tr("Back"))), m_next(new QPushButton(tr("Next")))
{
    buildReader();
    showList();
}

void LearnView::buildReader()
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 0, 8, 8);
    layout->setSpacing(6);
    auto* top = new QHBoxLayout;
    auto* all = new QToolButton;
    all->setText(tr("All lessons"));
    all->setIcon(icon(QStringLiteral("back")));
    all->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    all->setAccessibleName(tr("All lessons"));
    all->setToolTip(tr("To the list of lessons, in Learn"));
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
}

void LearnView::showList()
{
    m_lesson = -1;
    m_place->clear();
    m_text->setMarkdown(tr("### No lesson is open\n\nThe lessons stand in Learn (Ctrl+5)."));
    m_back->hide();
    m_next->hide();
    emit listAsked();
}

void LearnView::openLesson(int lesson)
{
    if (lesson < 0 || lesson >= std::ssize(lessons()))
        return;
    m_lesson = lesson;
    m_back->show();
    m_next->show();
    goToStep(0);
}

int LearnView::stepCount() const { return m_lesson < 0 ? 0 : static_cast<int>(lessons()[static_cast<size_t>(m_lesson)].steps.size()); }

void LearnView::goToStep(int step)
{
    const Lesson& lesson = lessons()[static_cast<size_t>(m_lesson)];
    const int count = stepCount();
    if (step >= count)
        return showList();
    m_step = std::max(0, step);
    const LessonStep& shown = lesson.steps[static_cast<size_t>(m_step)];
    m_place->setText(tr("%1 of %2").arg(m_step + 1).arg(count));
    static const QRegularExpression thousands(QStringLiteral("(\\d) (?=\\d{3}(?!\\d))"));  // a number does not break
    m_text->setMarkdown(QStringLiteral("### %1\n\n%2").arg(shown.title, shown.text).replace(thousands, QStringLiteral("\\1\u202F")));
    spaceParagraphs(*m_text->document());
    m_back->setEnabled(m_step > 0);
    m_next->setText(m_step + 1 < count ? tr("Next") : tr("Finish"));
    if (shown.scenario) {
        m_document.replace(tr("Lesson"), *shown.scenario);
        m_document.endGesture();
        m_document.editLook([&](Look& look) { look.dispersion = shown.dispersion.toStdString(); });
        emit partsNamed(shown.parts);
    }
}

}  // namespace attnscope

#include "moc_learn_view.cpp"
