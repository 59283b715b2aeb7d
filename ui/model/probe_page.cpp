#include "ui/model/probe_page.h"

#include "core/analysis/probe_answer.h"
#include "core/scaling/scale_method.h"
#include "ui/figure/labels.h"
#include "ui/figure/probe_charts.h"
#include "ui/job/pace.h"
#include "ui/plot/method_style.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/widgets/building.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/number_scale.h"
#include "ui/widgets/when_seen.h"
#include "ui/model/answer_parts.h"
#include "ui/views/chart_view.h"
#include "ui/widgets/copy_data.h"
#include "ui/views/heatmap_tile.h"
#include "ui/views/save_chart.h"
#include "ui/widgets/value_table.h"

#include <QComboBox>
#include <QLineEdit>
#include <QProgressBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QTextDocumentFragment>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr int probeMargin = 14, probeQuestionWidth = 520, probeQuestionHeight = 300, taskWidth = 144,
              coloursWidth = 210, countWidth = 52, depthsWidth = 150, probeBarWidth = 110;
constexpr int probeSteps = 1000;

QString listed(const std::vector<double>& values, const QString& between)
{
    QStringList all;
    for (const double value : values)
        all << QString::fromStdString(formatNumber(value, 4));  // a field's text is read again
    return all.join(between);
}

QString listed(const std::vector<std::int64_t>& lengths)
{
    QStringList all;
    for (const std::int64_t n : lengths)
        all << lengthText(static_cast<double>(n));
    return all.join(u", "_s);
}

/// As one of the needles has it.
QString exampleOf(const std::string& words)
{
    return text(words).trimmed().replace(u"{key}"_s, u"Mia"_s).replace(u"{value}"_s, u"Wolf"_s);
}

}  // namespace

ProbePage::ProbePage(Document& document, ModelRunner& runner, ProbeRunner& probes, QWidget* parent)
    : QWidget(parent), m_document(document), m_runner(runner), m_probes(probes), m_line(new QWidget),
      m_run(pushButton(u"Run"_s, u"Ask the model, under every method and position scheme that is ticked"_s)),
      m_stop(pushButton(u"Stop"_s, u"End the runs; what was found stays"_s)),
      m_other(pushButton(u"Open"_s, u"A small model that comes with the program"_s)), m_task(new ElidedList),
      m_colouredBy(new ElidedList), m_samples(new QLineEdit), m_keys(new QLineEdit), m_depths(new QLineEdit),
      m_needleFields(new QWidget), m_bar(new QProgressBar), m_stage(elidedCaption(u"How far the runs are"_s)),
      m_reading(elidedCaption(u"The needles under the pointer"_s)), m_verdict(paragraph("pane")),
      m_facts(paragraph("caption")), m_question(paragraph("caption")), m_middle(new QStackedWidget),
      m_pictures(new QStackedWidget), m_tables(new QStackedWidget), m_recall(new ChartView), m_loss(new ChartView),
      m_maps(new NeedleMaps), m_colours(new ColourBar(u"Colours of the maps"_s)),
      m_repeatTable(probeTable(ProbeTask::Repeat)), m_needleTable(probeTable(ProbeTask::Needle))
{
    m_other->setProperty("primary", true);
    m_bar->setRange(0, probeSteps);
    m_bar->setTextVisible(false);
    m_bar->setFixedWidth(probeBarWidth);
    m_bar->setAccessibleName(u"Progress of the probes"_s);
    for (QLabel* words : {m_verdict, m_facts})
        words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_facts->setTextFormat(Qt::RichText);  // a table
    m_middle->addWidget(buildBefore());
    m_middle->addWidget(buildFindings());
    buildLine();
    inColumn(this, {inColumn({m_verdict, m_facts}, 4), {m_middle, 1}}, 8, {probeMargin, 0, probeMargin, 8});
    setFocusProxy(m_run);

    connect(m_run, &QPushButton::clicked, this, [this] { m_probes.run(); });
    connect(m_stop, &QPushButton::clicked, this, [this] { m_probes.stop(); });
    connect(m_other, &QPushButton::clicked, this, [this] { emit modelAsked(m_probes.suggestedModel()); });
    connect(m_task, &QComboBox::activated, this, [this](int at) {
        edit([&](ModelLook& look) { look.probe.task = static_cast<ProbeTask>(m_task->itemData(at).toInt()); });
    });
    connect(m_colouredBy, &QComboBox::activated, this, [this](int at) {
        edit([at](ModelLook& look) {
            look.probe.probability = at % 2 == 1;
            look.probe.difference = at >= 2;
        });
    });
    connect(m_samples, &QLineEdit::editingFinished, this,
            [this] { takeNumber(m_samples, 2, ProbeLook::mostSamples, &ProbeLook::samples); });
    connect(m_keys, &QLineEdit::editingFinished, this,
            [this] { takeNumber(m_keys, 1, mostNeedleKeys, &ProbeLook::keys); });
    connect(m_depths, &QLineEdit::editingFinished, this, &ProbePage::takeDepths);
    const auto lookAt = [this](std::int64_t n) { edit([n](ModelLook& look) { look.n = n; }); };
    connect(m_maps, &NeedleMaps::chosen, this, lookAt);
    connect(m_maps, &NeedleMaps::pointed, this, [this](const QString& reading) { m_reading->setText(reading); });
    for (ChartView* chart : {m_recall, m_loss})
        connect(chart, &ChartView::clicked, this, [this, lookAt](QPointF value, const std::optional<ChartHit>&) {
            const auto lengths = m_runner.lengths();
            const auto nearest = std::ranges::min_element(
                lengths, {}, [&](std::int64_t n) { return std::abs(std::log(static_cast<double>(n) / value.x())); });
            if (nearest != lengths.end())
                lookAt(*nearest);
        });
    auto* seen = new WhenSeen(this, [this] { show(); });
    const auto update = [seen] { (*seen)(); };
    connect(&probes, &ProbeRunner::found, seen, update);
    connect(&runner, &ModelRunner::opened, seen, update);
    connect(&document, &Document::lookChanged, seen, update);
    connect(&document, &Document::changed, seen, update);
    show();
}

