#include "ui/model/heads_page.h"

#include "core/analysis/model_answer.h"
#include "core/base/measured_text.h"
#include "core/model/architecture.h"
#include "core/scaling/scale_method.h"
#include "core/tuning/verdict.h"
#include "ui/model/head_view.h"
#include "ui/model/model_results.h"
#include "ui/plot/method_style.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/views/answer_line.h"
#include "ui/views/head_overview.h"
#include "ui/widgets/building.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/length_scrubber.h"
#include "ui/widgets/line_swatch.h"
#include "ui/widgets/side_by_side.h"
#include "ui/widgets/when_seen.h"
#include "ui/workbench/workbench.h"

#include <QComboBox>
#include <QRegularExpression>
#include <QSplitter>
#include <QStackedWidget>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace attnscope {

namespace {

constexpr int headsWide = 672, resultsWide = 500, nothingWidth = 520, nothingHeight = 300;
constexpr int threeMapsWide = 620, chartsNarrow = 300;
constexpr int mapHigh = 280, besideMap = 70;  // where rows of heads can be so much lower; its heading and what it says

/// Without the slopes, then without the heads, then without of what and how it was judged; at last the verdict alone.
QStringList shorterAnswers(const QString& words)
{
    static const QRegularExpression slopes(u" \\(slope [^)]*\\)"_s),
        brackets(u" \\((last [\\d\\s]+ tokens of )?(one window|\\d+ windows)[^)]*\\)"_s),
        heads(u"; (layer|the mean entropy of layer) [^;]*$"_s);
    const QString noSlopes = QString(words).remove(slopes), noHeads = QString(noSlopes).remove(heads),
                  plain = QString(noHeads).remove(brackets);
    return {noSlopes, noHeads, plain, plain.section(u"; "_s, 0, 0)};
}

}  // namespace

HeadsPage::HeadsPage(Workbench& bench, QWidget* parent)
    : QWidget(parent), m_document(bench.document), m_runner(bench.model), m_finder(bench.scale),
      m_middle(new QStackedWidget), m_title(textLabel({}, "title")), m_nothing(paragraph(nullptr)),
      m_heads(new QSplitter(Qt::Vertical)), m_halves(new QSplitter), m_scrubber(buildScrubber()),
      m_swatch(new LineSwatch), m_position(new ElidedList), m_method(new ElidedList), m_beside(new ElidedList),
      m_measure(new ElidedList), m_said(elidedCaption(u"The head under the pointer"_s)), m_overview(new HeadOverview),
      m_head(new HeadView(m_document, m_runner)), m_results(new ModelResults(m_document, m_runner)),
      m_right(cardOf(m_results)),
      m_answer(new AnswerLine(u"What the runs come to at the chosen n"_s,
                              u"Losses are compared window by window with those of the model as it is: Vanilla with "
                              "its own positions, and nothing else changed; behind \u00B1 is the standard error "
                              "over the windows. Layers and heads are counted from 0. A slope is that of "
                              "a head's mean entropy over ln n, in the model as it is: 0 keeps its entropy, 1 "
                              "spreads over ever more keys. The numbers are those of the table and of the heads"_s)),
      m_show(*new WhenSeen(this, [this] { show(); })), m_showHeads(*new WhenSeen(this, [this] { showHeads(); }))
{
    m_middle->addWidget(buildNothing());
    m_middle->addWidget(buildCentre());
    m_halves->setObjectName(u"model heads and quality"_s);
    m_halves->setHandleWidth(paneGap);
    m_halves->setChildrenCollapsible(false);
    m_halves->addWidget(cardOf(m_middle));
    m_halves->addWidget(m_right);
    m_halves->setStretchFactor(0, 1);
    m_halves->setSizes({headsWide, resultsWide});
    inColumn(this, {m_halves}, 0);

    connect(m_halves, &QSplitter::splitterMoved, this, [this] { m_withoutBeside.clear(); });
    connect(&m_finder, &ScaleFinder::found, this, [this] { showAnswer(); });
    connect(&m_runner, &ModelRunner::opened, this, &HeadsPage::showOpened);
    connect(&m_runner, &ModelRunner::studied, this, [this] {
        m_showHeads();
        showAnswer();
    });
    connect(&m_runner, &ModelRunner::measuredHeads, this, [this] { m_showHeads(); });
    connect(&m_runner, &ModelRunner::pictured, this, [this] { m_showHeads(); });
    for (const auto changed : {&Document::lookChanged, &Document::changed})
        connect(&m_document, changed, this, [this] { m_show(); });
    show();
}

