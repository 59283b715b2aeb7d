#include "ui/model/scale_page.h"

#include "core/base/length_list.h"
#include "core/tuning/verdict.h"
#include "ui/figure/tune_charts.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/widgets/building.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/number_scale.h"
#include "ui/job/pace.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/when_seen.h"
#include "ui/model/answer_parts.h"
#include "ui/model/scale_tables.h"
#include "ui/model/take_away.h"
#include "ui/views/chart_view.h"
#include "ui/views/save_chart.h"
#include "ui/widgets/value_table.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QProgressBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QTextDocumentFragment>
#include <QToolButton>

#include <algorithm>
#include <tuple>
#include <utility>

namespace attnscope {

namespace {

constexpr int scaleMargin = 14, questionWidth = 520, questionHeight = 300, findingsWidth = 690, takeAwayWidth = 335,
              lengthWidth = 84, barWidth = 110, overWidth = 160;
constexpr int searchSteps = 1000;

struct OverWords {
    TuneOver over;
    const char *words, *about;
};
constexpr OverWords overWords[]{
    {TuneOver::Scale, "The scale", "One multiplier on all logits: what most programs that run models can be told"},
    {TuneOver::Positions, "The positions",
     "A scheme of positions and its parameter: base, PI's, NTK's and YaRN's "
     "factor, ReRoPE's window"},
    {TuneOver::Both, "Scale and positions", "A scheme of positions, and a multiplier beside it"},
    {TuneOver::Layers, "A scale a layer", "A multiplier for every layer, on top of one for all"},
    {TuneOver::Heads, "A scale a head",
     "A multiplier for every head, on top of one for all, by the gradient of the loss"}};

}  // namespace

ScalePage::ScalePage(Document& document, ModelRunner& runner, ScaleFinder& finder, QWidget* parent)
    : QWidget(parent), m_document(document), m_runner(runner), m_finder(finder), m_line(new QWidget),
      m_find(pushButton(u"Find the scale"_s, u"Try settings on some windows of the text, and judge what was found on "
                                             "others"_s)),
      m_stop(pushButton(u"Stop"_s, u"End the search; what was found stays, and it can go on later"_s)),
      m_over(new ElidedList),
      m_against(described(new ElidedList, u"Chart against"_s,
                          u"What was tried, against its multiplier or against its positions' parameter"_s)),
      m_length(new QLineEdit), m_bar(new QProgressBar), m_stage(elidedCaption(u"How far the search is"_s)),
      m_verdict(paragraph("pane")), m_copyAnswer(iconButton(u"copy"_s, u"Copy the answer"_s, u"Copy the answer"_s, 12)),
      m_facts(paragraph("caption")), m_middle(new QStackedWidget), m_question(paragraph("caption")),
      m_chart(new ChartView), m_places(new ChartView), m_tabs(new QTabWidget), m_comparisons(comparisonTable()),
      m_heads(headTable()), m_tried(triedTable()), m_takeAway(new TakeAway(document, runner, finder))
{
    for (const OverWords& one : overWords)
        addItem(*m_over, text(one.words), static_cast<int>(one.over), text(one.about));
    m_over->setMinimumWidth(withText(overWidth));  // else the field beside it moves with what is chosen
    m_length->setMaximumWidth(lengthWidth);
    takesNumbers(*m_length);
    m_bar->setRange(0, searchSteps);
    m_bar->setTextVisible(false);
    m_bar->setFixedWidth(barWidth);
    m_bar->setAccessibleName(u"Progress of the search"_s);
    for (QLabel* words : {m_verdict, m_facts})
        words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_facts->setTextFormat(Qt::RichText);  // a table
    m_copyAnswer->setProperty("quiet", true);
    inRow(m_line,
          {m_find, captionFor(m_over, u"Over"_s, u"What the search changes"_s), m_over,
           captionFor(m_length, u"n"_s,
                      u"The length that it is found for, in tokens. Empty: the one that the page "
                      "looks at where that is beyond N, else 4 N"_s),
           m_length, m_bar,
           m_stop,  // not where the button is that begins: who clicks twice stops nothing
           stretch()},
          8);
    m_line->installEventFilter(this);
    m_stage->setContentsMargins(scaleMargin, 0, scaleMargin, 0);
    auto *before = new QWidget, *words = new QWidget;
    words->setMaximumWidth(questionWidth);
    words->setMinimumHeight(questionHeight);  // as on the other pages: the headings of all stand at one height
    inColumn(words, {textLabel(u"Which scale is best for this model?"_s, "title"), m_question, stretch()}, 12);
    inColumn(before, {stretch(2), inRow({stretch(), {words, 8}, stretch()}), stretch(3)});
    m_middle->addWidget(before);
    m_middle->addWidget(buildFindings());
    inColumn(this, {inColumn({inRow({{m_verdict, 1}, m_copyAnswer}, 8), m_facts}, 4), {m_middle, 1}}, 8,
             {scaleMargin, 0, scaleMargin, 8});
    setFocusProxy(m_find);

    connect(m_find, &QPushButton::clicked, this, &ScalePage::begin);
    connect(m_copyAnswer, &QToolButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_said); });
    connect(m_stop, &QPushButton::clicked, this, [this] { m_finder.stop(); });
    connect(m_over, &QComboBox::activated, this, [this](int at) {
        m_document.editLook([&](Look& look) { look.model.over = static_cast<TuneOver>(m_over->itemData(at).toInt()); });
    });
    connect(m_length, &QLineEdit::editingFinished, this, &ScalePage::takeLength);
    connect(m_against, &QComboBox::activated, this, &ScalePage::showAnswer);
    auto* seen = new WhenSeen(this, [this] { show(); });
    const auto update = [seen] { (*seen)(); };
    connect(&finder, &ScaleFinder::found, seen, update);
    connect(&runner, &ModelRunner::opened, seen, update);
    for (const auto told : {&ModelRunner::studied, &ModelRunner::progressed})  // what it will cost
        connect(&runner, told, this, [this] { m_question->setText(question()); });
    connect(&document, &Document::lookChanged, seen, update);
    connect(&document, &Document::changed, seen, update);  // is what was found among its methods?
    show();
}

