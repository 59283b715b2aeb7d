#include "ui/window/views/answer_line.h"

#include "core/analysis/answer.h"
#include "ui/window/controls/building.h"
#include "ui/window/controls/elided.h"
#include "ui/window/views/copy_data.h"
#include "ui/window/views/counted_rows.h"

#include <QClipboard>
#include <QGuiApplication>

namespace attnscope {

AnswerLine::AnswerLine(Analyser& analyser, QWidget* parent)
    : QWidget(parent), m_words(elidedCaption(tr("What the ticked methods come to at this n")))
{
    QToolButton* copies = iconButton(QStringLiteral("copy"), tr("Copy the sentence"), tr("Copy the sentence"), 12);
    copies->setProperty("quiet", true);
    m_copy = copies;
    inRow(this, {{m_words, 1}, copies}, 8, {14, 0, 14, 2});
    setFixedHeight(std::max(fontMetrics().height(), copies->sizeHint().height()) + 2);
    m_words->setToolTip(tr("Mean row entropies, in nats, of the ticked methods at n, beside that at the length N under "
                           "m = 1: the method that comes nearest first. The numbers are those of Compare"));
    connect(copies, &QToolButton::clicked, this, &AnswerLine::copy);
    offerActions(this, {copying(tr("Copy the sentence"), [this] { return text(); })});
    connect(&analyser, &Analyser::arrived, this, [this](const AnalysisPtr& analysis) {
        m_shows.run([this, analysis] { show(*analysis); }, analysis->scenario.view.table);
    });
}

QString AnswerLine::text() const { return m_words->text(); }

void AnswerLine::copy() const { QGuiApplication::clipboard()->setText(text()); }

void AnswerLine::show(const Analysis& analysis)
{
    const QString words = QString::fromStdString(answerInWords(analysis));
    m_words->setShortText(words.section(QLatin1Char(';'), 0, 0));
    m_words->setText(words.isEmpty() || !rowsDiffer(analysis.scenario)
                         ? words
                         : tr("%1 (%2)").arg(words, pictureRows(analysis.scenario)));
    m_copy->setEnabled(!words.isEmpty());
}

}  // namespace attnscope

#include "moc_answer_line.cpp"