/// Before there is a model.
QWidget* HeadsPage::buildNothing()
{
    auto* page = new QWidget;
    m_random = pushButton(u"Random tokens"_s, u"Sequences of random tokens, again and again: they need no tokeniser"_s);
    m_random->setProperty("primary", true);
    m_open = pushButton(u"Open a GGUF file\u2026"_s, u"A model of llama.cpp, Ollama or LM Studio"_s);
    QPushButton* folder =
        pushButton(u"Open a folder\u2026"_s, u"One with config.json and model.safetensors (Ctrl+Shift+O)"_s);
    QPushButton* manual =
        pushButton(u"Where to get one"_s, u"The manual's page on models: what to download, and which are run"_s);
    connect(m_random, &QPushButton::clicked, this,
            [this] { m_document.editLook([](Look& look) { look.model.text = ModelText::Repeated; }); });
    connect(m_open, &QPushButton::clicked, this, &HeadsPage::fileAsked);
    connect(folder, &QPushButton::clicked, this, &HeadsPage::folderAsked);
    connect(manual, &QPushButton::clicked, this, &HeadsPage::manualAsked);
    m_others = new QWidget;
    for (QPushButton* each : {m_random, m_open, folder, manual})
        each->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed);  // none is narrower than its words
    inColumn(m_others, {inRow({m_random, m_open, stretch()}), inRow({folder, manual, stretch()})}, usualSpacing);
    keepPlace(*m_others);  // the words above stay where they are
    auto* words = new QWidget;
    words->setMaximumWidth(nothingWidth);
    words->setMinimumHeight(nothingHeight);  // as on the other pages: the headings of all stand at one height
    inColumn(words, {m_title, m_nothing, m_others, stretch()}, 12);
    inColumn(page, {stretch(2), inRow({stretch(), {words, 8}, stretch()}), stretch(3)})->unsetContentsMargins();
    return page;
}

QWidget* HeadsPage::buildCentre()
{
    auto* page = new QWidget;
    m_positionCaption = captionFor(m_position, u"Positions"_s,
                                   u"The position scheme that the heads, the map, the places and the text are of"_s);
    QHBoxLayout* line =
        inRow({m_positionCaption, m_position, captionFor(m_method, u"Method"_s, u"The scale method that they are of"_s),
               m_swatch, m_method,
               captionFor(m_beside, u"Compare with"_s,
                          u"B: another combination at the same n, of which the map, the places and the text are shown "
                          "beside those of the first, A. Heads are coloured by what B has more than A"_s),
               m_beside, stretch()},
              6);
    QHBoxLayout* colours =
        inRow({captionFor(m_measure, u"Heads by"_s, u"What colours the heads"_s), m_measure, {m_said, 1}}, 6);
    for (QHBoxLayout* row : {line, colours})
        row->setContentsMargins(14, 0, 14, 0);
    for (const HeadMeasure& one : modelHeadMeasures())
        addItem(*m_measure, text(one.label), QString::fromLatin1(one.id), text(one.about));
    m_said->setContentsMargins(8, 0, 0, 0);
    m_heads->setObjectName(u"model heads"_s);
    m_heads->setChildrenCollapsible(false);
    auto* upper = new QWidget;
    inColumn(upper, {{m_overview, 1}}, 2, {0, 0, 8, 0});
    m_heads->addWidget(upper);
    m_heads->addWidget(m_head);
    m_heads->setStretchFactor(0, 0);
    m_heads->setStretchFactor(1, 1);
    inColumn(page, {line, colours, {m_heads, 1}}, 6);
    const auto edit = [this](const auto& change) { m_document.editLook([&](Look& look) { change(look.model); }); };
    connect(m_position, &QComboBox::activated, this,
            [edit](int at) { edit([&](ModelLook& look) { look.position = at; }); });
    connect(m_method, &QComboBox::activated, this,
            [edit](int at) { edit([&](ModelLook& look) { look.method = at; }); });
    connect(m_beside, &QComboBox::activated, this, [this, edit](int at) {
        const auto methods = static_cast<int>(m_document.scenario().methods.size());
        const int policy = m_beside->itemData(at).toInt();
        edit([&](ModelLook& look) {
            look.beside.reset();
            if (policy >= 0 && methods > 0)
                look.beside = Combination{policy / methods, policy % methods};
        });
    });
    connect(m_measure, &QComboBox::activated, this, [this, edit](int at) {
        edit([&](ModelLook& look) { look.measure = m_measure->itemData(at).toString().toStdString(); });
    });
    connect(m_overview, &HeadOverview::chosen, this, [edit](int layer, int head) {
        edit([&](ModelLook& look) {
            look.layer = layer;
            look.head = head;
        });
    });
    connect(m_overview, &HeadOverview::pointed, this,
            [this](const QString& reading) { say(reading.isEmpty() ? aboutHeads() : reading, u": "_s); });
    return page;
}