void ProbePage::buildLine()
{
    addItem(*m_task, u"Repeated tokens"_s, static_cast<int>(ProbeTask::Repeat),
            u"Random tokens, and the same again: how well is the second copy known?"_s);
    addItem(*m_task, u"Needle"_s, static_cast<int>(ProbeTask::Needle),
            u"Something told once in the text, and asked for at its end"_s);
    m_task->setMinimumWidth(withText(taskWidth));  // else the fields beside it move with the task
    for (QLineEdit* field : {m_samples, m_keys, m_depths})
        takesNumbers(*field);
    for (QLineEdit* field : {m_samples, m_keys})
        field->setMaximumWidth(countWidth);
    m_depths->setMaximumWidth(depthsWidth);
    QHBoxLayout* fields = inRow(m_needleFields,
                                {captionFor(m_keys, u"Keys"_s,
                                            u"Needles told, 1 to %1: one is asked for, the others stand evenly over "
                                            "the text, with values of their own"_s.arg(mostNeedleKeys)),
                                 m_keys,
                                 captionFor(m_depths, u"Depths"_s,
                                            u"Where in the text it is told: 0 is its beginning, 1 its end; with "
                                            "commas between them"_s),
                                 m_depths},
                                8);
    fields->setContentsMargins(0, 0, 0, 0);
    inRow(m_line,
          {m_run, captionFor(m_task, u"Task"_s, u"What is asked of the model"_s), m_task,
           captionFor(m_samples, u"Samples"_s,
                      u"Of each length and depth; every method sees the same, and differences are paired by "
                      "them"_s),
           m_samples, m_needleFields, m_bar, m_stop, stretch()},
          8, {});
    m_stage->setContentsMargins(probeMargin, 0, probeMargin, 0);
}

/// Before there is something to see, or where nothing can be asked.
QWidget* ProbePage::buildBefore()
{
    auto* before = new QWidget;
    auto* words = new QWidget;
    words->setMaximumWidth(probeQuestionWidth);
    words->setMinimumHeight(probeQuestionHeight);  // as on the other pages: the headings of all stand at one height
    inColumn(
        words,
        {textLabel(u"What does this model find again?"_s, "title"), m_question, inRow({m_other, stretch()}), stretch()},
        12);
    inColumn(before, {stretch(2), inRow({stretch(), {words, 8}, stretch()}), stretch(3)});
    return before;
}

QWidget* ProbePage::buildFindings()
{
    m_pictures->addWidget(buildCharts());
    m_pictures->addWidget(buildMaps());
    m_tables->addWidget(m_repeatTable);
    m_tables->addWidget(m_needleTable);
    auto* split = new QSplitter(Qt::Vertical);
    split->setObjectName(u"probe findings"_s);
    split->setChildrenCollapsible(false);
    split->addWidget(m_pictures);
    split->addWidget(m_tables);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    return split;
}

