#include "ui/window/document.h"

namespace attnscope {

namespace {

/// `scenario` with the row and the part of the maps that `view` looks at.
Scenario seenAs(Scenario scenario, const View& view)
{
    scenario.view.row = view.row;
    scenario.view.region = view.region;
    return scenario;
}

/// As many queries and keys: what is looked at in one is there in the other, whichever head it is.
bool sameMatrix(const Scenario& a, Scenario b)
{
    b.tensors.head = a.tensors.head;
    b.tensors.mean = a.tensors.mean;
    return a.n == b.n && a.source == b.source && a.tensors == b.tensors;
}

}  // namespace

Document::Document(Scenario scenario, QObject* parent)
    : QObject(parent), m_history{{scenario, {}, {}, std::make_shared<File>(File{{}, Content{scenario, {}}})}}
{
}

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
    if (seenAs(next, scenario().view) == scenario())
        return lookElsewhere(next.view);
    step(name, std::move(next), m_look.annotations);
    emit historyChanged();
    emit changed();
}

void Document::editNotes(const QString& name, const std::function<void(std::vector<Annotation>&)>& change)
{
    std::vector<Annotation> notes = m_look.annotations;
    change(notes);
    if (notes == m_look.annotations)
        return;
    step(name, scenario(), notes);
    m_look.annotations = std::move(notes);
    emit historyChanged();
    emit lookChanged();
}

/// Further along the step that is being made, or a new one.
void Document::step(const QString& name, Scenario next, std::vector<Annotation> notes)
{
    if (m_gestureOpen && m_current > 0 && m_history[m_current].name == name) {
        m_history.erase(m_history.begin() + static_cast<std::ptrdiff_t>(m_current) + 1, m_history.end());
        m_history.back().scenario = std::move(next);
        m_history.back().notes = std::move(notes);
    } else {
        push({std::move(next), std::move(notes), name, m_history[m_current].file});
    }
    m_gestureOpen = true;
}

void Document::push(Step step)
{
    m_history.erase(m_history.begin() + static_cast<std::ptrdiff_t>(m_current) + 1, m_history.end());
    m_history.push_back(std::move(step));
    if (m_history.size() > historyLimit)
        m_history.pop_front();
    m_current = m_history.size() - 1;
}

void Document::open(const QString& name, const Content& session, const QString& path)
{
    auto file = std::make_shared<File>(File{path, session});
    if (session.scenario == scenario() && session.look.annotations == m_look.annotations && session.look.pins == m_look.pins)
        m_history[m_current].file = std::move(file);
    else
        push({session.scenario, m_look.annotations, name, std::move(file)});
    m_gestureOpen = false;
    emit historyChanged();
    emit changed();
    setLook(session.look);
}

void Document::markSaved(const QString& path)
{
    *m_history[m_current].file = {path, Content{scenario(), m_look}};
    emit historyChanged();
}

void Document::discardChanges(const QString& name)
{
    const std::shared_ptr<File> file = m_history[m_current].file;
    if (file->saved) {
        endGesture();
        replace(name, file->saved->scenario);
        editNotes(name, [&](std::vector<Annotation>& notes) { notes = file->saved->look.annotations; });
        editLook([&](Look& look) { look.pins = file->saved->look.pins; });
    }
    file->saved = Content{scenario(), m_look};
    endGesture();
    emit historyChanged();
}

bool Document::isModified() const
{
    const std::optional<Content>& saved = m_history[m_current].file->saved;
    return !saved || seenAs(scenario(), saved->scenario.view) != saved->scenario || m_look.annotations != saved->look.annotations || m_look.pins != saved->look.pins;
}

void Document::lookElsewhere(const View& view)
{
    Scenario& now = m_history[m_current].scenario;
    now = seenAs(std::move(now), view);
    emit changed();
}

void Document::reset(Scenario scenario, const QString& path, std::optional<Content> saved)
{
    m_history.assign(1, {std::move(scenario), m_look.annotations, {}, std::make_shared<File>(File{path, std::move(saved)})});
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
    m_history[m_current].notes = look.annotations;
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
    Scenario& next = m_history[step].scenario;
    if (sameMatrix(next, scenario()))
        next = seenAs(std::move(next), scenario().view);
    const bool otherScenario = next != scenario(), otherNotes = m_history[step].notes != m_look.annotations;
    m_current = step;
    m_gestureOpen = false;
    m_look.annotations = m_history[step].notes;
    emit historyChanged();
    if (otherScenario || !otherNotes)
        emit changed();
    if (otherNotes)
        emit lookChanged();
}

}  // namespace attnscope

#include "moc_document.cpp"
