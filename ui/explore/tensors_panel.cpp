#include "ui/explore/tensors_panel.h"

#include "core/attention/masks.h"
#include "core/attention/positions.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/widgets/building.h"
#include "ui/widgets/elided.h"
#include "ui/workbench/document.h"
#include "ui/explore/tensor_list.h"

#include <QComboBox>
#include <QGridLayout>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>

namespace attnscope {

namespace {

enum PositionItem { Already, Halves, Neighbours, AsSet };

int itemOf(const Choice& position)
{
    if (!hasPositions(position))
        return Already;
    if (!isRope(position))
        return AsSet;
    const auto interleaved = position.values.find("interleaved");
    return interleaved != position.values.end() && interleaved->second == 0 ? Halves : Neighbours;
}

QComboBox* choiceList(const QString& name, const QString& teaches)
{
    auto* made = described(new ElidedList, name, teaches);
    made->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    return made;
}

}  // namespace

TensorsPanel::TensorsPanel(Document& document, FileOffers& offers, QWidget* parent)
    : QWidget(parent), m_document(document), m_offers(offers), m_list(new TensorList),
      m_pairs(choiceList(u"Pair"_s, u"Queries and keys that belong together, found by their names"_s)),
      m_kind(choiceList(u"What they hold"_s, u"A file may hold finished logits or weights, (queries, keys) or "
                                             "(heads, queries, keys), in place of q and k"_s)),
      m_layout(choiceList(
          u"Axes"_s,
          u"Which axis of the tensors is what. Guessed from the names and shapes, unless the file says it"_s)),
      m_causal(choiceList(u"Causal"_s, u"Does a token see only those before it, or all?"_s)),
      m_positions(choiceList(u"Positions"_s, u"Were q and k recorded after rotary positions were applied, or "
                                             "before? Recorded before, RoPE is applied here"_s)),
      m_batch(described(new QSpinBox, u"Batch"_s, u"Which sequence of the batch is shown"_s)),
      m_layoutSaid(textLabel({}, "caption")), m_causalSaid(textLabel({}, "caption")),
      m_positionsSaid(textLabel({}, "caption")), m_verdict(paragraph(nullptr))
{
    inRow(this, {{m_list, 6}, {buildForm(), 5}}, 12, {12, 0, 12, 8});
    connect(m_list, &TensorList::queriesChosen, this,
            [this](const std::string& tensor) { use(m_selection.query, tensor, u"Queries"_s); });
    connect(m_list, &TensorList::keysChosen, this,
            [this](const std::string& tensor) { use(m_selection.key, tensor, u"Keys"_s); });
    connect(&document, &Document::changed, this, &TensorsPanel::refresh);
    connect(&offers, &FileOffers::changed, this, &TensorsPanel::refresh);
    refresh();
}

int TensorsPanel::heightOfRows() const
{
    const QMargins around = layout()->contentsMargins();
    return m_form->sizeHint().height() + around.top() + around.bottom();
}

void TensorsPanel::addRow(QGridLayout* grid, int row, const QString& words, QWidget* control, QLabel* said)
{
    QLabel* label = textLabel(words, "caption");
    label->setBuddy(control);
    grid->addWidget(label, 2 * row, 0);
    grid->addWidget(control, 2 * row, 1);
    if (said)
        grid->addWidget(said, 2 * row + 1, 1);
}

QWidget* TensorsPanel::buildForm()
{
    QWidget* form = m_form = new QWidget;
    auto* grid = new QGridLayout(form);
    grid->setContentsMargins(0, 0, 6, 0);
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(formSpacing);
    grid->setColumnStretch(1, 1);
    for (QLabel* said : {m_layoutSaid, m_causalSaid, m_positionsSaid})
        said->setContentsMargins(0, 0, 0, 6);
    m_kind->addItem(u"Queries and keys"_s, QString());
    m_kind->addItem(u"Logits"_s, u"logits"_s);
    m_kind->addItem(u"Weights"_s, u"weights"_s);
    addItem(*m_causal, u"Causal"_s, u"causal"_s, u"A token sees itself and those before it"_s);
    addItem(*m_causal, u"Full"_s, u"full"_s, u"A token sees every token"_s);
    addItem(*m_positions, u"In q and k"_s, {}, u"They are in q and k already (post-RoPE), or there are none"_s);
    addItem(*m_positions, u"RoPE (0, d/2)"_s, {}, u"Not yet in q and k: RoPE is applied here, to pairs (0, d/2)"_s);
    addItem(*m_positions, u"RoPE (0, 1)"_s, {}, u"Not yet in q and k: RoPE is applied here, to pairs (0, 1)"_s);
    m_batch->setPrefix(u"batch "_s);
    m_verdict->setAccessibleDescription(u"What these choices give"_s);
    auto* axes = new QWidget;
    inRow(axes, {{m_layout, 1}, m_batch});
    addRow(grid, 0, u"Found by name"_s, m_pairs);
    addRow(grid, 1, u"They hold"_s, m_kind);
    addRow(grid, 2, u"Axes"_s, axes, m_layoutSaid);
    m_layoutSaid->setTextInteractionFlags(Qt::TextBrowserInteraction);
    addRow(grid, 3, u"Mask"_s, m_causal, m_causalSaid);
    addRow(grid, 4, u"Positions"_s, m_positions, m_positionsSaid);
    grid->addWidget(m_verdict, 10, 0, 1, 2);
    grid->setRowStretch(11, 1);

    connect(m_pairs, &QComboBox::activated, this, &TensorsPanel::takeOffer);
    connect(m_kind, &QComboBox::activated, this, &TensorsPanel::chooseKind);
    connect(m_layout, &QComboBox::activated, this,
            [this] { takeLayout(m_layout->currentData().toString().toStdString()); });
    connect(m_layoutSaid, &QLabel::linkActivated, this, [this](const QString& id) { takeLayout(id.toStdString()); });
    connect(m_batch, &QSpinBox::valueChanged, this, [this](int batch) {
        m_selection.batch = batch;
        look(u"Batch"_s);
    });
    connect(m_causal, &QComboBox::activated, this, &TensorsPanel::chooseCausal);
    connect(m_positions, &QComboBox::activated, this, &TensorsPanel::choosePositions);
    return scrolled(form);
}

void TensorsPanel::takeLayout(const std::string& id)
{
    m_selection.layout = id;
    m_selection.batch = 0;
    m_selection.headCount = 0;
    look(u"Axes"_s);
}

void TensorsPanel::choose(OfferedFilePtr file)
{
    m_file = std::move(file);
    m_beside = m_document.scenario().tensors;
    setEnabled(true);
    m_selection = {.path = m_file->file.path(), .query = {}, .key = {}, .layout = {}, .holds = {}};
    m_list->setFile(m_file);
    m_list->setSelection(m_selection);
    showPair(*m_file);
    showLayouts(*m_file);
    showFacts(*m_file);
    m_verdict->setText(
        u"No tensors are named like queries and keys. Choose a tensor in the list and say what it is."_s);
}

void TensorsPanel::refresh()
{
    const Scenario& scenario = m_document.scenario();
    if (!scenario.ofFile() || !m_offers.current())
        return setEnabled(m_file != nullptr);
    if (m_beside == scenario.tensors)
        return;  // what is chosen from is another file
    m_beside.reset();
    m_file = m_offers.current();
    m_selection = scenario.tensors;
    setEnabled(true);
    m_list->setFile(m_file);
    m_list->setSelection(m_selection);
    showPair(*m_file);
    showLayouts(*m_file);
    showFacts(*m_file);
    showVerdict(sizesOf(m_file->file, m_selection));
}

void TensorsPanel::showPair(const OfferedFile& file)
{
    m_pairs->clear();
    for (const TensorOffer& offer : file.offers)
        m_pairs->addItem(labelInWords(offer.candidate.label));
    m_pairs->setCurrentIndex(offerOf(file, m_selection));
    m_pairs->setPlaceholderText(file.offers.empty() ? u"none"_s : u"paired by hand"_s);
    m_pairs->setEnabled(!file.offers.empty());
    m_kind->setCurrentIndex(m_kind->findData(text(m_selection.holds)));
}

void TensorsPanel::showLayouts(const OfferedFile& file)
{
    const QSignalBlocker quiet(m_batch);
    const auto tensor = file.file.find(m_selection.query);
    m_layout->clear();
    m_layout->setEnabled(tensor.has_value());
    m_batch->hide();
    m_layoutSaid->hide();
    setState(*m_layoutSaid, "role", "caption");
    if (!tensor)
        return;
    for (const Layout& layout : layouts())
        if (layout.axes.size() == (*tensor)->shape.size())
            m_layout->addItem(text(layout.label), text(layout.id));
    const auto read = layoutOf(file.file, m_selection);
    m_layout->setCurrentIndex(read ? m_layout->findData(text((*read)->id)) : -1);
    TensorSelection open = m_selection;
    open.layout.clear();
    if (const auto guess = readLayout(file.file, open); guess && guess->other) {
        const Layout& other = m_selection.layout == guess->other->id ? *guess->layout : *guess->other;
        m_layoutSaid->setText(
            u"by length alone: %1"_s.arg(u"<a href=\"%1\">%2</a>"_s.arg(text(other.id), u"swap heads and tokens"_s)));
        m_layoutSaid->setToolTip(text(guess->doubts));
        setState(*m_layoutSaid, "role", "ask");
        m_layoutSaid->show();
    }
    const auto sizes = sizesOf(file.file, m_selection);
    if (!sizes || sizes->batches < 2)
        return;
    m_batch->setRange(0, static_cast<int>(std::min<std::int64_t>(sizes->batches, 1'000'000)) - 1);
    m_batch->setValue(static_cast<int>(m_selection.batch));
    m_batch->show();
}

void TensorsPanel::showFacts(const OfferedFile& file)
{
    const Scenario& scenario = m_document.scenario();
    const HeadFacts facts = factsOf(file.file, m_selection.query);
    // what is taken for granted stands out
    const auto say = [](QLabel* label, const std::optional<bool>& fact, bool shown) {
        label->setText(!fact            ? u"the file does not say"_s
                       : *fact == shown ? u"the file says so"_s
                                        : u"the file says otherwise"_s);
        setState(*label, "role", fact == shown ? "caption" : "ask");
    };
    m_causal->setCurrentIndex(m_causal->findData(text(scenario.attention.mask.id)));
    m_causal->setPlaceholderText(text(scenario.attention.mask.id));
    say(m_causalSaid, facts.causal, isCausal(scenario.attention.mask));
    while (m_positions->count() > AsSet)
        m_positions->removeItem(AsSet);
    const int item = itemOf(scenario.attention.position);
    if (item == AsSet)
        addItem(*m_positions, text(formatChoice(scenario.attention.position)), {}, u"As set in the Scenario panel"_s);
    m_positions->setCurrentIndex(item);
    say(m_positionsSaid, facts.rotated, item == Already);
    const bool finished = !m_selection.holds.empty();  // positions are in them
    m_positions->setEnabled(!finished);
    m_positionsSaid->setVisible(!finished);
}

void TensorsPanel::showVerdict(const Result<HeadSizes>& sizes)
{
    setState(*m_verdict, "kind", sizes ? "" : "error");
    if (!sizes)
        return m_verdict->setText(text(sizes.error().message));
    const QString count = sizes->heads == 1 ? u"1 head"_s : u"%1 heads"_s.arg(sizes->heads);
    const QString heads = !m_selection.holds.empty() ? count
                          : sizes->heads == sizes->keyHeads
                              ? u"%1 of size %2"_s.arg(count).arg(sizes->headSize)
                              : u"%1 query heads on %2 key heads of size %3"_s.arg(sizes->heads)
                                    .arg(sizes->keyHeads)
                                    .arg(sizes->headSize);
    m_verdict->setText(u"%1, %2 queries \u00D7 %3 keys"_s.arg(heads, countText(double(sizes->queries)),
                                                              countText(double(sizes->keys))));
}

QString TensorsPanel::verdict() const { return m_verdict->text(); }

void TensorsPanel::takeOffer(int index)
{
    if (!m_file || index < 0 || index >= std::ssize(m_file->offers))
        return;
    m_document.replaceOnce(u"Tensors"_s, scenarioFor(m_document.scenario(), *m_file, static_cast<std::size_t>(index)));
}

/// The first of the file's tensors that are named so; else they are to be chosen.
void TensorsPanel::chooseKind()
{
    const std::string holds = m_kind->currentData().toString().toStdString();
    if (!m_file || holds == m_selection.holds)
        return;
    const auto found = std::find_if(m_file->offers.begin(), m_file->offers.end(),
                                    [&](const TensorOffer& offer) { return offer.candidate.holds == holds; });
    if (found != m_file->offers.end())
        return takeOffer(static_cast<int>(found - m_file->offers.begin()));
    m_selection = {.path = {}, .query = {}, .key = {}, .layout = {}, .holds = holds};
    look(u"What tensors hold"_s);
}

void TensorsPanel::use(std::string& part, const std::string& tensor, const QString& name)
{
    part = tensor;
    m_selection.layout.clear();
    m_selection.batch = 0;
    look(name);
}

/// Makes the selection the document's, if it is one that can be looked at; else says what is missing.
void TensorsPanel::look(const QString& name)
{
    m_selection.path = m_file->file.path();
    const bool complete = !m_selection.query.empty() && (!m_selection.key.empty() || !m_selection.holds.empty());
    auto next = complete ? scenarioFor(m_document.scenario(), *m_file, m_selection)
                         : Result<Scenario>(failure(ErrorKind::InvalidArgument, ""));
    if (next)
        return m_document.replaceOnce(name, std::move(*next));
    m_list->setSelection(m_selection);
    showPair(*m_file);
    showLayouts(*m_file);
    if (complete)
        return showVerdict(tl::unexpected<Error>(next.error()));
    m_verdict->setText(!m_selection.query.empty() ? u"Now choose the keys of these queries."_s
                       : !m_selection.key.empty() ? u"Now choose the queries of these keys."_s
                       : m_selection.holds.empty()
                           ? u"Now choose queries and keys in the list."_s
                           : u"Now choose the tensor in the list that holds the %1."_s.arg(text(m_selection.holds)));
}

void TensorsPanel::chooseCausal()
{
    m_document.editOnce(u"Mask"_s, [this](Scenario& scenario) {
        scenario.attention.mask = {m_causal->currentData().toString().toStdString(), {}, {}};
    });
}

void TensorsPanel::choosePositions()
{
    const int item = m_positions->currentIndex();
    if (!m_file || item == AsSet)
        return;
    Choice position{"none", {}, {}};
    if (item != Already) {
        HeadFacts facts = factsOf(m_file->file, m_selection.query);
        facts.ropeInterleaved = item == Neighbours;
        position = ropeOf(facts);
    }
    m_document.editOnce(u"Positions"_s, [&](Scenario& scenario) { scenario.attention.position = position; });
}

}  // namespace attnscope

#include "moc_tensors_panel.cpp"