/// n in the hand, as in Explore: it stops at the lengths that the model is run at.
LengthScrubber* HeadsPage::buildScrubber()
{
    auto* scrubber = new LengthScrubber(u"Length n"_s, u"n"_s,
                                        u"The length that the heads, the map, the places and the text are of: drag "
                                        "it. It stops at the lengths that the model is run at, which are set at the "
                                        "left."_s);
    scrubber->setNamedStopsOnly(true);
    connect(scrubber, &LengthScrubber::edited, this, [this](double n) {
        m_document.editLook([n](Look& look) { look.model.n = static_cast<std::int64_t>(n); });
    });
    return scrubber;
}

/// One length is nothing to drag.
void HeadsPage::showLengths(const std::vector<std::int64_t>& lengths, std::int64_t n)
{
    m_scrubber->setEnabled(lengths.size() > 1);
    if (lengths.empty())
        return;
    const auto [least, most] = std::ranges::minmax(lengths);
    std::vector<LengthScrubber::Mark> marks;
    const std::int64_t trained = m_runner.model()->architecture.trainLength;
    for (const std::int64_t one : lengths)
        marks.push_back({double(one),
                         one == trained ? u"N = %1"_s.arg(lengthText(double(one))) : lengthText(double(one)),
                         one != trained});
    m_scrubber->setScale(
        {.minimum = double(least), .maximum = double(std::max(most, least + 1)), .logarithmic = true, .whole = true});
    m_scrubber->setMarks(std::move(marks));
    m_scrubber->setValue(double(n));
}

void HeadsPage::lookAtMost()
{
    const HeadValues values = m_runner.measured();
    std::pair<int, int> most{-1, -1};
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t layer = 0; layer < values.size(); ++layer)
        for (std::size_t head = 0; head < values[layer].size(); ++head)
            if (values[layer][head] > largest) {
                largest = values[layer][head];
                most = {static_cast<int>(layer), static_cast<int>(head)};
            }
    if (most.first >= 0)
        m_document.editLook([&](Look& look) { std::tie(look.model.layer, look.model.head) = most; });
    m_overview->setFocus();
}

void HeadsPage::setOnStage(bool on) { m_onStage = on; }

void HeadsPage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        m_show();
    QWidget::changeEvent(event);
}

/// As much room as its heads need; the map has the rest.
void HeadsPage::showOpened()
{
    m_show();
    if (!m_runner.model() || m_layers == m_runner.model()->architecture.layers)
        return;
    m_layers = m_runner.model()->architecture.layers;
    giveMapRoom(m_twoHeads ? 2 * mapHigh : mapHigh);
}

/// The heads have what is left, but rows to click on, and never more than they need or what leaves the map little.
void HeadsPage::giveMapRoom(int map)
{
    const int most = std::min(m_overview->sizeHint().height(), height() * 42 / 100),
              heads = std::clamp(height() - map - besideMap, std::min(m_overview->lowHint(), most), most);
    m_heads->setSizes({heads, height() - heads});
}

