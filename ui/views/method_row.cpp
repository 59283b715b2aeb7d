#include "ui/views/method_row.h"

#include "core/analysis/scale_context.h"
#include "core/scaling/scale_method.h"
#include "ui/figure/chart_look.h"
#include "ui/plot/method_style.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/workbench/analyser.h"
#include "ui/widgets/building.h"
#include "ui/widgets/choice_control.h"
#include "ui/views/colour_menu.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/line_swatch.h"
#include "ui/views/methods_panel.h"
#include "ui/workbench/document.h"

#include <QCheckBox>
#include <QSignalBlocker>

#include <algorithm>

namespace attnscope {

namespace {

constexpr int lineGap = 6;

/// What a second variant begins with, so that it is another from the first: the first preset that is not compared yet;
/// else its first number twice as large, or half, or the other way of a switch.
Choice variantOf(const ScaleMethod& method, const Choice& choice, const Scenario& scenario)
{
    const auto atN = [&](const Choice& one) { return withTrainLength(method, one, scenario.nTrain); };
    const auto another = [&](const std::string& text) {
        const auto other = parseChoice(text, scaleMethods(), "scale method");
        return other && other->id == method.id && faultOfScale(*other).isEmpty() &&
                       std::ranges::none_of(
                           scenario.methods,
                           [&](const Choice& one) { return one.id == method.id && atN(one) == atN(*other); })
                   ? std::optional(*other)
                   : std::nullopt;
    };
    for (const Preset& preset : method.presets)
        if (const auto other = another(preset.text))
            return *other;
    const Parameters values(method, choice);
    for (const Parameter& parameter : method.parameters)
        for (const double factor : {2.0, 0.5, 4.0, 0.25}) {
            const double now =
                parameter.followsN ? values.given(parameter.id).value_or(scenario.nTrain) : values[parameter.id];
            Choice changed = choice;
            changed.values[parameter.id] =
                parameter.kind == Parameter::Kind::Switch ? 1 - now : (now == 0 ? 1 : now) * factor;
            if (const auto other = another(formatChoice(changed)))
                return *other;
        }
    return choice;
}

}  // namespace

MethodRow::MethodRow(Document& document, const Analyser& analyser, const ScaleMethod& method, int occurrence,
                     QWidget* parent)
    : QWidget(parent), m_document(document), m_analyser(analyser), m_method(method), m_occurrence(occurrence),
      m_tick(new QCheckBox(text(method.label))), m_swatch(new LineSwatch), m_counts(textLabel({}, "caption")),
      m_tune(iconButton(u"tune"_s, u"Parameters of %1"_s.arg(text(method.label)),
                        u"Parameters of %1, presets, another variant, its source"_s.arg(text(method.label)), 16)),
      m_another(
          iconAndText(u"add"_s, u"Variant"_s,
                      u"Compare %1 with itself: one more row with parameters of its own"_s.arg(text(method.label)))),
      m_worked(new WrappedLabel), m_fields(new ParameterFields), m_foot(buildFoot())
{
    QHBoxLayout* formula = inRow({{m_worked, 1}, {m_counts, 0, Qt::AlignTop}}, 8);
    formula->setContentsMargins(26, 0, 0, 2);  // below the name
    inColumn(this, {inRow({{m_tick, 1}, m_tune, m_swatch}, lineGap), formula, m_fields, m_foot}, 2, {0, 3, 0, 3});

    setToolTip(teach(method));
    m_tick->setAccessibleDescription(text(method.about));
    m_worked->setRoomOf(text("m = " + symbolicFormula(method)));  // a tick moves no other row
    m_worked->setProperty("role", "worked");
    m_worked->setAccessibleDescription(u"Formula of %1"_s.arg(text(method.label)));
    m_tune->setCheckable(true);
    keepPlace(*m_tune);  // a tick moves nothing
    connect(m_tune, &QToolButton::toggled, this, [this](bool open) {
        refresh();
        if (open && !m_isTicking)  // nothing moves under the pointer that ticks
            bringIntoSight(*this);
    });
    connect(m_tick, &QCheckBox::toggled, this, &MethodRow::setTicked);
    m_fields->findFaultsBy(&faultOfScale);
    connect(m_fields, &ParameterFields::edited, this, &MethodRow::setChoice);
    connect(m_fields, &ParameterFields::finished, &document, &Document::endGesture);
    refresh();
}

QWidget* MethodRow::buildFoot()
{
    auto* foot = new QWidget;
    m_another->setIconSize({12, 12});
    m_another->setAccessibleName(u"Another variant of %1"_s.arg(text(m_method.label)));
    connect(m_another, &QToolButton::clicked, this, &MethodRow::addVariant);
    QToolButton* source =
        toolButton(u"Source"_s, u"%1. Opens the reference at this method."_s.arg(text(m_method.source)),
                   u"Source of %1"_s.arg(text(m_method.label)));
    connect(source, &QToolButton::clicked, this, [this] { emit sourceAsked(text(m_method.id)); });
    QToolButton* colour = toolButton(
        u"Colour"_s, u"The colour of %1 in every view and figure; sessions keep it"_s.arg(text(m_method.label)),
        u"Colour of %1"_s.arg(text(m_method.label)));
    colour->setPopupMode(QToolButton::InstantPopup);
    colour->setMenu(new ColourMenu(m_document, m_method, colour));
    inRow(foot, {m_another, colour, stretch(), source}, 4, {0, 0, 0, 2});
    return foot;
}

int MethodRow::position() const { return placeIn(m_analyser.lookedAt()); }

int MethodRow::placeIn(const Scenario& scenario) const
{
    const auto& methods = scenario.methods;
    int before = 0;
    for (std::size_t i = 0; i < methods.size(); ++i)
        if (methods[i].id == m_method.id && before++ == m_occurrence)
            return static_cast<int>(i);
    return -1;
}

/// Numbers follow the hand at once; what has to be solved follows with the pictures, and until then stays as it was.
std::string MethodRow::workedNow(const Choice& choice) const
{
    if (m_method.solved)
        return m_answered.empty() ? "m = " + symbolicFormula(m_method) : m_answered;
    const auto worked = workedScale(choice, scaleContextOf(m_analyser.inForce()));
    return worked ? *worked : m_answered.empty() ? worked.error().message : m_answered;
}

void MethodRow::refresh()
{
    const Scenario& scenario = m_analyser.lookedAt();
    const int place = placeIn(scenario);
    const bool ticked = m_ticked = place >= 0;
    const QSignalBlocker blocker(m_tick);
    m_tick->setChecked(ticked);
    m_swatch->showStyle(ticked ? methodStyles(scenario.methods)[static_cast<size_t>(place)] : -1);
    const Choice choice = ticked ? scenario.methods[static_cast<size_t>(place)] : Choice{m_method.id, {}, {}};
    m_tick->setAccessibleName(u"Compare %1"_s.arg(text(describeChoice(m_method, choice))));
    if (ticked) {
        m_fields->setTrainLength(scenario.nTrain);
        m_fields->show(m_method, choice);
    }
    m_worked->setFormula(
        numbersIn(text(ticked && m_workedShown ? workedNow(choice) : "m = " + symbolicFormula(m_method))));
    m_tune->setVisible(ticked);
    const bool open = ticked && m_tune->isChecked();
    m_fields->setVisible(open && !m_fields->isEmpty());
    m_foot->setVisible(open);
    const auto counts = countsOf(choice);
    m_counts->setText(!counts || *counts == Counts::Nothing ? QString()
                      : *counts == Counts::Row              ? u"m per row"_s
                                                            : u"one m"_s);
    m_counts->setToolTip(counts && *counts == Counts::Row
                             ? u"Counts the keys that each row sees"_s
                             : u"Counts the keys of the whole sequence: the same scale in every row"_s);
}

/// A method that was not ticked and is not shows nothing that scenarios decide.
void MethodRow::follow()
{
    if (m_ticked || position() >= 0)
        refresh();
}

void MethodRow::show(const Analysis& analysis)
{
    std::string answered;
    if (const int place = position(); place >= 0 && place < std::ssize(analysis.methods)) {
        const MethodAnalysis& method = analysis.methods[static_cast<size_t>(place)];
        answered = method.absent.empty() ? method.worked : method.absent;
    }
    if (answered == m_answered)
        return;
    m_answered = std::move(answered);
    refresh();
}

void MethodRow::openParameters()
{
    m_tune->setChecked(true);
    if (QWidget* first = m_fields->nextInFocusChain())
        first->setFocus(Qt::OtherFocusReason);
}

int MethodRow::widthWhenOpen() const
{
    for (const QWidget* part : findChildren<const QWidget*>())
        part->ensurePolished();  // what was never shown knows no style sheet
    const int line = m_tick->minimumSizeHint().width() + m_tune->sizeHint().width() + m_swatch->minimumWidth();
    return std::max({line + 2 * lineGap, m_fields->minimumSizeHint().width(), m_foot->minimumSizeHint().width()});
}

void MethodRow::setWorkedShown(bool shown)
{
    m_workedShown = shown;
    refresh();
}

QString MethodRow::worked() const { return m_worked->text(); }

bool MethodRow::hasRoom()
{
    if (m_document.scenario().methods.size() < MethodsPanel::most)
        return true;
    emit refused(u"%1 methods are compared at most; untick one first"_s.arg(MethodsPanel::most));
    return false;
}

void MethodRow::setTicked(bool ticked)
{
    if (ticked && !hasRoom())
        return refresh();
    const QString name = u"Compare %1"_s.arg(text(m_method.label));
    const std::vector<Choice> before = m_document.scenario().methods;
    const int place = placeIn(m_document.scenario());
    m_document.edit(name, [&](Scenario& scenario) {
        if (ticked)
            tickMethod(scenario.methods, {m_method.id, {}, {}});
        else if (place >= 0)
            scenario.methods.erase(scenario.methods.begin() + place);
    });
    if (!ticked && place >= 0)
        m_document.editNotes(name, [&](std::vector<Annotation>& notes) {
            notes = notesWithout(static_cast<std::size_t>(place), before, notes);
        });
    m_document.endGesture();
    if (ticked && !m_method.textLabel.empty()) {  // it is what one types
        m_isTicking = true;
        openParameters();
        m_isTicking = false;
    }
}

void MethodRow::setChoice(const Choice& choice)
{
    m_document.edit(text(m_method.label), [&](Scenario& scenario) {
        if (const int place = placeIn(scenario); place >= 0)
            scenario.methods[static_cast<size_t>(place)] = choice;
    });
}

/// After the others of it, so that none of them changes its colour.
void MethodRow::addVariant()
{
    const int place = placeIn(m_document.scenario());
    if (place < 0 || !hasRoom())
        return;
    m_document.editOnce(u"Another %1"_s.arg(text(m_method.label)), [&](Scenario& scenario) {
        tickMethod(scenario.methods, variantOf(m_method, scenario.methods[static_cast<size_t>(place)], scenario));
    });
    emit variantAdded();
}

}  // namespace attnscope

#include "moc_method_row.cpp"