QWidget* ScalePage::stage() const { return m_stage; }

QStringList ScalePage::answerInShort() const
{
    return QStringList(m_verdict->text()) +
           QTextDocumentFragment::fromHtml(m_facts->text()).toPlainText().split(QLatin1Char('\n'));
}

/// What there is once the verdict is made; before that a word on it.
QStackedWidget* ScalePage::afterTheSearch(QWidget* content)
{
    auto* both = new QStackedWidget;
    QLabel* note = paragraph("caption");
    note->setText(u"This comes at the end of the search, from windows that nothing was fitted on."_s);
    auto* before = new QWidget;
    inColumn(before, {note, stretch()}, 0, {8, 8, 8, 0});
    both->addWidget(before);
    both->addWidget(content);
    return both;
}

QWidget* ScalePage::buildFindings()
{
    m_against->addItem(u"Against the multiplier"_s);
    m_against->addItem(u"Against the positions"_s);
    offerSaving(*m_chart, u"scales"_s);
    offerSaving(*m_places, u"gain_by_place"_s);
    m_chart->setAccessibleName(u"What was tried"_s);
    m_places->setAccessibleName(u"Gain by place in the window"_s);
    auto* upper = new QWidget;
    QHBoxLayout* top = inRow({{textLabel(u"What was tried"_s, "pane"), 1}, m_against});
    inColumn(upper, {top, {m_chart, 1}}, 2, {0, 0, 8, 0});
    m_tabs->tabBar()->setDrawBase(false);
    for (QWidget* content : std::initializer_list<QWidget*>{m_comparisons, m_places, m_heads})
        m_atTheEnd.push_back(afterTheSearch(content));
    const std::tuple<QWidget*, QString, QString> pages[] = {
        {m_atTheEnd[0], u"Compared"_s,
         u"On the judged windows, which nothing was fitted on: differences, intervals and tests"_s},
        {m_atTheEnd[1], u"By place"_s,
         u"The gain against the place in a judged window: is it only that of the last tokens?"_s},
        {m_atTheEnd[2], u"Heads"_s, u"Which heads want to be sharper, and what their own entropy asks for"_s},
        {m_tried, u"Tried"_s,
         u"Every setting that was run on the search windows; those that ran on all of them first, of each kind the "
         u"best "
         "first"_s}};
    for (const auto& [page, title, about] : pages)
        m_tabs->setTabToolTip(m_tabs->addTab(page, title), about);
    auto* left = new QSplitter(Qt::Vertical);
    left->setObjectName(u"scale findings"_s);
    left->setChildrenCollapsible(false);
    left->addWidget(upper);
    left->addWidget(m_tabs);
    left->setStretchFactor(0, 3);
    left->setStretchFactor(1, 2);
    left->setSizes({3 * lengthWidth, 2 * lengthWidth});
    auto* both = new QSplitter;
    both->setObjectName(u"scale panes"_s);
    both->setChildrenCollapsible(false);
    both->addWidget(left);
    both->addWidget(m_takeAway);
    both->setStretchFactor(0, 1);
    both->setSizes({findingsWidth, takeAwayWidth});
    return both;
}

