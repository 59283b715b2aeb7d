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
    step(name, std::move(next), marksOf(m_look));
    emit historyChanged();
    emit changed();
}

void Document::editOnce(const QString& name, const std::function<void(Scenario&)>& change)
{
    edit(name, change);
    endGesture();
}

void Document::replaceOnce(const QString& name, Scenario next)
{
    replace(name, std::move(next));
    endGesture();
}

void Document::editNotes(const QString& name, const std::function<void(std::vector<Annotation>&)>& change)
{
    Marks next = marksOf(m_look);
    change(next.notes);
    editMarks(name, std::move(next));
}

void Document::editPins(const QString& name, const std::function<void(std::vector<Scenario>&)>& change)
{
    Marks next = marksOf(m_look);
    change(next.pins);
    editMarks(name, std::move(next));
}

void Document::editMarks(const QString& name, Marks next)
{
    if (next == marksOf(m_look))
        return;
    step(name, scenario(), next);
    show(next);
    emit historyChanged();
    emit lookChanged();
}

void Document::show(const Marks& marks)
{
    m_look.annotations = marks.notes;
    m_look.pins = marks.pins;
}

/// Further along the step that is being made, or a new one.
void Document::step(const QString& name, Scenario next, Marks marks)
{
    if (m_gestureOpen && m_current > 0 && m_history[m_current].name == name) {
        m_history.erase(m_history.begin() + static_cast<std::ptrdiff_t>(m_current) + 1, m_history.end());
        m_history.back().scenario = std::move(next);
        m_history.back().marks = std::move(marks);
    } else {
        push({std::move(next), std::move(marks), name, m_history[m_current].file});
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
    if (session.scenario == scenario() && marksOf(session.look) == marksOf(m_look))
        m_history[m_current].file = std::move(file);
    else
        push({session.scenario, marksOf(m_look), name, std::move(file)});
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
        editMarks(name, marksOf(file->saved->look));
    }
    file->saved = Content{scenario(), m_look};
    endGesture();
    emit historyChanged();
}

bool Document::isModified() const
{
    const std::optional<Content>& saved = m_history[m_current].file->saved;
    return !saved || seenAs(scenario(), saved->scenario.view) != saved->scenario ||
           marksOf(m_look) != marksOf(saved->look);
}

void Document::lookElsewhere(const View& view)
{
    Scenario& now = m_history[m_current].scenario;
    now = seenAs(std::move(now), view);
    emit changed();
}

void Document::reset(Scenario scenario, const QString& path, std::optional<Content> saved)
{
    m_history.assign(1,
                     {std::move(scenario), marksOf(m_look), {}, std::make_shared<File>(File{path, std::move(saved)})});
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
    m_history[m_current].marks = marksOf(look);
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
    const bool otherScenario = next != scenario(), otherMarks = m_history[step].marks != marksOf(m_look);
    m_current = step;
    m_gestureOpen = false;
    show(m_history[step].marks);
    emit historyChanged();
    if (otherScenario || !otherMarks)
        emit changed();
    if (otherMarks)
        emit lookChanged();
}

}  // namespace attnscope

#include "moc_document.cpp"
