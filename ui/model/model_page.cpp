#include "ui/model/model_page.h"

#include "ui/model/head_view.h"
#include "ui/model/heads_page.h"
#include "ui/model/model_controls.h"
#include "ui/model/probe_page.h"
#include "ui/model/scale_page.h"
#include "ui/model/take_away.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/side_by_side.h"
#include "ui/widgets/when_seen.h"
#include "ui/workbench/kept_heads.h"
#include "ui/workbench/session_file.h"
#include "ui/workbench/workbench.h"

#include <QDir>
#include <QSettings>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTimer>

#include <utility>

namespace attnscope {

namespace {

constexpr int controlsWide = 336, usualWidth = 1508;

enum Tab { headsTab, scaleTab, probesTab };

int tabOf(const ModelLook& look) { return look.probing ? probesTab : look.finding ? scaleTab : headsTab; }

void showTab(ModelLook& look, int tab)
{
    look.finding = tab == scaleTab;
    look.probing = tab == probesTab;
}

/// Its text, its lengths, and where in it one was; not how models are looked at.
void takeWhatIsOfTheModel(ModelLook& look, const ModelLook& from)
{
    look.text = from.text;
    look.file = from.file;
    look.typed = from.typed;
    look.lengths = from.lengths;
    look.positions = from.positions;
    look.n = from.n;
    look.position = from.position;
    look.layer = from.layer;
    look.head = from.head;
    look.beside = from.beside;
    look.row = from.row;
    look.tunedAt = from.tunedAt;
    look.over = from.over;
}

}  // namespace

ModelPage::ModelPage(Workbench& bench, MessageBar& messages, QWidget* parent)
    : QWidget(parent), m_document(bench.document), m_messages(messages), m_runner(bench.model),
      m_controls(new ModelControls(m_document, bench.analyser, bench.pointer, m_runner)), m_tabs(buildTabs()),
      m_lines(new QStackedWidget), m_stages(new QStackedWidget), m_parts(new QStackedWidget),
      m_settings(cardOf(m_controls)), m_heads(new HeadsPage(bench)),
      m_scale(new ScalePage(m_document, m_runner, bench.scale)),
      m_probes(new ProbePage(m_document, m_runner, bench.probes)), m_show(*new WhenSeen(this, [this] { show(); }))
{
    m_parts->addWidget(m_heads);
    m_parts->addWidget(cardOf(m_scale));
    m_parts->addWidget(cardOf(m_probes));
    auto* panes =
        new SideBySide(u"model panes"_s, m_settings, m_parts, {.inNarrow = controlsWide, .inWide = controlsWide});
    panes->reset(usualWidth);
    const std::pair<QStackedWidget*, std::vector<QWidget*>> above[] = {
        {m_lines, {m_heads->line(), m_scale->line(), m_probes->line()}},
        {m_stages, {m_heads->stage(), m_scale->stage(), m_probes->stage()}}};
    for (const auto& [part, ofTabs] : above) {  // as high whatever the tab: it is no reason for anything to move
        for (QWidget* one : ofTabs)
            part->addWidget(one);
        part->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    }
    inColumn(this, {inRow({m_tabs, {m_lines, 1}}, 16), m_stages, {panes, 1}}, 0);
    setFocusProxy(m_controls);

    connect(m_controls, &ModelControls::fileAsked, this, &ModelPage::fileAsked);
    connect(m_controls, &ModelControls::folderAsked, this, &ModelPage::folderAsked);
    connect(m_controls, &ModelControls::foundAsked, this, &ModelPage::foundAsked);
    connect(m_controls, &ModelControls::modelAsked, this, &ModelPage::open);
    connect(m_controls, &ModelControls::sourceAsked, this, &ModelPage::sourceAsked);
    connect(m_heads, &HeadsPage::fileAsked, this, &ModelPage::fileAsked);
    connect(m_heads, &HeadsPage::folderAsked, this, &ModelPage::folderAsked);
    connect(m_heads, &HeadsPage::manualAsked, this, &ModelPage::manualAsked);
    const auto refuse = [this](const QString& why) {
        endRefusal();
        if (why.isEmpty())
            return;
        m_messages.say(MessageBar::Kind::Error, why);
        m_refused = why;
    };
    connect(m_controls, &ModelControls::refused, this, refuse);
    connect(m_scale, &ScalePage::refused, this, refuse);
    connect(
        m_scale->takeAway(), &TakeAway::used, this, [this](const QString& said, const std::function<void()>& takeBack) {
            m_messages.say(MessageBar::Kind::Note, said,
                           {{u"Undo"_s, u"Takes that method out again, and goes back to Find the scale"_s, takeBack}});
            m_used = said;
        });
    connect(m_probes, &ProbePage::refused, this, refuse);
    connect(m_probes, &ProbePage::modelAsked, this, &ModelPage::open);
    connect(&m_runner, &ModelRunner::opened, this, [this] {
        leaveWhatCannotBeOpened();
        sayError();
        m_show();
    });
    connect(&m_runner, &ModelRunner::studied, this, [this] { sayError(); });
    connect(&m_document, &Document::lookChanged, this, [this] {  // another value was taken
        endRefusal();
        m_show();
    });
    connect(&m_document, &Document::changed, this, [this] {
        if (!m_used.isEmpty() && !m_scale->takeAway()->isUsed() && m_messages.message() == std::exchange(m_used, {}))
            m_messages.hide();  // it was undone in another way
        m_show();
    });
    connect(m_heads->head(), &HeadView::exploreAsked, this, [this] {
        const QString state = stateFolder();
        m_runner.keepHeads(state + u"/model_heads"_s,
                           mentionsInState(state, QSettings().value(u"recent"_s).toStringList()));
    });
    connect(&m_runner, &ModelRunner::kept, this,
            [this](const QString& path, const ShownHead& of, const QString& error) {
                if (!error.isEmpty())
                    return m_messages.say(MessageBar::Kind::Error, error);
                emit headKept(path, of.layer, of.head);
            });
    show();
}

/// Once there is a model: what its heads do and how well it predicts, which scale is best for it, or what it finds
/// again.
QTabBar* ModelPage::buildTabs()
{
    auto* tabs = new QTabBar;
    tabs->setDrawBase(false);
    tabs->setExpanding(false);  // where nothing stands beside them
    tabs->setAccessibleName(u"What of the model is shown"_s);
    const std::pair<QString, QString> all[] = {
        {u"Heads and quality"_s, u"What every head does, and how well the model predicts under every method"_s},
        {u"Find the scale"_s, u"Which scale or positions are best for this model at a length, ready to paste"_s},
        {u"Probes"_s, u"What the model finds again that stands far back: repeated tokens, and needles"_s}};
    for (const auto& [title, about] : all)
        tabs->setTabToolTip(tabs->addTab(title), about);
    connect(tabs, &QTabBar::currentChanged, this,
            [this](int at) { m_document.editLook([at](Look& look) { showTab(look.model, at); }); });
    return tabs;
}

void ModelPage::findScale(const QString& target)
{
    if (!target.isEmpty())
        m_scale->takeAway()->chooseTarget(target);
    m_document.editLook([](Look& look) { showTab(look.model, scaleTab); });
    m_scale->setFocus();
}

void ModelPage::setOnStage(bool on)
{
    m_onStage = on;
    if (on && m_seen && m_widths.isEmpty())
        for (const QSplitter* splitter : findChildren<QSplitter*>())
            m_widths << splitter->saveState();
    m_heads->setOnStage(on);
    m_settings->setVisible(!on);
    takeWidthsAgain();
}

/// Of the panes as they were before the stage, once they are seen in the window's own size.
void ModelPage::takeWidthsAgain()
{
    if (!m_onStage && isVisible())
        QTimer::singleShot(0, this, [this, widths = std::exchange(m_widths, {})] {
            const QList<QSplitter*> splitters = findChildren<QSplitter*>();
            for (qsizetype i = 0; i < std::min(splitters.size(), widths.size()); ++i)
                splitters[i]->restoreState(widths[i]);
        });
}

void ModelPage::showProbes()
{
    m_document.editLook([](Look& look) { showTab(look.model, probesTab); });
    m_probes->setFocus();
}

void ModelPage::rankHeadsBy(const HeadMeasure& measure)
{
    m_document.editLook([&](Look& look) {
        look.model.measure = measure.id;
        showTab(look.model, headsTab);
    });
    m_heads->lookAtMost();
}

void ModelPage::open(const QString& folder)
{
    m_messages.forgetFile();
    const ShippedModel* shipped = shippedModelAt(folder.toStdString());
    const std::string path = shipped ? folder.toStdString() : QDir(folder).absolutePath().toStdString();
    if (m_document.look().model.folder == path)
        return m_runner.openAgain();
    m_left.insert_or_assign(m_runner.folder(), m_document.look().model);
    Look look = m_document.look();
    if (const auto left = m_left.find(path); left != m_left.end()) {
        takeWhatIsOfTheModel(look.model, left->second);
        look.model.folder = path;
    } else {
        look.model.folder = path;
        look.model.lengths.clear();  // those of another model say nothing here
        look.model.n = look.model.tunedAt = 0;
        look.model.layer = look.model.head = 0;
        look.model.row = -1;
        if (shipped && shipped->asked) {
            showTab(look.model, probesTab);
            look.model.probe.task = *shipped->asked;
            look.model.n = 1024;  // 16 N of theirs, where a scale decides
            if (look.model.positions == ModelLook().positions)
                look.model.positions.emplace_back("rerope:w=64");  // w = N
        }
    }
    if (shipped && shipped->asked)
        look.model.text = ModelText::Generated;  // it knows no other words
    m_opening = path;
    m_document.bring(u"Open a model"_s, {m_document.scenario(), look});
}

/// Its weights have shown that it is none: what was open is back, and the message bar says why.
void ModelPage::leaveWhatCannotBeOpened()
{
    if (m_opening.empty() || m_runner.isOpening())
        return;
    const bool fails = std::exchange(m_opening, {}) == m_document.look().model.folder && !m_runner.model() &&
                       m_document.undoName() == u"Open a model"_s;
    if (!fails)
        return;
    const QString why = m_runner.error();
    m_document.undo();
    m_messages.sayOfFile(MessageBar::Kind::Error, why);
}

void ModelPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_seen = true;
    takeWidthsAgain();
    m_runner.setActive(true);
}