/// Of one there is nothing to choose, and others have its room.
void HeadsPage::showPositions(bool shown)
{
    for (QWidget* choice : {m_positionCaption, static_cast<QWidget*>(m_position)})
        choice->setVisible(shown);
}

void HeadsPage::show()
{
    const bool any = m_runner.model() && m_runner.tokens() > 0;
    showAnswer();
    showPage(*m_middle, any ? 1 : 0);
    m_right->setVisible(any);
    if (!any) {
        showPositions(false);  // the window does not grow for them when it first comes here
        return showNothing();
    }
    const ModelLook& look = m_document.look().model;
    const ShownHead of = m_runner.shown();
    ListItems positions, methods;
    for (const std::string& position : look.positions)
        positions.emplace_back(m_runner.positionLabel(position), QString::fromStdString(position));
    for (const Choice& method : m_document.scenario().methods)
        methods.emplace_back(attnscope::text(describeChoice(scaleMethods(), method)),
                             attnscope::text(formatChoice(method)));
    showLengths(m_runner.lengths(), of.n);
    refill(*m_position, positions);
    refill(*m_method, methods);
    m_position->setCurrentIndex(of.position);
    showPositions(positions.size() > 1);
    m_method->setCurrentIndex(of.method);
    m_swatch->showStyle(
        methods.empty() ? -1 : methodStyles(m_document.scenario().methods)[static_cast<std::size_t>(of.method)]);
    showBeside();
    m_measure->setCurrentIndex(m_measure->findData(QString::fromStdString(look.measure)));
    showHeads();
}

void HeadsPage::showNothing()
{
    const bool waits = m_runner.model() && !m_runner.isOpening(), opening = m_runner.error().isEmpty() && !waits;
    m_title->setText(opening            ? u"Opening\u2026"_s
                     : m_runner.model() ? u"There is nothing to predict"_s
                                        : u"This does not open"_s);
    m_nothing->setText(!m_runner.error().isEmpty() ? m_runner.error()
                       : waits                     ? u"The text is empty: type or choose one at the left."_s
                                                   : m_runner.about());
    const bool needsTokens = m_runner.model() && !m_runner.error().isEmpty();
    m_random->setVisible(needsTokens);
    setState(*m_open, "primary", !m_runner.model());  // else it is the text that is missing
    m_others->setVisible(!opening);                   // what is asked for is on its way
}

/// Whatever is run but A itself.
void HeadsPage::showBeside()
{
    const ShownHead a = m_runner.shown();
    ListItems items{{u"No other"_s, -1}};
    const auto methods = static_cast<int>(m_document.scenario().methods.size());
    const auto policies = methods * static_cast<int>(m_document.look().model.positions.size());
    for (int policy = 0; policy < policies; ++policy) {
        ShownHead of;
        of.position = policy / methods;
        of.method = policy % methods;
        if (policy != static_cast<int>(a.policy))
            items.emplace_back(m_runner.combinationLabel(of), policy);
    }
    refill(*m_beside, items);
    const auto b = m_runner.beside();
    m_beside->setCurrentIndex(b ? m_beside->findData(static_cast<int>(b->policy)) : 0);
    m_beside->setEnabled(items.size() > 1);
    giveHeadsRoom(b.has_value());
}

/// Two heads beside each other and their difference take room from narrow charts; it comes back, unless somebody has
/// said meanwhile how wide they are to be.
void HeadsPage::giveHeadsRoom(bool two)
{
    if (m_onStage || two == m_twoHeads || !m_halves->isVisible())
        return;
    m_twoHeads = two;
    if (two) {
        m_headsAlone = m_heads->saveState();
        giveMapRoom(2 * mapHigh);
    } else if (!m_headsAlone.isEmpty())
        m_heads->restoreState(std::exchange(m_headsAlone, {}));
    if (two && m_middle->width() < threeMapsWide) {
        m_withoutBeside = m_halves->saveState();
        const int all = m_halves->width() - paneGap, charts = std::max(chartsNarrow, all - threeMapsWide);
        m_halves->setSizes({all - charts, charts});
    } else if (!two && !m_withoutBeside.isEmpty())
        m_halves->restoreState(std::exchange(m_withoutBeside, {}));
}

