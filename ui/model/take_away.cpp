#include "ui/model/take_away.h"

#include "core/scaling/scale_method.h"
#include "core/tuning/verdict.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/views/methods_panel.h"
#include "ui/widgets/building.h"
#include "ui/workbench/document.h"
#include "ui/workbench/scale_finder.h"

#include <QClipboard>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QTabBar>
#include <QTextOption>

#include <algorithm>
#include <filesystem>

namespace attnscope {

TakeAway::TakeAway(Document& document, ModelRunner& runner, ScaleFinder& finder, QWidget* parent)
    : QWidget(parent), m_document(document), m_runner(runner), m_finder(finder), m_targets(new QTabBar),
      m_preview(described(new QPlainTextEdit, u"What is copied"_s,
                          u"The text that Copy puts on the clipboard, a command there as one line"_s)),
      m_where(paragraph("caption")), m_notes(paragraph("caption")),
      m_copy(pushButton(u"Copy"_s, u"To the clipboard; a command as one line, without the breaks above"_s)),
      m_use(pushButton(u"Use it here"_s, u"What was found becomes a method and positions of this page, so that its "
                                         "maps and curves show it. Methods are those of Explore and of every model"_s)),
      m_willUse(paragraph("caption"))
{
    m_targets->setDrawBase(false);
    m_targets->setExpanding(false);
    m_targets->setUsesScrollButtons(true);
    m_targets->setAccessibleName(u"For which program"_s);
    m_preview->setReadOnly(true);
    m_preview->setPlaceholderText(
        u"What is found comes here once the search is done, as Hugging Face, llama.cpp, vLLM and PyTorch take it."_s);
    m_preview->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_preview->setWordWrapMode(QTextOption::WordWrap);  // all in sight, but for a name that is wider, which scrolls
    m_preview->setTabChangesFocus(true);
    inColumn(this,
             {textLabel(u"Take it away"_s, "pane"),
              m_targets,
              m_where,
              {m_preview, 1},
              m_notes,
              inRow({m_copy, m_use, stretch()}),
              m_willUse},
             8, {8, 0, 0, 0});
    connect(m_targets, &QTabBar::currentChanged, this, [this](int at) {
        m_target = m_targets->tabData(at).toString();
        show();
    });
    connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_copied); });
    connect(m_use, &QPushButton::clicked, this, &TakeAway::useIt);
}

/// Of a GGUF file what runs those, of a folder what reads it.
void TakeAway::chooseTarget(const QString& id)
{
    m_target = id;
    for (int i = 0; i < m_targets->count(); ++i)
        if (m_targets->tabData(i) == id)
            m_targets->setCurrentIndex(i);
}

QString TakeAway::usualTarget() const
{
    std::error_code ignored;
    return m_runner.model() && std::filesystem::is_regular_file(m_runner.model()->folder, ignored) ? u"llama.cpp"_s
                                                                                                   : u"hf"_s;
}

void TakeAway::show()
{
    const auto& news = m_finder.news();
    const QSignalBlocker quiet(m_targets);
    const auto count = news ? static_cast<int>(news->exports.size()) : 0;
    while (m_targets->count() < count) {
        const ScaleExport& one = news->exports[static_cast<std::size_t>(m_targets->count())];
        m_targets->setTabData(m_targets->addTab(one.label), one.target);
        if (one.target == (m_target.isEmpty() ? usualTarget() : m_target))
            m_targets->setCurrentIndex(m_targets->count() - 1);
    }
    while (m_targets->count() > count)
        m_targets->removeTab(m_targets->count() - 1);
    const int at = m_targets->currentIndex();
    const ScaleExport* shown = at >= 0 && at < count ? &news->exports[static_cast<std::size_t>(at)] : nullptr;
    const QString copied = shown ? shown->text : QString();
    static const QRegularExpression betweenFlags(u" (?=--?[a-z])"_s);
    const QString lines = copied.startsWith(u'-') ? QString(copied).replace(betweenFlags, u" \\\n"_s) : copied;
    if (m_preview->toPlainText() != lines)  // else what is selected there stays
        m_preview->setPlainText(lines);
    m_copied = copied;
    QStringList notes;
    if (shown && !shown->error.isEmpty())
        notes << shown->error;
    if (shown)
        notes << shown->notes;
    if (shown && shown->loss)
        notes << u"The loss of what it can say: %1 nats, of the model as it is %2, on the %3 windows of %4 tokens that "
                 "judge"_s.arg(number(*shown->loss), number(news->report->asItIsLoss))
                     .arg(news->report->verdict)
                     .arg(lengthText(static_cast<double>(news->report->at.n)));
    if (shown && news->report && !news->report->helps)
        notes.prepend(u"%1: this is the best of the search all the same"_s.arg(text(withoutHelp(*news->report))));
    m_where->setText(shown ? shown->about : QString());
    m_where->setVisible(shown && !copied.isEmpty());
    for (QString& note : notes)
        if (!note.endsWith(u'.'))
            note += u'.';
    m_notes->setText(notes.join(u'\n'));
    m_notes->setVisible(!notes.isEmpty());
    m_copy->setText(shown ? u"Copy for %1"_s.arg(shown->label) : u"Copy"_s);
    for (QPushButton* button : {m_copy, m_use})
        button->setVisible(!copied.isEmpty());
    const auto method = found();
    const bool hasRoom = method && (isListed(*method) || m_document.scenario().methods.size() < MethodsPanel::most);
    m_use->setEnabled(hasRoom);
    m_willUse->setVisible(method && !copied.isEmpty());
    if (method) {
        const QString name = text(describeChoice(scaleMethods(), *method));
        m_willUse->setText(
            isListed(*method) ? u"Use it here: %1 is a method already, and is looked at"_s.arg(name)
            : hasRoom         ? u"Use it here: adds %1 to the methods of Explore and of every model"_s.arg(name)
                              : u"Use it here: %1 methods are compared at most; untick one, and %2 can be one of them"_s
                            .arg(MethodsPanel::most)
                            .arg(name));
    }
    const bool helps = news && news->report && news->report->helps;  // else nothing is recommended
    setState(*m_use, "primary", helps && m_use->isEnabled());
    setState(*m_copy, "primary", helps && !m_use->isEnabled());
}

