#include "ui/window/document.h"

namespace attnscope {

Document::Document(Scenario scenario, QObject* parent) : QObject(parent), m_history{{scenario, {}}}, m_saved(std::move(scenario)) {}

void Document::edit(const QString& name, const std::function<void(Scenario&)>& change)
{
    Scenario next = scenario();
    change(next);
    replace(name, std::move(next));
}

void Document::replace(const QString& name, Scenario next)
{
    if (next == scenario())
        return;
    m_history.erase(m_history.begin() + static_cast<std::ptrdiff_t>(m_current) + 1, m_history.end());
    if (m_gestureOpen && m_current > 0 && m_history.back().name == name) {
        m_history.back().scenario = std::move(next);
    } else {
        m_history.push_back({std::move(next), name});
        if (m_history.size() > historyLimit)
            m_history.pop_front();
        m_current = m_history.size() - 1;
    }
    m_gestureOpen = true;
    emit historyChanged();
    emit changed();
}

void Document::reset(Scenario scenario)
{
    m_history.assign(1, {std::move(scenario), {}});
    m_current = 0;
    m_gestureOpen = false;
    emit historyChanged();
    emit changed();
}

void Document::setLook(const Look& look)
{
    if (look == m_look)
        return;
    m_look = look;
    emit lookChanged();
}

void Document::editLook(const std::function<void(Look&)>& change)
{
    Look next = m_look;
    change(next);
    setLook(next);
}

void Document::undo()
{
    if (canUndo())
        go(m_current - 1);
}

void Document::redo()
{
    if (canRedo())
        go(m_current + 1);
}

void Document::go(std::size_t step)
{
    m_current = step;
    m_gestureOpen = false;
    emit historyChanged();
    emit changed();
}

}  // namespace attnscope
