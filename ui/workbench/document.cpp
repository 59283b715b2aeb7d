#include "ui/workbench/document.h"

#include "core/document/place_after.h"
#include "ui/plot/qt_text.h"

#include <utility>

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

/// The work of `work`, as it is shown and from where it is looked at in `place`.
Look placed(const Look& work, const Look& place)
{
    Look look = place;
    look.annotations = work.annotations;
    look.pins = work.pins;
    look.colours = work.colours;
    ModelLook& model = look.model = work.model;
    model.perplexity = place.model.perplexity;
    model.measure = place.model.measure;
    model.n = place.model.n;
    model.position = place.model.position;
    model.method = place.model.method;
    model.layer = place.model.layer;
    model.head = place.model.head;
    model.row = place.model.row;
    model.finding = place.model.finding;
    model.probing = place.model.probing;
    look.labs = work.labs;
    look.labs.page = place.labs.page;
    return look;
}

/// Where one looks, when the methods are others: it stays with the methods that stay.
Look followed(Look look, const std::vector<Choice>& before, const std::vector<Choice>& after)
{
    auto& sides = look.maps.sides;
    if (!sides && before.size() >= 2 && before != after)  // those that are shown stay
        sides = MethodPair(methodName(before, 1), methodName(before, 0));
    if (sides)
        sides = namesAfter(before, after, *sides);
    look.model.method = placeAfter(before, after, look.model.method, &Choice::id).value_or(0);
    return look;
}

/// The same where the methods are edited: what is beside a model's combination is work.
Look edited(Look look, const std::vector<Choice>& before, const std::vector<Choice>& after)
{
    look = followed(std::move(look), before, after);
    if (auto& beside = look.model.beside) {
        if (const auto method = placeAfter(before, after, beside->method, &Choice::id))
            beside->method = *method;
        else
            beside.reset();
    }
    return look;
}

bool sameWork(const Look& a, const Look& b) { return placed(a, b) == b; }

bool ofLabs(const Look& a, const Look& b) { return a.labs.lab != b.labs.lab || a.labs.tours != b.labs.tours; }

/// What is done to the one that makes the other.
QString nameOfWork(const Look& a, const Look& b)
{
    return a.labs.tours != b.labs.tours       ? u"Tours"_s
           : a.labs.lab != b.labs.lab         ? u"Lab"_s
           : a.colours != b.colours           ? u"Colour"_s
           : a.model.folder != b.model.folder ? u"Open a model"_s
           : a.model.typed != b.model.typed   ? u"Typing"_s
           : a.pins != b.pins                 ? u"Pins"_s
           : a.annotations != b.annotations   ? u"Notes"_s
                                              : u"Model"_s;
}

/// Where the user sees what undo changes of the work: where it is looked at from, and else the workspace that shows it.
Look whereSeen(Look place, const Look& before, const Scenario& now, const Scenario& scenarioBefore)
{
    const ModelLook &model = place.model, &modelBefore = before.model;
    const bool otherScenario = now != scenarioBefore;
    Scenario asModelSees = now;  // which runs the methods, by the engine
    asModelSees.methods = scenarioBefore.methods;
    asModelSees.engine = scenarioBefore.engine;
    const bool elsewhere = place.workspace == labsWorkspace.toStdString() ||
                           place.workspace == learnWorkspace.toStdString() ||
                           (place.workspace == modelWorkspace.toStdString() && asModelSees != scenarioBefore);
    if (ofLabs(place, before))
        place.workspace = labsWorkspace.toStdString();
    else if (otherScenario ? elsewhere : place.pins != before.pins || place.annotations != before.annotations)
        place.workspace = exploreWorkspace.toStdString();
    else if (!otherScenario && model != modelBefore) {
        place.workspace = modelWorkspace.toStdString();
        const bool search = model.over != modelBefore.over || model.tunedAt != modelBefore.tunedAt;
        if (search || model.probe != modelBefore.probe) {
            place.model.finding = search;
            place.model.probing = !search;
        }
    }
    return place;
}

}  // namespace

Document::Document(Scenario scenario, QObject* parent)
    : QObject(parent),
      m_history{{scenario, std::make_shared<const Look>(), {}, std::make_shared<File>(File{{}, Content{scenario, {}}})}}
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
    const Look look = edited(m_look, scenario().methods, next.methods);
    step(name, std::move(next),
         sameWork(look, m_look) ? m_history[m_current].work : std::make_shared<const Look>(look));
    const bool elsewhere = look != m_look;
    m_look = look;
    emit historyChanged();
    emit changed();
    if (elsewhere)
        emit lookChanged();
}