QWidget* ProbePage::buildCharts()
{
    auto* both = new QSplitter;
    both->setObjectName(u"probe charts"_s);
    both->setChildrenCollapsible(false);
    const std::tuple<ChartView*, QString, QString> charts[] = {
        {m_recall, u"Second copy: how much is right"_s, u"recall"_s},
        {m_loss, u"Second copy: loss"_s, u"recall_loss"_s}};
    for (const auto& [chart, title, file] : charts) {
        auto* part = new QWidget;
        inColumn(part, {textLabel(title, "pane"), {chart, 1}}, 2, {0, 0, 0, 0});
        chart->setAccessibleName(title);
        chart->setNamesAtEnds(true);  // else both have the same legend
        offerSaving(*chart, file);
        both->addWidget(part);
    }
    both->setSizes({1000, 1000});
    return both;
}

QWidget* ProbePage::buildMaps()
{
    const QString first = u" from the first method with the same positions; the first method under further positions "
                          "from that of the first. Blue: better, red: worse"_s;
    const std::tuple<QString, QString> kinds[] = {
        {u"Exact answers"_s, u"How many of the samples are answered exactly, per cent; the answer above counts them"_s},
        {u"Probability of the answer"_s,
         u"Of all its tokens: e to the mean of ln p over the samples; the answer above says it too"_s},
        {u"Difference of exact answers"_s, u"In points, sample by sample,"_s + first},
        {u"Difference of ln p"_s, u"Of the answer's tokens together, sample by sample,"_s + first}};
    for (const auto& [name, about] : kinds)
        addItem(*m_colouredBy, name, m_colouredBy->count(), about);
    m_colouredBy->setMinimumWidth(withText(coloursWidth));  // else the bar beside it moves with the colours
    auto* part = new QWidget;
    QHBoxLayout* line = inRow(
        {captionFor(m_colouredBy, u"Colours"_s, u"What colours the maps"_s), m_colouredBy, {m_colours, 1}, stretch()},
        8);
    inColumn(part, {line, m_reading, {scrolled(m_maps), 1}}, 6);  // all of a reading: no tip lies over the maps
    offerActions(m_maps, {copying(u"Copy the data"_s, [this] { return m_needleTable->asText(); })});
    return part;
}

void ProbePage::edit(const std::function<void(ModelLook&)>& change)
{
    m_document.editLook([&](Look& look) { change(look.model); });
}

void ProbePage::takeNumber(QLineEdit* field, int least, int most, int ProbeLook::*into)
{
    const NumberScale scale{.minimum = double(least), .maximum = double(most), .whole = true};
    const std::optional<double> value = scale.read(field->text());
    const QString fault =
        value ? QString() : u"%1: a whole number from %2 to %3"_s.arg(field->accessibleName()).arg(least).arg(most);
    showFault(*field, fault);
    emit refused(fault);
    if (value)
        edit([&](ModelLook& look) { look.probe.*into = static_cast<int>(*value); });
}

void ProbePage::takeDepths()
{
    std::vector<double> depths;
    bool good = true;
    for (const QString& part : m_depths->text().split(QLatin1Char(','))) {
        bool isNumber = false;
        depths.push_back(part.trimmed().toDouble(&isNumber));
        good = good && isNumber && depths.back() >= 0 && depths.back() <= 1;
    }
    std::ranges::sort(depths);
    depths.erase(std::unique(depths.begin(), depths.end()), depths.end());
    good = good && depths.size() <= ProbeLook::mostDepths;
    const QString fault =
        good ? QString()
             : u"Depths: at most %1 numbers from 0 to 1, with commas between them"_s.arg(ProbeLook::mostDepths);
    showFault(*m_depths, fault);
    emit refused(fault);
    if (good)
        edit([&](ModelLook& look) { look.probe.depths = depths; });
}

QWidget* ProbePage::stage() const { return m_stage; }

QString ProbePage::verdict() const { return m_said; }
QStringList ProbePage::answerInShort() const
{
    return QStringList(m_verdict->text()) +
           QTextDocumentFragment::fromHtml(m_facts->text()).toPlainText().split(QLatin1Char('\n'));
}
QString ProbePage::question() const { return m_middle->currentIndex() == 0 ? m_question->text() : QString(); }
ValueTable* ProbePage::table() const { return needle() ? m_needleTable : m_repeatTable; }

std::vector<ProbePolicy> ProbePage::policies() const
{
    const auto& methods = m_document.scenario().methods;
    const std::vector<int> styles = methodStyles(methods);
    std::vector<ProbePolicy> all;
    for (const std::string& position : m_document.look().model.positions)
        for (std::size_t method = 0; method < methods.size(); ++method)
            all.push_back({text(describeChoice(scaleMethods(), methods[method])), m_runner.positionLabel(position),
                           styles[method], position == ownPositions});
    return all;
}