/// As a method; nothing where it is none.
std::optional<Choice> TakeAway::found() const
{
    const auto& news = m_finder.news();
    if (!news || !news->report || !m_runner.model())
        return {};
    const auto method = methodOf(news->report->use(), news->report->at, m_runner.model()->architecture);
    return method ? std::optional(*method) : std::nullopt;
}

bool TakeAway::isListed(const Choice& method) const
{
    const auto& methods = m_document.scenario().methods;
    return std::ranges::find(methods, method) != methods.end();
}

bool TakeAway::isUsed() const
{
    const auto method = found();
    return method && isListed(*method);
}

/// A method and positions of the page, looked at where they were found: one step, which the message takes back.
void TakeAway::useIt()
{
    const auto method = found();
    if (!method)
        return;
    const TuneReport report = *m_finder.news()->report;
    const bool isNew = !isListed(*method);
    if (isNew && m_document.scenario().methods.size() >= MethodsPanel::most)
        return;  // as the button's line says
    const std::string position =
        report.use().policy.position ? formatChoice(*report.use().policy.position) : std::string(ownPositions);
    std::vector<std::int64_t> lengths = m_runner.lengths();
    const bool isNewLength = std::ranges::find(lengths, report.at.n) == lengths.end();
    if (isNewLength) {
        lengths.push_back(report.at.n);
        std::ranges::sort(lengths);
    }
    if (isNew)
        m_document.editOnce(u"Use what was found"_s,
                            [&](Scenario& scenario) { tickMethod(scenario.methods, *method); });
    Look shown = m_document.look();
    ModelLook& model = shown.model;
    auto at = std::ranges::find(model.positions, position);
    if (at == model.positions.end())
        at = model.positions.insert(at, position);
    model.position = static_cast<int>(at - model.positions.begin());
    const auto& now = m_document.scenario().methods;
    model.method = static_cast<int>(std::ranges::find(now, *method) - now.begin());
    if (lengths != m_runner.lengths())
        model.lengths = lengths;
    model.n = report.at.n;
    model.finding = false;
    if (!isNew)
        return m_document.editLook([&](Look& all) { all = shown; });
    m_document.setLook(shown);  // one step with the method
    const auto takeBack = [this, method = *method, n = report.at.n,
                           isNewLength] {  // no more: what was done since stays
        m_document.editOnce(u"Use what was found, undone"_s, [&](Scenario& scenario) {
            if (scenario.methods.size() > 1)
                std::erase(scenario.methods, method);
        });
        m_document.editLook([&](Look& look) {
            std::vector<std::int64_t>& all = look.model.lengths;
            if (isNewLength && all.size() > 1 && std::erase(all, n) > 0 && look.model.n == n)
                look.model.n = all.back();
            look.model.finding = true;
            look.model.probing = false;
        });
    };
    emit used(u"%1 is a method of Explore and of every model now"_s.arg(text(describeChoice(scaleMethods(), *method))),
              takeBack);
}

}  // namespace attnscope

#include "moc_take_away.cpp"
