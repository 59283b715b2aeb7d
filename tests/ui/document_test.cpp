// Undo and redo over whole scenarios.
#include "core/document/method_names.h"
#include "core/scaling/scale_method.h"
#include "ui/workbench/document.h"

#include <QSignalSpy>
#include <QTest>

#include <functional>
#include <random>

using namespace attnscope;

Q_DECLARE_METATYPE(std::function<void(attnscope::Look&)>)
Q_DECLARE_METATYPE(std::function<void(attnscope::Document&)>)

class DocumentTest : public QObject {
    Q_OBJECT
private slots:
    void anEditChangesTheScenarioOnce();
    void anEditThatChangesNothingIsNoStep();
    void aDragIsOneStep();
    void twoDragsAreTwoSteps();
    void whatMovedForAWhileLeavesNoStep();
    void notesAndPinsAreWorkToSave();
    void workIsUndoneAndSavedAndPlacesAreNot_data();
    void workIsUndoneAndSavedAndPlacesAreNot();
    void undoGoesWhereItIsSeen_data();
    void undoGoesWhereItIsSeen();
    void placesFollowTheirMethods();
    void theFirstDifferenceStays();
    void sidesAreVariants();
    void methodsAreTickedInTheirOrder();
    void aDraggedTourIsOneStep();
    void aVisitLeavesTheSessionAlone();
    void aVisitThatIsSavedIsOwn();
    void aSessionThatIsOpenedEndsAVisit();
    void anotherNumberIsAnotherStep();
    void undoForgetsNothingRedoRepeats();
    void anEditAfterUndoDropsWhatCouldBeRedone();
    void remembersAtLeastAHundredSteps();
    void notesAreSteps();
    void aDraggedNoteIsOneStep();
    void notesOfALookAreThoseOfTheStep();
    void randomSequencesAgreeWithAList_data();
    void randomSequencesAgreeWithAList();
};

namespace {
void setTemperature(Document& document, double value)
{
    document.edit("Temperature", [value](Scenario& s) { s.temperature = value; });
}
}  // namespace

void DocumentTest::anEditChangesTheScenarioOnce()
{
    Document document;
    QSignalSpy changed(&document, &Document::changed);
    setTemperature(document, 2);
    QCOMPARE(document.scenario().temperature, 2.0);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(document.undoName(), "Temperature");
}

void DocumentTest::anEditThatChangesNothingIsNoStep()
{
    Document document;
    QSignalSpy changed(&document, &Document::changed);
    setTemperature(document, document.scenario().temperature);
    QCOMPARE(changed.count(), 0);
    QVERIFY(!document.canUndo());
}

void DocumentTest::aDragIsOneStep()
{
    Document document;
    for (int i = 1; i <= 50; ++i)
        setTemperature(document, 1 + i / 10.0);
    document.undo();
    QCOMPARE(document.scenario().temperature, 1.0);
    document.redo();
    QCOMPARE(document.scenario().temperature, 6.0);
}

/// As a recording does: nothing more can be undone or redone than before.
void DocumentTest::whatMovedForAWhileLeavesNoStep()
{
    Document document;
    setTemperature(document, 2);
    document.endGesture();
    setTemperature(document, 3);
    document.undo();
    const QString undone = document.undoName(), redone = document.redoName();
    const auto goBack = document.returnMark();
    for (const double moved : {0.5, 0.6, 0.7})
        document.edit(QStringLiteral("Play"), [&](Scenario& scenario) { scenario.temperature = moved; });
    document.editLook([](Look& look) { look.annotations.resize(1); });
    QVERIFY(!document.canRedo());
    QSignalSpy changed(&document, &Document::changed);
    goBack();
    QCOMPARE(changed.count(), 1);
    QCOMPARE(document.scenario().temperature, 2.0);
    QCOMPARE(document.look().annotations.size(), std::size_t(1));  // work is kept
    QCOMPARE(document.undoName(), undone);
    QCOMPARE(document.redoName(), redone);
    document.redo();
    QCOMPARE(document.scenario().temperature, 3.0);
    document.undo();
    document.undo();
    QVERIFY(!document.canUndo());
}