void ModelPage::hideEvent(QHideEvent* event)
{
    m_runner.setActive(false);
    QWidget::hideEvent(event);
}

/// Of the runs; what is wrong with the model or its text stands in the middle of the page. What else is said stays.
void ModelPage::sayError()
{
    const QString before = std::exchange(m_error, m_runner.tokens() > 0 ? m_runner.error() : QString());
    if (m_error == before)
        return;
    if (!m_error.isEmpty())
        m_messages.say(MessageBar::Kind::Error, m_error);
    else if (m_messages.message() == before)
        m_messages.hide();
}

void ModelPage::endRefusal()
{
    if (!m_refused.isEmpty() && m_messages.message() == std::exchange(m_refused, {}))
        m_messages.hide();
}

void ModelPage::show()
{
    const bool any = m_runner.model() && m_runner.tokens() > 0;
    const int tab = any ? tabOf(m_document.look().model) : headsTab;
    m_tabs->setVisible(any);
    for (QStackedWidget* part : {m_lines, m_stages}) {
        part->setVisible(any);
        part->setCurrentIndex(tab);
    }
    {
        const QSignalBlocker quiet(m_tabs);
        m_tabs->setCurrentIndex(tab);
    }
    showPage(*m_parts, tab);
}

}  // namespace attnscope

#include "moc_model_page.cpp"