QString ScalePage::question() const
{
    if (!m_runner.model())
        return m_runner.error();
    const QString n = lengthText(static_cast<double>(m_finder.length())),
                  trained = lengthText(static_cast<double>(m_runner.model()->architecture.trainLength));
    return u"For n = %1 tokens; it was trained at N = %2.\n\n"
           "1. Press Find the scale, above. Published scales, and multipliers of the search's own, are tried on some "
           "windows of the text at the left: a chart that comes here has each as soon as it was run.\n\n"
           "2. The best is judged on other windows, which nothing was fitted on. One sentence says what to use and "
           "what it gains, with its error; \u201Cnothing is shown to help\u201D is one too. Below the chart come the "
           "tests, the "
           "gain by place in the window, the heads, and all that was tried.\n\n"
           "3. It comes ready to paste into config.json, llama.cpp, vLLM or PyTorch, and Use it here adds it to the "
           "methods."_s.arg(n, trained) +
           cost();
}

/// Before a search that one would leave alone for: how long it takes, as far as the runs of the study tell.
QString ScalePage::cost() const
{
    constexpr double worthSaying = 20;  // s
    const auto wanted = m_finder.wanted();
    if (!wanted)
        return {};
    const auto windows = windowsOfSearch(wanted->request, static_cast<std::size_t>(wanted->windows.fitting),
                                         static_cast<std::size_t>(wanted->windows.verdict));
    const double seconds = static_cast<double>(windows) * m_runner.secondsFor(wanted->request.n);
    if (seconds < worthSaying)
        return {};
    const TuneOver over = wanted->request.over;
    return u"\n\nIt runs up to about %1 windows%2: at most some %3 at the pace of the runs at the left, and what is "
           u"found "
           "shows meanwhile."_s.arg(windows)
               .arg(over == TuneOver::Layers || over == TuneOver::Heads ? u", and the gradients on top"_s : QString(),
                    durationText(seconds));
}

void ScalePage::show()
{
    showQuestion();
    showAnswer();
}

void ScalePage::showQuestion()
{
    const ModelLook& look = m_document.look().model;
    const bool finding = m_finder.isFinding();
    const auto& news = m_finder.news();
    const QString begins = u"Find the scale"_s, goesOn = u"Go on"_s, again = u"Search again"_s;
    showOneOf(*m_find, m_finder.canGoOn() ? goesOn : news && news->report ? again : begins, {begins, goesOn, again});
    offerStop(*m_find, *m_stop, finding, m_finder.wanted().has_value());
    m_over->setCurrentIndex(m_over->findData(static_cast<int>(look.over)));
    showTaken(*m_length, look.tunedAt > 0 ? countText(static_cast<double>(look.tunedAt)) : QString());
    m_length->setPlaceholderText(m_finder.length() > 0 ? countText(static_cast<double>(m_finder.length())) : QString());
    m_bar->setVisible(finding);
    m_bar->setValue(news ? static_cast<int>(news->fraction * searchSteps) : 0);
    QString stage;
    if (finding)
        stage = news ? u"searching: %1%2"_s.arg(news->stage, news->left) : u"starting"_s;
    else if (news && news->report)
        stage = u"%1 settings tried on %2 search windows of %3 tokens, the best judged on %4 others; all tokens count"_s
                    .arg(news->tried.size())
                    .arg(news->report->fitting)
                    .arg(lengthText(static_cast<double>(news->report->at.n)))
                    .arg(news->report->verdict);
    else if (m_finder.canGoOn())
        stage = u"stopped after %1 settings"_s.arg(news->tried.size());
    else if (m_finder.isRecalling())
        stage = u"looking for what was found before"_s;
    m_stage->setText(stage);
    m_question->setText(question());
}