void DocumentTest::twoDragsAreTwoSteps()
{
    Document document;
    setTemperature(document, 2);
    setTemperature(document, 3);
    document.endGesture();
    setTemperature(document, 4);
    setTemperature(document, 5);
    document.undo();
    QCOMPARE(document.scenario().temperature, 3.0);
    document.undo();
    QCOMPARE(document.scenario().temperature, 1.0);
    QVERIFY(!document.canUndo());
}

namespace {
void addNote(Document& document, const char* text)
{
    document.editNotes("Note", [text](std::vector<Annotation>& notes) {
        notes.push_back({"map:vanilla", 3, 5, 2, 2, text});
    });
    document.endGesture();
}
}  // namespace

void DocumentTest::notesAreSteps()
{
    Document document;
    QSignalSpy changed(&document, &Document::changed), looks(&document, &Document::lookChanged);
    addNote(document, "one");
    setTemperature(document, 2);
    document.endGesture();
    addNote(document, "two");
    QCOMPARE(changed.count(), 1);
    QCOMPARE(looks.count(), 2);
    QCOMPARE(document.undoName(), "Note");
    document.undo();
    QCOMPARE(document.look().annotations.size(), std::size_t(1));
    QCOMPARE(document.scenario().temperature, 2.0);
    QCOMPARE(changed.count(), 1);  // the scenario is the same: nothing is computed again
    QCOMPARE(looks.count(), 3);
    document.undo();
    QCOMPARE(document.look().annotations.size(), std::size_t(1));
    QCOMPARE(document.scenario().temperature, 1.0);
    document.undo();
    QVERIFY(document.look().annotations.empty() && !document.canUndo());
    for (int i = 0; i < 3; ++i)
        document.redo();
    QCOMPARE(document.look().annotations.back().text, std::string("two"));
    QCOMPARE(document.scenario().temperature, 2.0);
    document.editNotes("Note", [](std::vector<Annotation>&) {});  // changes nothing
    QVERIFY(!document.canRedo() && document.undoName() == "Note");
}

void DocumentTest::aDraggedNoteIsOneStep()
{
    Document document;
    addNote(document, "one");
    for (int i = 1; i <= 20; ++i)
        document.editNotes("Move note", [i](std::vector<Annotation>& notes) { notes.front().right = i; });
    document.endGesture();
    QCOMPARE(document.look().annotations.front().right, 20.0);
    document.undo();
    QCOMPARE(document.look().annotations.front().right, 2.0);
    document.undo();
    QVERIFY(document.look().annotations.empty());
}

/// A session that is opened brings its own, and undo the ones before.
void DocumentTest::notesOfALookAreThoseOfTheStep()
{
    Document document;
    addNote(document, "mine");
    Scenario other;
    other.n = 77;
    document.open("Open session", {other, document.look()});
    Look look = document.look();
    look.annotations.front().text = "its";
    look.dispersion = "top4";
    document.setLook(look);
    document.undo();
    QCOMPARE(document.look().annotations.front().text, std::string("mine"));
    QCOMPARE(document.look().dispersion, std::string("top4"));
    document.redo();
    QCOMPARE(document.look().annotations.front().text, std::string("its"));
}

