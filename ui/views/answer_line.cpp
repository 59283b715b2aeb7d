#include "ui/views/answer_line.h"

#include "core/analysis/answer.h"
#include "ui/plot/qt_text.h"
#include "ui/workbench/analyser.h"
#include "ui/widgets/building.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/throttle.h"
#include "ui/widgets/copy_data.h"
#include "ui/views/counted_rows.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>

namespace attnscope {

AnswerLine::AnswerLine(const QString& description, const QString& teaches, QWidget* parent)
    : QWidget(parent), m_words(elidedCaption(description))
{
    QToolButton* copies = iconButton(u"copy"_s, u"Copy the sentence"_s, u"Copy the sentence"_s, 12);
    copies->setProperty("quiet", true);
    m_copy = copies;
    inRow(this, {{m_words, 1}, copies}, 8, {14, 0, 14, 0});
    takeALine();
    m_words->setToolTip(teaches);
    connect(copies, &QToolButton::clicked, this, &AnswerLine::copy);
    offerActions(this, {copying(u"Copy the sentence"_s, [this] { return text(); })});
    say({}, {});
}

void AnswerLine::takeALine()
{
    const int text = fontMetrics().height();
    m_copy->setFixedHeight(text + 2);  // no pixel of the maps' height is the button's
    setFixedHeight(text + 2);
}

void AnswerLine::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        takeALine();
}

QString AnswerLine::text() const { return m_words->text(); }

void AnswerLine::copy() const { QGuiApplication::clipboard()->setText(text()); }

void AnswerLine::say(const QString& words, const QString& inShort)
{
    m_words->setShortText(inShort);
    m_words->setText(words);
    m_copy->setEnabled(!words.isEmpty());
}

AnswerLine* answerLineOf(Analyser& analyser)
{
    auto* line = new AnswerLine(u"What the ticked methods come to at this n"_s,
                                u"Mean row entropies, in nats, of the ticked methods at n, beside that at the "
                                "length N under m = 1: the method that comes nearest first. The numbers are "
                                "those of Compare"_s);
    auto* shows = new Throttle(line);
    QObject::connect(&analyser, &Analyser::arrived, line, [line, shows](const AnalysisPtr& analysis) {
        const auto show = [line, analysis] {
            const QString words = QString::fromStdString(answerInWords(*analysis));
            line->say(words.isEmpty() || !rowsDiffer(analysis->scenario)
                          ? words
                          : u"%1 (%2)"_s.arg(words, pictureRows(analysis->scenario)),
                      words.section(QLatin1Char(';'), 0, 0));
        };
        shows->run(show, analysis->scenario.view.table);
    });
    return line;
}

}  // namespace attnscope

#include "moc_answer_line.cpp"
