#include "ui/explore/scenario_panel.h"

#include "core/analysis/source.h"
#include "core/attention/kernels.h"
#include "core/attention/masks.h"
#include "core/attention/normaliser.h"
#include "core/attention/positions.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/widgets/choice_control.h"
#include "ui/widgets/number_control.h"
#include "ui/explore/tensor_control.h"
#include "ui/workbench/analyser.h"
#include "ui/workbench/document.h"
#include "ui/workbench/open_tensors.h"

namespace attnscope {

ScenarioPanel::ScenarioPanel(Document& document, const Analyser& analyser, FileOffers& offers, QWidget* parent)
    : QWidget(parent), m_document(document), m_analyser(analyser),
      m_layout(inColumn(this, {}, formSpacing, {14, 0, 14, 14}))
{
    addSourceSection(offers);
    addSizeSection();
    addAttentionSection();
    m_layout->addStretch(1);
    m_refresh.push_back([this] { showSourceKind(); });
    const auto refresh = [this] {
        for (const auto& show : m_refresh)
            show();
    };
    connect(&document, &Document::changed, this, refresh);
    connect(&analyser, &Analyser::lookedElsewhere, this, refresh);
    refresh();
}

const NumberScale& ScenarioPanel::lengthScale() const { return m_length->scale(); }

void ScenarioPanel::addSourceSection(FileOffers& offers)
{
    auto* source = new ChoiceControl(
        u"Source"_s, entriesOf(sourceEntries()),
        u"Where queries and keys come from: made up to show one thing clearly, theory alone, or your own "
        "model's tensors."_s);
    connect(source, &ChoiceControl::edited, this, [this](const Choice& choice) {
        const Scenario& now = m_document.scenario();
        Scenario next = now;
        next.source = choice;
        m_document.replace(u"Source"_s, choice.id == now.source.id ? next : withSource(now, choice));
    });
    connect(source, &ChoiceControl::finished, &m_document, &Document::endGesture);
    m_refresh.push_back([this, source] { source->setChoice(m_analyser.lookedAt().source); });
    m_layout->addWidget(source);
    m_tensors = new TensorControl(m_document, m_analyser, offers);
    connect(m_tensors, &TensorControl::openRequested, this, &ScenarioPanel::openRequested);
    connect(m_tensors, &TensorControl::tensorsRequested, this, &ScenarioPanel::tensorsRequested);
    connect(m_tensors, &TensorControl::exampleRequested, this, &ScenarioPanel::exampleRequested);
    connect(m_tensors, &TensorControl::sizesChanged, this, &ScenarioPanel::showSourceKind);
    m_layout->addWidget(m_tensors);
}

void ScenarioPanel::addSizeSection()
{
    addSection(u"SIZE"_s);
    m_length = addNumber(
        u"Length n"_s, {2, 1 << 20, true, true},
        u"How many keys there are. The more keys, the thinner softmax must spread its weight: drag this first."_s,
        [](const Scenario& s) { return double(s.n); },
        [](Scenario& s, double v) { s.n = static_cast<std::int64_t>(v); });
    addNumber(
        u"Trained at N"_s, {2, 1 << 20, true, true},
        u"The length that the model was trained at. Scale methods are neutral there: they compare n with N."_s,
        [](const Scenario& s) { return s.nTrain; }, [](Scenario& s, double v) { s.nTrain = v; });
    m_headSize = addNumber(
        u"Head size d"_s, {1, 512, true, true},
        u"Dimensions of a query and a key. Attention divides by \u221Ad so that logits keep their size when d "
        "grows."_s,
        [](const Scenario& s) { return double(s.d); }, [](Scenario& s, double v) { s.d = static_cast<int>(v); });
    addNumber(
        u"Temperature \u03C4"_s, {0.05, 20, true, false, 3},
        u"Divides every logit. Below 1 the rows sharpen, above 1 they flatten."_s,
        [](const Scenario& s) { return s.temperature; }, [](Scenario& s, double v) { s.temperature = v; });
    m_seed = addNumber(
        u"Seed"_s, {0, 999, false, true},
        u"Another seed, another draw: what stays is the effect, what changes is chance."_s,
        [](const Scenario& s) { return double(s.seed); },
        [](Scenario& s, double v) { s.seed = static_cast<std::uint64_t>(v); });
}

void ScenarioPanel::addAttentionSection()
{
    addSection(u"ATTENTION"_s);
    addChoice(u"Kernel"_s, entriesOf(kernels()), u"How a query and a key become one number."_s,
              [](Scenario& s) -> Choice& { return s.attention.kernel; });
    addChoice(u"Positions"_s, entriesOf(positions()), u"How the places of two tokens enter their logit."_s,
              [](Scenario& s) -> Choice& { return s.attention.position; });
    addChoice(u"Mask"_s, entriesOf(masks()), u"Which keys a query may look at."_s,
              [](Scenario& s) -> Choice& { return s.attention.mask; });
    addChoice(u"Normaliser"_s, entriesOf(normalisers()), u"What turns a row of logits into weights."_s,
              [](Scenario& s) -> Choice& { return s.attention.normaliser; });
    addNumber(
        u"Soft-cap"_s, {0, 100, false, false, 3},
        u"Holds logits inside \u00B1c by c tanh(z/c), before the mask; 0 is off. Gemma 2 uses 50."_s,
        [](const Scenario& s) { return s.attention.softCap; }, [](Scenario& s, double v) { s.attention.softCap = v; });
}

void ScenarioPanel::addSection(const QString& title)
{
    m_layout->addSpacing(6);
    m_layout->addWidget(textLabel(title, "section"));
}

NumberControl* ScenarioPanel::addNumber(const QString& caption, const NumberScale& scale, const QString& teaches,
                                        Get get, Set set)
{
    auto* control = new NumberControl(caption, scale, teaches);
    connect(control, &NumberControl::edited, this, [this, caption, set](double value) {
        m_document.edit(caption, [&](Scenario& scenario) { set(scenario, value); });
    });
    connect(control, &NumberControl::finished, &m_document, &Document::endGesture);
    m_refresh.push_back([this, control, get] { control->setValue(get(m_analyser.lookedAt())); });
    m_layout->addWidget(control);
    return control;
}

ChoiceControl* ScenarioPanel::addChoice(const QString& caption, std::vector<const Entry*> rows, const QString& teaches,
                                        std::function<Choice&(Scenario&)> field)
{
    auto* control = new ChoiceControl(caption, std::move(rows), teaches);
    connect(control, &ChoiceControl::edited, this, [this, caption, field](const Choice& choice) {
        m_document.edit(caption, [&](Scenario& scenario) { field(scenario) = choice; });
    });
    connect(control, &ChoiceControl::finished, &m_document, &Document::endGesture);
    m_refresh.push_back([this, control, field] {
        Scenario copy = m_analyser.lookedAt();
        control->setTrainLength(copy.nTrain);
        control->setChoice(field(copy));
    });
    m_layout->addWidget(control);
    return control;
}

/// Tensors bring their own head size and randomness; theory has no limit of memory.
void ScenarioPanel::showSourceKind()
{
    const Scenario& scenario = m_document.scenario();
    const bool tensors = scenario.ofFile(), theory = scenario.ofTheory();
    m_tensors->setVisible(tensors);
    m_headSize->setVisible(!tensors);
    m_seed->setVisible(!tensors && !theory);
    const double longest = theory                                    ? 1e9
                           : tensors && m_tensors->tokenCount() >= 2 ? double(m_tensors->tokenCount())
                                                                     : double(1 << 20);
    if (m_length->scale().maximum != longest) {
        m_length->setScale({2, longest, true, true});
        m_length->setValue(double(scenario.n));
        emit lengthScaleChanged();
    }
}

}  // namespace attnscope

#include "moc_scenario_panel.cpp"