void DocumentTest::notesAndPinsAreWorkToSave()
{
    Document document;
    addNote(document, "mine");
    QVERIFY(document.isModified());
    document.markSaved("a.attnscope");
    QVERIFY(!document.isModified());
    document.editLook([](Look& look) { look.dispersion = "top4"; });  // how it is shown is nobody's work
    QVERIFY(!document.isModified());
    document.editPins("Pin", [](std::vector<Scenario>& pins) { pins.emplace_back(); });
    QVERIFY(document.isModified());
    document.undo();
    QVERIFY(!document.isModified() && document.look().pins.empty());
    document.redo();
    QCOMPARE(document.look().pins.size(), std::size_t{1});
    addNote(document, "another");
    document.discardChanges("Discard changes");
    QVERIFY(!document.isModified());
    QVERIFY(document.look().pins.empty());
    QCOMPARE(document.look().annotations.size(), std::size_t{1});
    document.undo();  // what was discarded comes back
    QCOMPARE(document.look().annotations.size(), std::size_t{2});
    QCOMPARE(document.look().pins.size(), std::size_t{1});
    document.redo();
    Look its = document.look();
    its.annotations.front().text = "its";
    its.pins.resize(3);
    document.open("Open session", {{}, its}, "b.attnscope");
    QVERIFY(!document.isModified());
    QCOMPARE(document.look().annotations.front().text, std::string("its"));
    document.undo();  // also those of before a session that looks at the same
    QCOMPARE(document.look().annotations.front().text, std::string("mine"));
    QVERIFY(document.look().pins.empty() && !document.isModified());
    document.redo();
    QCOMPARE(document.look().pins.size(), std::size_t{3});
    QVERIFY(!document.isModified());
}

void DocumentTest::workIsUndoneAndSavedAndPlacesAreNot_data()
{
    using Change = std::function<void(Look&)>;
    QTest::addColumn<Change>("change");
    QTest::addColumn<bool>("work");
    const auto row = [](const char* name, bool work, const Change& change) {
        QTest::addRow("%s", name) << change << work;
    };
    row("a note", true, [](Look& look) { look.annotations.push_back({"map:vanilla", 1, 2, 2, 2, "mine"}); });
    row("a pin", true, [](Look& look) { look.pins.emplace_back(); });
    row("a colour", true, [](Look& look) { look.colours["vanilla"] = "#123456"; });
    row("a model", true, [](Look& look) { look.model.folder = "/a"; });
    row("the kind of its text", true, [](Look& look) { look.model.text = ModelText::Typed; });
    row("the file of its text", true, [](Look& look) { look.model.file = "/b.txt"; });
    row("what is typed", true, [](Look& look) { look.model.typed = "once upon a time"; });
    row("lengths", true, [](Look& look) { look.model.lengths = {64, 128}; });
    row("positions", true, [](Look& look) { look.model.positions = {"own", "ntk"}; });
    row("the policy", true, [](Look& look) { look.model.captured = true; });
    row("windows", true, [](Look& look) { look.model.windows = 9; });
    row("the last predictions", true, [](Look& look) { look.model.last = 7; });
    row("a lab", true, [](Look& look) { look.labs.lab = "eie"; });
    row("a tour", true, [](Look& look) { look.labs.tours.size = 33; });
    row("a workspace", false, [](Look& look) { look.workspace = "figures"; });
    row("a page of labs", false, [](Look& look) { look.labs.page = "tours"; });
    row("the maps", false, [](Look& look) { look.maps.log = !look.maps.log; });
    row("a zoom", false, [](Look& look) { look.zooms["entropy:shannon"] = {{1, 2}, {3, 4}}; });
    row("a chart", false, [](Look& look) { look.dispersion = "top4"; });
    row("what the heads are coloured by", false, [](Look& look) { look.headsBy = "entropy"; });
    row("the same of a model", false, [](Look& look) { look.model.measure = "share"; });
    row("a head of a model", false, [](Look& look) { look.model.head = 1; });
    row("a row of its map", false, [](Look& look) { look.model.row = 5; });
}