QString ProbePage::asking() const
{
    const auto key = m_probes.wanted();
    if (!key)
        return m_probes.whyNot();
    const ProbeRequest& request = key->request;
    const QString n = listed(request.lengths);
    const auto windows = static_cast<qlonglong>(request.policies.size() * request.lengths.size()) * request.samples;
    if (request.task == ProbeTask::Repeat)
        return u"Does this model know what comes again? Random tokens fill half of a window, and the same tokens the "
               "other half: only a head that looks back n/2 tokens can know the second copy. Run asks at n = %1, "
               "under every method and position scheme at the left: %2 windows. Its curves come here, and every "
               "number below them."_s.arg(n)
                   .arg(windows) +
               cost(request);
    return u"Does this model find a needle? \u201C%1\u201D is told once in the text, and its end asks "
           "\u201C%2\u2026\u201D. "
           "Run asks at n = %3, told at the depths %4 of the text, under every method and position scheme at the "
           "left: %5 windows. A map for each comes here, and every number below them."_s
               .arg(exampleOf(request.words.told), exampleOf(request.words.asked), n, listed(request.depths, u", "_s))
               .arg(windows * std::ssize(request.depths)) +
           cost(request);
}

/// Of runs that one would leave alone for, as far as those of the study tell.
QString ProbePage::cost(const ProbeRequest& request) const
{
    constexpr double worthSaying = 20;  // s
    const auto depths = request.task == ProbeTask::Needle ? std::ssize(request.depths) : 1;
    double seconds = 0;
    for (const std::int64_t n : request.lengths)
        seconds +=
            m_runner.secondsFor(n) * static_cast<double>(depths * std::ssize(request.policies)) * request.samples;
    return seconds < worthSaying
               ? QString()
               : u" They take some %1 at the pace of the runs of Heads and quality."_s.arg(durationText(seconds));
}

/// At the n that is looked at, or at the longest one that has an answer: what it comes to in one strong line, then what
/// is known beside it.
void ProbePage::showVerdict(const ProbeNews* news)
{
    m_said.clear();
    ShortAnswer answer;
    if (news && news->error.isEmpty())
        answer = answerOf(*news);
    else if (news)
        m_said = news->error;
    const QString facts = tableOfFacts(answer);
    m_verdict->setText(facts.isEmpty() ? m_said : saidInLine(text(answer.use)));
    m_verdict->setVisible(!m_said.isEmpty());
    m_verdict->setToolTip(facts.isEmpty() ? QString() : Qt::convertFromPlainText(m_said, Qt::WhiteSpaceNormal));
    if (m_facts->text() != facts)  // else what is selected there stays
        m_facts->setText(facts);
    m_facts->setVisible(!facts.isEmpty());
}

/// The whole sentence of it is m_said.
ShortAnswer ProbePage::answerOf(const ProbeNews& news)
{
    std::vector<std::string> labels;
    for (const ProbePolicy& policy : policies())
        labels.push_back(
            (policy.own ? policy.method : u"%1 under %2"_s.arg(policy.method, policy.position)).toStdString());
    const bool probability = m_document.look().model.probe.probability;
    std::vector<std::int64_t> lengths = m_runner.lengths();
    std::ranges::sort(lengths);
    lengths.push_back(m_runner.shown().n);
    const std::int64_t vocabulary = m_runner.model() ? m_runner.model()->architecture.vocabulary : 0;
    for (; !lengths.empty(); lengths.pop_back())
        if (const std::string said =
                probeInWords(m_probes.request(), news.cells, labels, lengths.back(), probability, vocabulary);
            !said.empty()) {
            m_said = saidInLine(text(said)) + QLatin1Char('.');
            return probeInShort(m_probes.request(), news.cells, labels, lengths.back(), probability, vocabulary);
        }
    return {};
}

/// Swatches have the colours of the ground.
void ProbePage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        showAnswer();
    QWidget::changeEvent(event);
}

void ProbePage::show()
{
    showQuestion();
    showAnswer();
}

