#include "ui/window/controls/methods_panel.h"

#include "core/attention/masks.h"
#include "core/scaling/scale_method.h"
#include "ui/plot/method_style.h"
#include "ui/window/analyser.h"
#include "ui/window/controls/choice_control.h"
#include "ui/window/document.h"
#include "ui/window/icons.h"
#include "ui/window/theme.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

namespace attnscope {

namespace {

QString text(const std::string& s) { return QString::fromStdString(s); }

/// What the chosen row of the scenario sees.
ScaleContext contextOf(const Scenario& scenario)
{
    const std::int64_t row = scenario.view.row < 0 ? scenario.n - 1 : std::min(scenario.view.row, scenario.n - 1);
    ScaleContext context;
    context.position = double(row);
    context.nTrain = scenario.nTrain;
    context.d = scenario.d;
    if (const auto mask = findRow(masks(), scenario.attention.mask.id, "mask")) {
        context.keys = double(unmaskedKeys(scenario.attention.mask, scenario.n));
        context.rowKeys = double((*mask)->visible(row, scenario.n, Parameters(**mask, scenario.attention.mask)).count());
    }
    return context;
}

}  // namespace

LineSwatch::LineSwatch(QWidget* parent) : QWidget(parent) { setFixedSize(30, 16); }

void LineSwatch::setPosition(int position)
{
    m_position = position;
    update();
}

void LineSwatch::paintEvent(QPaintEvent*)
{
    if (m_position < 0)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const MethodStyle style = methodStyle(m_position, currentTheme().dark);
    painter.setPen(methodPen(style, 2.25));
    painter.drawLine(QPointF(2, height() / 2.0), QPointF(width() - 2, height() / 2.0));
    drawMarker(painter, style.marker, rect().toRectF().center(), 7, style.colour);
}

MethodRow::MethodRow(Document& document, const ScaleMethod& method, QWidget* parent)
    : QWidget(parent), m_document(document), m_method(method), m_tick(new QCheckBox(text(method.label))), m_swatch(new LineSwatch),
      m_counts(new QLabel), m_tune(new QToolButton), m_worked(new QLabel), m_fields(new ParameterFields)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 3, 0, 3);
    layout->setSpacing(2);
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(m_tick, 1);
    line->addWidget(m_counts);
    line->addWidget(m_tune);
    line->addWidget(m_swatch);
    layout->addLayout(line);
    auto* below = new QVBoxLayout;
    below->setContentsMargins(23, 0, 0, 2);
    below->setSpacing(4);
    below->addWidget(m_worked);
    below->addWidget(m_fields);
    layout->addLayout(below);

    setToolTip(teach(method));
    m_tick->setAccessibleName(tr("Compare %1").arg(text(method.label)));
    m_tick->setAccessibleDescription(text(method.about));
    m_worked->setProperty("role", "worked");
    m_worked->setWordWrap(true);
    m_worked->setAccessibleName(tr("Formula of %1").arg(text(method.label)));
    m_counts->setProperty("role", "caption");
    m_tune->setIcon(icon(QStringLiteral("tune")));
    m_tune->setIconSize({14, 14});
    m_tune->setCheckable(true);
    m_tune->setToolTip(tr("Parameters of %1").arg(text(method.label)));
    m_tune->setAccessibleName(tr("Parameters of %1").arg(text(method.label)));
    connect(m_tune, &QToolButton::toggled, this, &MethodRow::refresh);
    connect(m_tick, &QCheckBox::toggled, this, &MethodRow::setTicked);
    connect(m_fields, &ParameterFields::edited, this, &MethodRow::setChoice);
    connect(m_fields, &ParameterFields::finished, &document, &Document::endGesture);
    refresh();
}

int MethodRow::tickedPosition() const
{
    const auto& methods = m_document.scenario().methods;
    for (std::size_t i = 0; i < methods.size(); ++i)
        if (methods[i].id == m_method.id)
            return static_cast<int>(i);
    return -1;
}

void MethodRow::refresh()
{
    const Scenario& scenario = m_document.scenario();
    const int position = tickedPosition();
    const bool ticked = position >= 0;
    const QSignalBlocker blocker(m_tick);
    m_tick->setChecked(ticked);
    m_tick->setEnabled(ticked || scenario.methods.size() < MethodsPanel::most);
    m_swatch->setPosition(position);
    const Choice choice = ticked ? scenario.methods[static_cast<size_t>(position)] : Choice{m_method.id, {}, {}};
    if (ticked) {
        const auto worked = workedScale(choice, contextOf(scenario));
        m_worked->setText(text(!m_answered.empty() && !worked ? m_answered : worked ? *worked : worked.error().message));
        m_fields->show(m_method, choice);
    } else {
        m_worked->setText(QStringLiteral("m = %1").arg(text(symbolicFormula(m_method))));
    }
    m_tune->setVisible(ticked);
    m_fields->setVisible(ticked && m_tune->isChecked() && !m_fields->isEmpty());
    const auto counts = countsOf(choice);
    m_counts->setText(!counts || *counts == Counts::Nothing ? QString() : *counts == Counts::Row ? tr("row") : tr("keys"));
    m_counts->setToolTip(counts && *counts == Counts::Row ? tr("Counts the keys that each row sees")
                                                          : tr("Counts the keys of the whole sequence: the same scale in every row"));
}

void MethodRow::show(const Analysis& analysis)
{
    m_answered.clear();
    for (const MethodAnalysis& method : analysis.methods)
        if (method.method.id == m_method.id)
            m_answered = method.absent.empty() ? method.worked : method.absent;
    refresh();
}

QString MethodRow::worked() const { return m_worked->text(); }

void MethodRow::setTicked(bool ticked)
{
    m_document.edit(tr("Compare %1").arg(text(m_method.label)), [&](Scenario& scenario) {
        if (ticked)
            scenario.methods.push_back({m_method.id, {}, {}});
        else
            std::erase_if(scenario.methods, [&](const Choice& choice) { return choice.id == m_method.id; });
    });
    m_document.endGesture();
}

void MethodRow::setChoice(const Choice& choice)
{
    m_document.edit(text(m_method.label), [&](Scenario& scenario) {
        for (Choice& method : scenario.methods)
            if (method.id == choice.id)
                method = choice;
    });
}

MethodsPanel::MethodsPanel(Document& document, Analyser& analyser, QWidget* parent) : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 2, 14, 12);
    layout->setSpacing(2);
    for (const ScaleMethod& method : scaleMethods()) {
        m_rows.push_back(new MethodRow(document, method));
        layout->addWidget(m_rows.back());
    }
    layout->addStretch(1);
    connect(&analyser, &Analyser::arrived, this, [this](const AnalysisPtr& analysis) {
        for (MethodRow* row : m_rows)
            row->show(*analysis);
    });
    connect(&document, &Document::changed, this, [this] {
        for (MethodRow* row : m_rows)
            row->refresh();
    });
}

}  // namespace attnscope