void DocumentTest::workIsUndoneAndSavedAndPlacesAreNot()
{
    QFETCH(std::function<void(Look&)>, change);
    QFETCH(bool, work);
    Document document;
    setTemperature(document, 2);
    document.markSaved("a.attnscope");
    const Look before = document.look();
    QSignalSpy looks(&document, &Document::lookChanged);
    document.editLook(change);
    const Look after = document.look();
    QVERIFY(after != before);
    QCOMPARE(looks.size(), 1);
    QCOMPARE(document.isModified(), work);
    QCOMPARE(document.undoName() != "Temperature", work);
    document.editLook([](Look& look) { look.approximations = true; });  // elsewhere
    QSignalSpy scenarios(&document, &Document::changed);
    document.undo();
    QVERIFY(document.look().approximations);  // how it is shown stays
    QCOMPARE(document.scenario().temperature, work ? 2.0 : 1.0);
    QCOMPARE(scenarios.size(), work ? 0 : 1);  // nothing is computed again for what is beside the scenario
    Look here = document.look();
    here.approximations = false;
    if (work) {  // it is looked at where it is seen: undoGoesWhereItIsSeen()
        here.workspace = before.workspace;
        here.model.finding = here.model.probing = false;
    }
    QVERIFY(here == (work ? before : after));
    document.redo();
    QCOMPARE(document.isModified(), work);
    document.discardChanges("Discard changes");
    QVERIFY(!document.isModified());
}

void DocumentTest::undoGoesWhereItIsSeen_data()
{
    using Edit = std::function<void(Document&)>;
    QTest::addColumn<std::function<void(attnscope::Document&)>>("edit");
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    const auto model = [](auto change) {
        return Edit([change](Document& document) { document.editLook([&](Look& look) { change(look.model); }); });
    };
    const Edit temperature = [](Document&document) { setTemperature(document, 3); },
               tuned = model([](ModelLook&look) { look.tunedAt = 900; }),
               typed = model([](ModelLook&look) { look.typed = "words"; }),
               lab = [](Document&document) { document.editLook([](Look& look) { look.labs.lab = "eie"; }); },
               pin = [](Document&document) {
                   document.editPins("Pin", [](std::vector<Scenario>& pins) { pins.emplace_back(); });
               };
    QTest::addRow("a search from Explore") << tuned << exploreWorkspace << modelWorkspace;
    QTest::addRow("a text from Labs") << typed << labsWorkspace << modelWorkspace;
    QTest::addRow("a lab from Model") << lab << modelWorkspace << labsWorkspace;
    QTest::addRow("the scenario from Labs") << temperature << labsWorkspace << exploreWorkspace;
    QTest::addRow("methods from Model, which runs them") << Edit([](Document& document) {
        document.edit("Methods", [](Scenario& scenario) { scenario.methods.pop_back(); });
    }) << modelWorkspace << modelWorkspace;
    QTest::addRow("what Model does not show of the scenario, from there")
        << temperature << modelWorkspace << exploreWorkspace;
    QTest::addRow("the scenario from Figures, which draws it") << temperature << figuresWorkspace << figuresWorkspace;
    QTest::addRow("a pin from Model") << pin << modelWorkspace << exploreWorkspace;
}
/// What undo and redo change is not changed behind one's back.
void DocumentTest::undoGoesWhereItIsSeen()
{
    QFETCH(const std::function<void(attnscope::Document&)>, edit);
    QFETCH(const QString, from);
    QFETCH(const QString, to);
    Document document;
    edit(document);
    setWorkspace(document, from);
    document.undo();
    QCOMPARE(QString::fromStdString(document.look().workspace), to);
    setWorkspace(document, from);
    document.redo();
    QCOMPARE(QString::fromStdString(document.look().workspace), to);
    QCOMPARE(document.look().model.finding, document.look().model.tunedAt == 900);
}

