#include "ui/views/answer_line.h"

#include "core/analysis/answer.h"
#include "ui/plot/qt_text.h"
#include "ui/workbench/analyser.h"
#include "ui/workbench/document.h"
#include "ui/workbench/file_offers.h"
#include "ui/workbench/open_tensors.h"
#include "ui/widgets/building.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/throttle.h"
#include "ui/widgets/copy_data.h"
#include "ui/figure/counted_rows.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QToolButton>

namespace attnscope {

AnswerLine::AnswerLine(const QString& description, const QString& teaches, QWidget* parent)
    : QWidget(parent), m_words(elidedCaption(description)),
      m_offer(toolButton(u"Show more"_s, u"A length at which there is more to see"_s))
{
    QToolButton* copies = iconButton(u"copy"_s, u"Copy the sentence"_s, u"Copy the sentence"_s, 12);
    copies->setProperty("quiet", true);
    m_copy = copies;
    m_offer->setProperty("offer", true);
    inRow(this, {{m_words, 1}, m_offer, copies}, 8, {14, 0, 14, 0});
    offer({}, {});
    connect(m_offer, &QToolButton::clicked, this, &AnswerLine::taken);
    takeALine();
    m_words->setToolTip(teaches);
    connect(copies, &QToolButton::clicked, this, &AnswerLine::copy);
    offerActions(this, {{u"Copy the sentence"_s, [this] { copy(); }, {}, ViewAction::Part::Copy}});
    say({}, {});
}

void AnswerLine::takeALine()
{
    const int text = fontMetrics().height();
    m_copy->setFixedHeight(text + 2);  // no pixel of the maps' height is theirs
    m_offer->setFixedHeight(text);     // which touches neither the scale above it nor the cards below
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

void AnswerLine::say(const QString& words, const QStringList& shorter)
{
    m_words->setShortTexts(shorter);
    m_words->setText(words);
    m_copy->setEnabled(!words.isEmpty());
}

void AnswerLine::offer(const QString& label, const QString& teaches)
{
    m_offer->setVisible(!label.isEmpty());
    m_offer->setText(label);
    if (label.isEmpty())
        return;
    m_offer->setToolTip(teaches);
    m_offer->setAccessibleName(label);
}

AnswerLine* answerLineOf(Analyser& analyser, Document& document, const FileOffers& offers)
{
    auto* line = new AnswerLine(u"What the ticked methods come to at this n"_s,
                                u"Mean row entropies, in nats, of the ticked methods at n, beside that at the "
                                "length N under m = 1: the method that comes nearest first. The numbers are "
                                "those of Compare"_s);
    auto* shows = new Throttle(line);
    QObject::connect(&analyser, &Analyser::arrived, line, [line, shows](const AnalysisPtr& analysis) {
        const auto show = [line, analysis] {
            const QString words = text(answerInWords(*analysis));
            line->say(words.isEmpty() || !rowsDiffer(analysis->scenario)
                          ? words
                          : u"%1 (%2%3)"_s.arg(words, analysis->scenario.view.preview ? u"preview, "_s : QString(),
                                               rowSetWords(analysis->scenario)),
                      {words.section(QLatin1Char(';'), 0, 0)});
        };
        shows->run(show, analysis->scenario.view.table);
    });
    const auto beyond = [&document, &offers] {
        const Scenario& now = document.scenario();
        const OfferedFilePtr& file = offers.current();
        if (now.ofFile() && (!file || file->offers.empty()))
            return std::optional<BeyondTrained>();
        return beyondTrained(now, now.ofFile() ? file->offers.front().sizes.keys : 0);
    };
    const auto offer = [&analyser, &document, line, beyond] {
        const AnalysisPtr& analysis = analyser.answer();
        const auto there = analysis && areAlikeAtTrained(*analysis) ? beyond() : std::nullopt;
        const auto [words, about] = there ? offerOf(*there, document.scenario()) : std::pair<QString, QString>();
        line->offer(words, about);
    };
    QObject::connect(&analyser, &Analyser::arrived, line, offer);
    QObject::connect(&offers, &FileOffers::changed, line, offer);
    QObject::connect(line, &AnswerLine::taken, &document, [&document, beyond] {
        if (const auto there = beyond())
            document.editOnce(u"Length n"_s, [&](Scenario& scenario) {
                scenario.n = there->n;
                scenario.nTrain = there->nTrain;
            });
    });
    return line;
}

}  // namespace attnscope

#include "moc_answer_line.cpp"