/// What to use in one strong line, then what is known beside it; the whole sentence is what is copied.
void ScalePage::showVerdict(const TuneReport* report)
{
    QString use = m_said, facts;
    if (report) {
        const ShortAnswer answer = shortAnswerOf(*report);
        use = text(answer.use);
        facts = tableOfFacts(answer);
    }
    m_verdict->setText(saidInLine(use));
    m_verdict->setVisible(!use.isEmpty());
    m_verdict->setToolTip(report ? Qt::convertFromPlainText(saidInLine(m_said), Qt::WhiteSpaceNormal) : QString());
    m_copyAnswer->setVisible(!use.isEmpty());
    if (m_facts->text() != facts)  // else what is selected there stays
        m_facts->setText(facts);
    m_facts->setVisible(!facts.isEmpty());
}

void ScalePage::showAnswer()
{
    const auto& news = m_finder.news();
    const TuneReport* report = news ? news->report.get() : nullptr;
    QString& said = m_said;
    said.clear();
    if (report)
        said = text(report->answer) + QLatin1Char('.');
    else if (news && !news->error.isEmpty())
        said = news->error;
    else if (news && !news->best.isEmpty())
        said = news->gain > 0 ? u"The best so far, %1, is %2 nats below the model as it is, on all search windows; "
                                "none has judged it yet."_s.arg(news->best, number(news->gain))
                              : u"Nothing that ran on all search windows is better so far than the model as it is."_s;
    showVerdict(report);
    const bool any = news && !news->tried.empty() && m_runner.model();
    m_middle->setCurrentIndex(any ? 1 : 0);
    setState(*m_find, "primary", !report);  // else what comes next stands at the answer
    if (!any)
        return;
    const Architecture& architecture = m_runner.model()->architecture;
    TuneCurve curve{.at = {m_finder.length(), static_cast<double>(architecture.trainLength)},
                    .headSize = architecture.headSize,
                    .tried = news->tried,
                    .theory = news->theory,
                    .searching = !report};
    if (report && report->helps)
        curve.use = report->use();
    const TuneOver over = m_document.look().model.over;
    m_against->setVisible(over == TuneOver::Both);
    const bool byScheme = over == TuneOver::Positions || (over == TuneOver::Both && m_against->currentIndex() == 1);
    m_chart->show(byScheme ? schemeChart(curve) : tuneChart(curve));
    fillTried(*m_tried, news->tried, curve.at, curve.headSize);
    fillComparisons(*m_comparisons, report);
    fillHeads(*m_heads, report);
    for (QStackedWidget* both : m_atTheEnd)
        both->setCurrentIndex(report ? 1 : 0);
    m_places->show(report ? gainByPlaceChart(*report) : ChartSpec{});
    m_takeAway->show();
}

void ScalePage::begin()
{
    if (!takeLength())  // else it would search at another n than what stands there
        return m_length->setFocus();
    if (!m_finder.isFinding() && m_finder.wanted())
        m_finder.find();
}

/// Enter in the fields of the question, which let it through, is the button.
bool ScalePage::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_line && event->type() == QEvent::KeyPress) {
        const QWidget* at = QApplication::focusWidget();
        const int key = static_cast<QKeyEvent*>(event)->key();
        if ((key == Qt::Key_Return || key == Qt::Key_Enter) && (at == m_length || at == m_over)) {
            begin();  // and it goes on to who leads out of the field
        }
    }
    return QWidget::eventFilter(watched, event);
}

bool ScalePage::takeLength()
{
    const QString typed = m_length->text().trimmed();
    constexpr NumberScale lengths{.minimum = 2, .maximum = longestLength, .logarithmic = true, .whole = true};
    const std::optional<double> read = typed.isEmpty() ? std::optional(0.0) : lengths.read(typed);
    const QString fault =
        read ? QString() : u"n can be empty, or is a number of tokens. %1"_s.arg(lengths.expectation());
    showFault(*m_length, fault);
    emit refused(fault);
    if (!read)
        return false;
    const auto value = static_cast<std::int64_t>(*read);
    if (value > 0 || m_document.look().model.tunedAt > 0)
        m_document.editLook([&](Look& look) { look.model.tunedAt = value; });
    return true;
}

}  // namespace attnscope

#include "moc_scale_page.cpp"