/// The sides of the difference are methods whatever is ticked, and the same when they come back; what is kept as a
/// place in the list means the same method when an earlier one goes, and after undo.
void DocumentTest::placesFollowTheirMethods()
{
    const auto named = [](const char* id) { return Choice{id, {}, {}}; };
    Scenario scenario;
    scenario.methods = {named("vanilla"), named("softmax_plus"), named("infoscale"), named("log_n")};
    Document document(scenario);
    const std::optional<MethodPair> sides(MethodPair("log_n", "softmax_plus"));
    document.setLook([&] {
        Look look;
        look.maps.sides = sides;
        look.maps.pinnedDifference = {-1, 1};
        look.model.method = 2;
        look.model.beside = Combination{0, 3};
        return look;
    }());
    const auto untick = [&](int place) {
        document.editOnce("Untick",
                          [place](Scenario& edited) { edited.methods.erase(edited.methods.begin() + place); });
    };
    const auto shown = [&] { return placesOfDifference(document.scenario().methods, document.look().maps.sides); };
    using Places = std::pair<std::size_t, std::size_t>;
    QVERIFY((shown() == Places(3, 1)));
    untick(0);
    QVERIFY((shown() == Places(2, 0)));
    QCOMPARE(document.look().model.method, 1);
    QCOMPARE(document.look().model.beside->method, 2);
    document.undo();
    QVERIFY((shown() == Places(3, 1)));
    QCOMPARE(document.look().model.method, 2);
    QCOMPARE(document.look().model.beside->method, 3);
    document.redo();
    QCOMPARE(document.look().model.beside->method, 2);
    untick(2);  // a side of the difference, and what was beside
    QVERIFY((shown() == Places(1, 0)));
    QCOMPARE(document.look().model.method, 1);
    QVERIFY(!document.look().model.beside);
    document.editOnce("Tick", [&](Scenario& edited) { tickMethod(edited.methods, named("log_n")); });
    QVERIFY(document.look().maps.sides == sides);
    document.undo();
    document.undo();  // and the difference is of its two methods again
    QVERIFY((shown() == Places(2, 0)));
    QVERIFY((document.look().maps.pinnedDifference == std::pair(-1.0, 1.0)));
    document.editOnce("Parameter", [](Scenario& edited) { edited.methods[1].values["kappa"] = 2; });
    QCOMPARE(document.look().model.method, 1);
    document.editOnce("Paste", [](Scenario& edited) { std::ranges::reverse(edited.methods); });
    QCOMPARE(document.look().model.method, static_cast<int>(document.scenario().methods.size()) - 2);
}

/// Those that were shown before anything was chosen stay too.
void DocumentTest::theFirstDifferenceStays()
{
    Scenario scenario;
    scenario.methods = {{"vanilla", {}, {}}, {"infoscale", {}, {}}};
    Document document(scenario);
    QVERIFY(!document.look().maps.sides);
    document.editOnce("Tick", [](Scenario& edited) { tickMethod(edited.methods, {"softmax_plus", {}, {}}); });
    QCOMPARE(document.scenario().methods[1].id, std::string("softmax_plus"));
    QVERIFY(document.look().maps.sides == MethodPair("infoscale", "vanilla"));
    QVERIFY(document.isModified());
    document.undo();
    QVERIFY(!document.isModified());
}

/// A second variant is the first once the first went; what has only its parameters changed is the same method.
void DocumentTest::sidesAreVariants()
{
    Scenario scenario;
    scenario.methods = {{"vanilla", {}, {}}, {"ssmax", {{"s", 0.2}}, {}}, {"ssmax", {{"s", 0.4}}, {}}};
    Document document(scenario);
    document.setLook([] {
        Look look;
        look.maps.sides = MethodPair("ssmax#2", "vanilla");
        return look;
    }());
    document.editOnce("Parameter", [](Scenario& edited) { edited.methods[2].values["s"] = 0.8; });
    QVERIFY(document.look().maps.sides == MethodPair("ssmax#2", "vanilla"));
    document.editOnce("Untick", [](Scenario& edited) { edited.methods.erase(edited.methods.begin() + 1); });
    QVERIFY(document.look().maps.sides == MethodPair("ssmax", "vanilla"));
    document.undo();
    QVERIFY(document.look().maps.sides == MethodPair("ssmax#2", "vanilla"));
    // past the value of the other variant and on
    for (const double s : {0.3, 0.4, 0.5}) {
        document.edit("Parameter", [s](Scenario& edited) { edited.methods[1].values["s"] = s; });
        QVERIFY(document.look().maps.sides == MethodPair("ssmax#2", "vanilla"));
    }
    // both sides are variants of one, and the first goes: the difference is never of a method and itself
    document.setLook([&] {
        Look look = document.look();
        look.maps.sides = MethodPair("ssmax#2", "ssmax");
        return look;
    }());
    document.editOnce("Untick", [](Scenario& edited) { edited.methods.erase(edited.methods.begin() + 1); });
    const auto [first, second] = placesOfDifference(document.scenario().methods, document.look().maps.sides);
    QVERIFY(first != second);
}