void ProbePage::showQuestion()
{
    const ProbeLook& look = m_document.look().model.probe;
    const bool running = m_probes.isRunning();
    const auto& news = m_probes.news();
    const QString first = u"Run"_s, again = u"Run again"_s;
    showOneOf(*m_run, news ? again : first, {first, again});  // else the fields beside it move
    offerStop(*m_run, *m_stop, running, m_probes.canRun());
    m_task->setCurrentIndex(m_task->findData(static_cast<int>(look.task)));
    m_colouredBy->setCurrentIndex((look.difference ? 2 : 0) + (look.probability ? 1 : 0));
    m_needleFields->setVisible(needle());
    const std::pair<QLineEdit*, QString> fields[] = {{m_samples, QString::number(look.samples)},
                                                     {m_keys, QString::number(look.keys)},
                                                     {m_depths, listed(look.depths, u","_s)}};
    for (const auto& [field, value] : fields)
        showTaken(*field, value);
    m_bar->setVisible(running);
    m_bar->setValue(news ? static_cast<int>(news->fraction * probeSteps) : 0);
    QString stage;
    if (m_probes.isWaiting())
        stage = u"waits for the text"_s;
    else if (running)
        stage = news ? u"%1 %%2"_s.arg(std::lround(100 * news->fraction)).arg(news->left) : u"starting"_s;
    else if (news && news->error.isEmpty() && !news->complete)
        stage = u"stopped at %1 %"_s.arg(std::lround(100 * news->fraction));
    if (news && !news->leftOut.isEmpty())
        stage += (stage.isEmpty() ? QString() : u"; "_s) + news->leftOut;
    m_stage->setText(stage);
}

void ProbePage::showAnswer()
{
    const auto& news = m_probes.news();
    const bool any = news && !news->cells.empty() && m_runner.model() && m_probes.wanted();
    showVerdict(any ? news.get() : nullptr);
    m_question->setText(news && !news->error.isEmpty() && !any ? news->error + QLatin1Char('.') : asking());
    setState(*m_run, "primary", !m_probes.needsAnotherModel() && !(any && news->complete));  // again is no next step
    m_other->setVisible(m_probes.needsAnotherModel());
    m_other->setText(u"Open %1"_s.arg(m_probes.suggestedModel()));
    m_middle->setCurrentIndex(any ? 1 : 0);
    if (!any)
        return;
    m_pictures->setCurrentIndex(needle() ? 1 : 0);
    m_tables->setCurrentIndex(needle() ? 1 : 0);
    if (needle())
        showMaps(*news);
    else
        showCharts(*news);
    fillProbe(*table(), m_probes.request().task, news->cells, policies(), m_document.scenario().methods.size());
}

void ProbePage::showCharts(const ProbeNews& news)
{
    const auto& methods = m_document.scenario().methods;
    const auto named = policies();
    std::vector<ProbeLine> lines;
    for (std::size_t policy = 0; policy < named.size(); ++policy) {
        const QString label = methodLabel(methods[policy % methods.size()]);
        lines.push_back({named[policy].own ? label : u"%1, %2"_s.arg(label, named[policy].position),
                         named[policy].style, static_cast<int>(policy / methods.size())});
    }
    const std::int64_t vocabulary = m_runner.model()->architecture.vocabulary;
    const auto trained = static_cast<double>(m_runner.model()->architecture.trainLength),
               n = static_cast<double>(m_runner.shown().n);
    for (ChartView* view : {m_recall, m_loss}) {
        ChartSpec chart = view == m_recall ? recallChart(news.cells, lines, trained, vocabulary)
                                           : recallLossChart(news.cells, lines, trained, vocabulary);
        if (n > 0 && n != trained && !chart.series.empty())
            chart.lines.push_back({Qt::Vertical, n, u"$n$"_s, true});
        view->show(std::move(chart));
    }
}

void ProbePage::showMaps(const ProbeNews& news)
{
    const ProbeLook& look = m_document.look().model.probe;
    NeedleAxes axes{.lengths = {}, .depths = m_probes.request().depths, .n = m_runner.shown().n, .scale = {}};
    for (const std::int64_t n : m_probes.request().lengths)
        if (std::ranges::any_of(news.cells, [n](const ProbeCell& cell) { return cell.n == n; }) || m_probes.isRunning())
            axes.lengths.push_back(n);
    std::vector<NeedleMap> maps = needleMaps(news.cells, axes, policies(), m_document.scenario().methods.size(), look);
    std::vector<double> values;
    for (const NeedleMap& map : maps)
        for (const auto& row : map.cells)
            for (const NeedleMap::Cell& cell : row)
                values.push_back(cell.value);
    axes.scale = needleScale(values, look.probability, look.difference,
                             findColourMap(m_document.look().maps.colourMap).value_or(nullptr));
    m_colours->setScale(axes.scale, needleTitle(look.probability, look.difference));
    m_maps->show(std::move(maps), axes);
}

}  // namespace attnscope

#include "moc_probe_page.cpp"