void HeadsPage::showAnswer()
{
    const auto study = m_runner.study();
    QString words;
    if (m_runner.model() && study && !m_document.scenario().methods.empty()) {
        std::vector<std::string> labels;
        const std::size_t methods = m_document.scenario().methods.size();
        for (std::size_t policy = 0; policy < m_runner.request().policies.size(); ++policy) {
            ShownHead of;
            of.position = static_cast<int>(policy / methods);
            of.method = static_cast<int>(policy % methods);
            labels.push_back(m_runner.combinationLabel(of).toStdString());
        }
        const Architecture& architecture = m_runner.model()->architecture;
        const ShownHead a = m_runner.shown();
        const auto b = m_runner.beside();
        words = attnscope::text(
            b ? besideInWords(architecture, m_runner.request(), *study, labels, a.n, a.policy, b->policy)
              : studyInWords(architecture, m_runner.request(), *study, labels, a.n));
    }
    if (const QString found = searchInWords(words.isEmpty() ? u"windows"_s : u"other windows"_s);
        !found.isEmpty()) {  // the answer before what was run beside it
        const QString at = u"At n = "_s + attnscope::text(lengthInWords(static_cast<double>(m_runner.shown().n)));
        words = at + found + (words.startsWith(at) ? u"; among the runs here"_s + words.mid(at.size()) : QString());
    }
    words = printedIn(words);
    m_answer->say(words, shorterAnswers(words));
}

/// What Find the scale found at the same n, which is of other windows and more tokens of them than the runs here.
QString HeadsPage::searchInWords(const QString& windows) const
{
    const auto& news = m_finder.news();
    if (!news || !news->report || news->report->at.n != m_runner.shown().n)
        return {};
    const TuneReport& report = *news->report;
    const Comparison* found =
        findComparison(report, report.tunedIsBest ? comparedTuned : comparedPublished, comparedAsItIs, report.at.n);
    if (!report.helps || !found)
        return {};
    return u" %1, found by Find the scale, %2 over all tokens of %3 %4"_s
        .arg(attnscope::text(report.tunedIsBest ? describe(report.tuned, report.at) : report.published.published),
             attnscope::text(lossChangeInWords(*found)))
        .arg(found->difference.count)
        .arg(windows);
}

void HeadsPage::showHeads()
{
    const ModelLook& look = m_document.look().model;
    const ShownHead of = m_runner.shown();
    if (m_runner.beside())
        m_overview->setDifference(m_runner.measured(), m_runner.measured(Side::B), headMeasure(look.measure));
    else
        m_overview->setValues(m_runner.measured(), findColourMap(m_document.look().maps.colourMap).value_or(nullptr),
                              headMeasure(look.measure));
    QStringList facts;
    for (int layer = 0; m_runner.model() && layer < m_runner.model()->architecture.layers; ++layer)
        facts << attnscope::text(layerInWords(m_runner.model()->architecture, layer));
    m_overview->setLayerFacts(facts);
    m_overview->setChosen(of.layer, of.head);
    say(aboutHeads(), u"; "_s);
}

/// Of a head or of all; where that has no room, what stands behind the first of these signs.
void HeadsPage::say(const QString& ofHeads, const QString& before)
{
    m_said->setText(ofHeads);
    m_said->setShortText(ofHeads.section(before, 1));
}

/// Where no head is pointed at.
QString HeadsPage::aboutHeads() const
{
    const QString why = m_runner.nothingMeasured();
    if (!why.isEmpty())
        return why;
    QStringList said;
    if (m_runner.beside())
        said << u"coloured by what B has more than A"_s;
    if (const QString how = m_runner.howMeasured(); !how.isEmpty())
        said << how;
    return said.join(u"; "_s);
}

}  // namespace attnscope

#include "moc_heads_page.cpp"