/// The list is in the order of the registry, whatever was ticked first; variants of one stand in theirs.
void DocumentTest::methodsAreTickedInTheirOrder()
{
    std::vector<Choice> methods;
    const std::span<const ScaleMethod> all = scaleMethods();
    for (std::size_t i = all.size(); i-- > 0;)
        tickMethod(methods, {all[i].id, {}, {}});
    QCOMPARE(methods.size(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        QCOMPARE(methods[i].id, all[i].id);
    methods = {{"vanilla", {}, {}}, {"infoscale", {}, {}}};
    tickMethod(methods, {"vanilla", {}, "second"});
    QCOMPARE(methods[1].text, std::string("second"));
    QCOMPARE(methods[2].id, std::string("infoscale"));
}

void DocumentTest::aDraggedTourIsOneStep()
{
    Document document;
    const auto drag = [&](int size) { document.editLook([size](Look& look) { look.labs.tours.size = size; }); };
    for (int size = 20; size < 40; ++size)
        drag(size);
    document.endGesture();
    drag(50);
    document.undo();
    QCOMPARE(document.look().labs.tours.size, 39);
    document.undo();
    QVERIFY(document.look().labs.tours == RedecodingRequest() && !document.canUndo());
}

/// Its history, its file, and what there was to undo and to repeat.
void DocumentTest::aVisitLeavesTheSessionAlone()
{
    Document document;
    addNote(document, "mine");
    setTemperature(document, 2);
    document.markSaved("a.attnscope");
    document.endGesture();
    setTemperature(document, 3);
    document.endGesture();
    setTemperature(document, 4);
    document.undo();
    const Look look = document.look();
    document.visit("One");
    QVERIFY(document.isVisiting() && document.path().isEmpty() && !document.canUndo() && !document.canRedo());
    QVERIFY(document.look().annotations.empty());
    QCOMPARE(document.ownPath(), "a.attnscope");
    for (const char* another : {"Two", "Three"}) {
        setTemperature(document, 9);
        addNote(document, "the lesson's");
        document.undo();
        document.visit(another);
    }
    document.editLook([](Look& edited) {
        edited.workspace = "learn";
        edited.maps.difference = !edited.maps.difference;
    });
    QCOMPARE(document.own().scenario.temperature, 3.0);
    QVERIFY(document.own().look == look);
    document.endVisit();
    QVERIFY(!document.isVisiting() && document.isModified());
    QCOMPARE(document.path(), "a.attnscope");
    QCOMPARE(document.scenario().temperature, 3.0);
    Look back = document.look();
    QCOMPARE(back.workspace, std::string("learn"));  // one stays where one is
    back.workspace = look.workspace;
    QVERIFY(back == look);
    document.redo();
    QCOMPARE(document.scenario().temperature, 4.0);
    document.undo();
    document.undo();
    QVERIFY(!document.isModified());
    document.undo();
    document.undo();
    QVERIFY(document.look().annotations.empty() && !document.canUndo());
}

/// What was changed in a lesson and saved under a name comes back, but never in place of work that nothing keeps.
void DocumentTest::aVisitThatIsSavedIsOwn()
{
    Document document;
    document.markSaved("a.attnscope");
    document.visit("One");
    setTemperature(document, 9);
    QVERIFY(!document.isVisitOwn() && document.own().scenario.temperature != 9.0);
    document.markSaved("mine.attnscope");
    QVERIFY(document.isVisitOwn());
    QCOMPARE(document.ownPath(), "mine.attnscope");
    QCOMPARE(document.own().scenario.temperature, 9.0);
    document.endVisit();
    QCOMPARE(document.ownPath(), "a.attnscope");
    document.endGesture();
    setTemperature(document, 2);  // and not saved
    document.visit("One");
    document.markSaved("mine.attnscope");
    QVERIFY(!document.isVisitOwn());
    QCOMPARE(document.ownPath(), "a.attnscope");
    QCOMPARE(document.own().scenario.temperature, 2.0);
}

void DocumentTest::aSessionThatIsOpenedEndsAVisit()
{
    Document document;
    QSignalSpy ended(&document, &Document::visitEnded);
    setTemperature(document, 2);
    document.visit("One");
    setTemperature(document, 9);
    Scenario other;
    other.n = 77;
    document.open("Open session", {other, {}}, "b.attnscope");
    QVERIFY(!document.isVisiting() && !document.isModified());
    QCOMPARE(ended.size(), 1);
    QCOMPARE(document.scenario().n, 77);
    document.undo();
    QCOMPARE(document.scenario().temperature, 2.0);
    document.endVisit();  // of none
    QCOMPARE(document.scenario().temperature, 2.0);
}

void DocumentTest::anotherNumberIsAnotherStep()
{
    Document document;
    setTemperature(document, 2);
    document.edit("Seed", [](Scenario& s) { s.seed = 7; });
    document.undo();
    QCOMPARE(document.scenario().seed, 1U);
    QCOMPARE(document.scenario().temperature, 2.0);
}

void DocumentTest::undoForgetsNothingRedoRepeats()
{
    Document document;
    const Scenario before = document.scenario();
    document.edit("Everything", [](Scenario& s) {
        s.n = 77;
        s.methods = {{"ssmax", {{"s", 0.5}}, {}}};
        s.attention.mask = {"window", {{"w", 9}}, {}};
        s.view.row = 3;
        s.tensors.path = "/a/b";
    });
    const Scenario after = document.scenario();
    document.undo();
    QVERIFY(document.scenario() == before);
    document.redo();
    QVERIFY(document.scenario() == after);
}

void DocumentTest::anEditAfterUndoDropsWhatCouldBeRedone()
{
    Document document;
    setTemperature(document, 2);
    document.undo();
    document.edit("Seed", [](Scenario& s) { s.seed = 7; });
    QVERIFY(!document.canRedo());
    document.undo();
    QCOMPARE(document.scenario().seed, 1U);
}

void DocumentTest::remembersAtLeastAHundredSteps()
{
    Document document;
    for (int i = 1; i <= 1000; ++i) {
        document.edit("Seed", [i](Scenario& s) { s.seed = static_cast<std::uint64_t>(1000 + i); });
        document.endGesture();
    }
    int undone = 0;
    for (; document.canUndo(); ++undone)
        document.undo();
    QVERIFY(undone >= 100);
    QCOMPARE(document.scenario().seed, static_cast<std::uint64_t>(2000 - undone));
}

void DocumentTest::randomSequencesAgreeWithAList_data()
{
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 1; seed <= 8; ++seed)
        QTest::addRow("sequence %u", seed) << seed;
}

/// Against the simplest model there is: a list of states and a place in it.
void DocumentTest::randomSequencesAgreeWithAList()
{
    QFETCH(unsigned, seed);
    std::mt19937 random(seed);
    Document document;
    std::vector<Scenario> states{document.scenario()};
    size_t place = 0;
    for (int step = 0; step < 300; ++step) {
        switch (random() % 4) {
        case 0:
            document.undo();
            place -= place > 0 ? 1 : 0;
            break;
        case 1:
            document.redo();
            place += place + 1 < states.size() ? 1 : 0;
            break;
        default: {
            const auto n = static_cast<std::int64_t>(2 + random() % 100000);
            if (n == document.scenario().n)
                break;
            document.edit("Length", [n](Scenario& s) { s.n = n; });
            document.endGesture();
            states.resize(place + 1);
            states.push_back(document.scenario());
            ++place;
        }
        }
        QVERIFY(document.scenario() == states[place]);
        QCOMPARE(document.canUndo(), place > 0);
        QCOMPARE(document.canRedo(), place + 1 < states.size());
    }
}

QTEST_GUILESS_MAIN(DocumentTest)
#include "document_test.moc"
