#include "ui/views/methods_panel.h"

#include "core/scaling/scale_method.h"
#include "ui/workbench/analyser.h"
#include "ui/widgets/building.h"
#include "ui/widgets/line_swatch.h"
#include "ui/views/method_row.h"
#include "ui/widgets/when_seen.h"
#include "ui/workbench/document.h"
#include "ui/workbench/pointer.h"

#include <algorithm>

namespace attnscope {

MethodsPanel::MethodsPanel(Document& document, Analyser& analyser, Pointer& pointer, QWidget* parent)
    : QWidget(parent), m_document(document), m_analyser(analyser), m_pointer(pointer),
      m_layout(inColumn(this, {stretch()}, 2, {14, 2, 14, 12}))
{
    fitRows();
    auto* numbers = new WhenSeen(this, [this] {
        if (m_analyser.current())
            for (MethodRow* row : m_rows)
                row->show(*m_analyser.current());
    });
    auto* rows = new WhenSeen(this, [this] {
        fitRows();
        for (MethodRow* row : m_rows)
            row->follow();
    });
    connect(&analyser, &Analyser::arrived, numbers, [numbers] { (*numbers)(); });
    connect(&document, &Document::changed, rows, [rows] { (*rows)(); });
    connect(&analyser, &Analyser::lookedElsewhere, rows, [rows] { (*rows)(); });
    connect(&pointer, &Pointer::moved, this, [this](const Pointed& at) {
        for (MethodRow* row : m_rows)
            row->swatch()->setStrong(at.method >= 0 && row->position() == at.method);
    });
}

void MethodsPanel::setWorkedShown(bool shown)
{
    m_workedShown = shown;
    for (MethodRow* row : m_rows)
        row->setWorkedShown(shown);
}

int MethodsPanel::widthWhenOpen() const
{
    int widest = 0;
    for (const MethodRow* row : m_rows)
        widest = std::max(widest, row->widthWhenOpen());
    const QMargins around = m_layout->contentsMargins();
    return widest + around.left() + around.right();
}

/// As many rows of each method as it is ticked, here or in what is looked at, and at least one.
void MethodsPanel::fitRows()
{
    std::size_t at = 0;
    const auto methods = scaleMethods();
    for (std::size_t m = 0; m < methods.size(); ++m) {
        const auto ticked = [&](const Scenario& scenario) {
            return std::ranges::count(scenario.methods, methods[m].id, &Choice::id);
        };
        const auto count = std::max({std::ptrdiff_t(1), ticked(m_document.scenario()), ticked(m_analyser.lookedAt())});
        for (int occurrence = 0; occurrence < count; ++occurrence, ++at)
            if (at == m_rows.size() || &m_rows[at]->method() != &methods[m])
                m_rows.insert(m_rows.begin() + static_cast<std::ptrdiff_t>(at), addRow(at, m, occurrence));
        while (at < m_rows.size() && &m_rows[at]->method() == &methods[m]) {
            m_layout->removeWidget(m_rows[at]);
            m_rows[at]->hide();
            m_rows[at]->deleteLater();  // it may be the one that was just unticked
            m_rows.erase(m_rows.begin() + static_cast<std::ptrdiff_t>(at));
        }
    }
}

MethodRow* MethodsPanel::addRow(std::size_t at, std::size_t method, int occurrence)
{
    auto* row = new MethodRow(m_document, m_analyser, scaleMethods()[method], occurrence);
    row->setWorkedShown(m_workedShown);
    m_layout->insertWidget(static_cast<int>(at), row);
    connect(row, &MethodRow::sourceAsked, this, &MethodsPanel::sourceAsked);
    connect(row, &MethodRow::refused, this, &MethodsPanel::refused);
    connect(row, &MethodRow::variantAdded, this, [this, method] {
        const auto last = std::find_if(m_rows.rbegin(), m_rows.rend(),
                                       [&](const MethodRow* r) { return &r->method() == &scaleMethods()[method]; });
        if (last != m_rows.rend())
            (*last)->openParameters();
    });
    return row;
}

}  // namespace attnscope

#include "moc_methods_panel.cpp"