void Document::amend(const std::function<Scenario(Scenario)>& fit)
{
    Step& now = m_history[m_current];
    const bool saved = !differs(now, m_look);
    const Scenario next = fit(now.scenario);
    Look look = m_look;
    std::ranges::transform(look.pins, look.pins.begin(), fit);
    const bool others = next != now.scenario, otherPins = look.pins != m_look.pins;
    now.scenario = next;
    if (otherPins) {
        m_look = look;
        now.work = std::make_shared<const Look>(look);
    }
    if (saved && (others || otherPins))
        now.file->saved = Content{next, m_look};
    if (others)
        emit changed();
    if (otherPins)
        emit lookChanged();
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
    Look next = m_look;
    change(next.annotations);
    editWork(name, next);
}

void Document::editPins(const QString& name, const std::function<void(std::vector<Scenario>&)>& change)
{
    Look next = m_look;
    change(next.pins);
    endGesture();
    editWork(name, next);
    endGesture();
}

void Document::editWork(const QString& name, const Look& next)
{
    if (next == m_look)
        return;
    step(name, scenario(), std::make_shared<const Look>(next));
    m_look = next;
    emit historyChanged();
    emit lookChanged();
}

/// Further along the step that is being made, or a new one.
void Document::step(const QString& name, Scenario next, WorkPtr work)
{
    if (m_gestureOpen && m_current > 0 && m_history[m_current].name == name) {
        m_history.erase(m_history.begin() + static_cast<std::ptrdiff_t>(m_current) + 1, m_history.end());
        m_history.back().scenario = std::move(next);
        m_history.back().work = std::move(work);
    } else {
        push({std::move(next), std::move(work), name, m_history[m_current].file});
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
    open(name, session, path, session);
}

void Document::open(const QString& name, const Content& session, const QString& path, std::optional<Content> saved)
{
    emit leaving();
    endVisit();
    const bool same = session.scenario == scenario() && sameWork(session.look, m_look);
    if (!same)
        emit replacing();
    auto file = std::make_shared<File>(File{path, std::move(saved)});
    if (same)
        m_history[m_current].file = std::move(file);
    else
        push({session.scenario, std::make_shared<const Look>(session.look), name, std::move(file)});
    m_gestureOpen = false;
    m_look = session.look;
    emit historyChanged();
    emit changed();
    emit lookChanged();  // equal or not: what controls hold of their own is over
}

void Document::replaceSession(const QString& name, const Content& next)
{
    if (next.scenario != scenario() || !sameWork(next.look, m_look))
        return open(name, next);
    endGesture();
    m_look = next.look;
    emit lookChanged();  // equal or not, as in open()
}

void Document::bring(const QString& name, const Content& what)
{
    const bool isNew = what.scenario != scenario() || what.look != m_look;
    if (isNew && !isVisiting() && path().isEmpty() && !isModified())
        return open(name, what);
    replaceOnce(name, what.scenario);
    editLook([&](Look& look) { look = what.look; });
}

void Document::visit(const QString& title)
{
    emit leaving();
    if (!m_left)
        m_left = Left{m_history, m_current, m_look};
    m_visited = title;
    m_look.annotations.clear();
    m_look.pins.clear();
    m_look.zooms.clear();
    const MapLook maps = std::exchange(m_look.maps, {});
    m_look.maps.colourMap = maps.colourMap;
    m_look.maps.loupe = maps.loupe;
    const Content here{scenario(), m_look};
    m_history.assign(1,
                     {here.scenario, std::make_shared<const Look>(m_look), {}, std::make_shared<File>(File{{}, here})});
    m_current = 0;
    m_gestureOpen = false;
    emit historyChanged();
    emit lookChanged();
}

void Document::turnTo(Scenario next)
{
    if (!path().isEmpty())  // saved under a name it is work of one's own
        return replaceOnce(u"Lesson"_s, std::move(next));
    emit leaving();
    replaceOnce({}, std::move(next));
    m_history = {m_history[m_current]};
    m_current = 0;
    emit historyChanged();
}

void Document::endVisit()
{
    if (!m_left)
        return;
    emit leaving();
    const Look here = m_look;
    m_history = std::move(m_left->history);
    m_current = m_left->current;
    m_look = std::move(m_left->look);
    m_left.reset();
    m_gestureOpen = false;
    Look there = m_look;
    there.workspace = m_look.workspace = here.workspace;
    there.model = here.model;
    there.labs = here.labs;
    emit visitEnded();
    emit historyChanged();
    emit changed();
    emit lookChanged();
    editLook([&](Look& look) { look = there; });
}

bool Document::isVisitOwn() const
{
    return m_left && !path().isEmpty() && !differs(m_left->history[m_left->current], m_left->look);
}

Document::Content Document::own() const
{
    return m_left && !isVisitOwn() ? Content{m_left->history[m_left->current].scenario, m_left->look}
                                   : Content{scenario(), m_look};
}

const QString& Document::ownPath() const
{
    return m_left && !isVisitOwn() ? m_left->history[m_left->current].file->path : path();
}

std::function<void(const QString& path)> Document::savedMark()
{
    return [this, file = m_history[m_current].file, content = Content{scenario(), m_look}](const QString& path) {
        *file = {path, content};
        emit historyChanged();
    };
}

std::function<void()> Document::returnMark()
{
    return [this, history = m_history, current = m_current] {
        const bool other = history[current].scenario != scenario();
        m_history = history;
        m_current = current;
        m_gestureOpen = false;
        if (!sameWork(*m_history[m_current].work, m_look))
            m_history[m_current].work = std::make_shared<const Look>(m_look);
        emit historyChanged();
        if (other)
            emit changed();
    };
}

void Document::discardChanges(const QString& name)
{
    const std::shared_ptr<File> file = m_history[m_current].file;
    if (file->saved) {
        endGesture();
        replace(name, file->saved->scenario);
        editWork(name, placed(file->saved->look, m_look));
    }
    file->saved = Content{scenario(), m_look};
    endGesture();
    emit historyChanged();
}

bool Document::differs(const Step& step, const Look& look)
{
    const std::optional<Content>& saved = step.file->saved;
    return !saved || seenAs(step.scenario, saved->scenario.view) != saved->scenario || !sameWork(saved->look, look);
}

bool Document::isModified() const { return differs(m_history[m_current], m_look); }

bool Document::isOwnModified() const
{
    return m_left && !isVisitOwn() ? differs(m_left->history[m_left->current], m_left->look) : isModified();
}

void Document::lookElsewhere(const View& view)
{
    Scenario& now = m_history[m_current].scenario;
    now = seenAs(std::move(now), view);
    emit changed();
}

void Document::reset(const Content& session, const QString& path, std::optional<Content> saved)
{
    emit leaving();
    m_left.reset();
    m_look = session.look;
    m_history.assign(1, {session.scenario,
                         std::make_shared<const Look>(session.look),
                         {},
                         std::make_shared<File>(File{path, std::move(saved)})});
    m_current = 0;
    m_gestureOpen = false;
    emit historyChanged();
    emit changed();
    emit lookChanged();
}

void Document::setLook(const Look& look)
{
    if (look == m_look)
        return;
    if (!sameWork(look, m_look))
        m_history[m_current].work = std::make_shared<const Look>(look);
    m_look = look;
    emit lookChanged();
}

void Document::editLook(const std::function<void(Look&)>& change)
{
    Look next = m_look;
    change(next);
    if (sameWork(next, m_look))
        return setLook(next);
    const bool dragged = ofLabs(m_look, next);  // whose controls say when a drag ends
    if (!dragged)
        endGesture();
    editWork(nameOfWork(m_look, next), next);
    if (!dragged)
        endGesture();
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
    const bool otherScenario = next != scenario(), otherWork = !sameWork(*m_history[step].work, m_look);
    const Scenario left = scenario();
    m_current = step;
    m_gestureOpen = false;
    const Look before = std::exchange(m_look, placed(*m_history[step].work, m_look));
    m_look = whereSeen(m_look, before, scenario(), left);
    m_look = followed(std::move(m_look), left.methods, scenario().methods);
    m_look.model.position =
        placeAfter(before.model.positions, m_look.model.positions, m_look.model.position).value_or(0);
    emit historyChanged();
    if (otherScenario || !otherWork)
        emit changed();
    if (otherWork || m_look != before)
        emit lookChanged();
}

void setWorkspace(Document& document, const QString& id)
{
    document.editLook([&](Look& look) { look.workspace = id.toStdString(); });
}

}  // namespace attnscope

#include "moc_document.cpp"
#include "ui/plot/qt_text.h"
