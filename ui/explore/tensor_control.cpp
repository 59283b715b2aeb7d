#include "ui/explore/tensor_control.h"

#include "core/model/shipped_heads.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/widgets/building.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/model_menus.h"
#include "ui/workbench/analyser.h"
#include "ui/workbench/document.h"
#include "ui/workbench/file_offers.h"

#include <QComboBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QMenu>
#include <QTextDocument>

namespace attnscope {

TensorControl::TensorControl(Document& document, const Analyser& analyser, FileOffers& offers, QWidget* parent)
    : QWidget(parent), m_document(document), m_analyser(analyser), m_offers(offers), m_name(new ElidedLabel),
      m_facts(paragraph("caption")), m_run(new QWidget), m_placeInRun(textLabel({}, "caption")),
      m_earlier(iconButton(u"back"_s, u"The file before"_s,
                           u"The same head in the file before it of its run (Alt+Shift+Page Up)"_s)),
      m_later(iconButton(u"forward"_s, u"The next file"_s,
                         u"The same head in the next file of its run (Alt+Shift+Page Down)"_s)),
      m_layers(new ElidedList), m_heads(new ElidedList)
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 2, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(formSpacing);
    grid->setColumnMinimumWidth(0, captionWidth);
    grid->setColumnStretch(3, 1);
    addFileLine(grid);
    addRunLine(grid);
    const auto addList = [&](int row, QComboBox* list, const QString& caption, const QString& teaches) {
        grid->addWidget(captionFor(list, caption, teaches), row, 0);
        grid->addWidget(list, row, 1, 1, 3);
    };
    addList(4, m_layers, u"Layer"_s,
            u"Queries and keys that belong together, found by their names (Alt+Shift+Up and Down)"_s);
    addList(5, m_heads, u"Head"_s,
            u"Which head of the layer (Alt+Shift+Left and Right); the Heads table shows all at once, and the mean of "
            "several"_s);
    connect(m_layers, &QComboBox::activated, this, &TensorControl::chooseLayer);
    connect(m_heads, &QComboBox::activated, this, &TensorControl::chooseHead);
    connect(&document, &Document::changed, this, &TensorControl::refresh);
    connect(&analyser, &Analyser::lookedElsewhere, this, &TensorControl::refresh);
    connect(&offers, &FileOffers::changed, this, &TensorControl::refresh);
    refresh();
}

void TensorControl::addFileLine(QGridLayout* grid)
{
    m_name->setAccessibleDescription(u"Name of the file"_s);
    m_name->setElideMode(Qt::ElideMiddle);
    m_name->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setDemiBold(*m_name);
    m_facts->setAccessibleDescription(u"What the file holds"_s);
    m_facts->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    QToolButton* open = toolButton(
        u"Open\u2026"_s,
        u"Open a .safetensors, .npy or .npz file with queries and keys; a file can also be dropped on the window"_s,
        u"Open tensors"_s);
    QToolButton* list = toolButton(u"Tensors\u2026"_s,
                                   u"All tensors of the file: pair any two, say which axis is what, whether "
                                   "attention is causal, and whether positions are in q and k already"_s,
                                   u"Tensors of the file"_s);
    m_example =
        toolButton(u"Examples"_s, u"Queries and keys of models that the program trained itself, on its stories"_s,
                   u"Heads of the small models that come along"_s);
    for (QToolButton* button : {open, list, m_example})
        button->setProperty("framed", true);
    auto* examples = new QMenu(m_example);
    fillShippedModels(*examples, [this](const QString& id) { emit exampleRequested(id); });
    m_example->setMenu(examples);
    m_example->setPopupMode(QToolButton::InstantPopup);
    connect(open, &QToolButton::clicked, this, &TensorControl::openRequested);
    connect(list, &QToolButton::clicked, this, &TensorControl::tensorsRequested);
    grid->addLayout(inRow({open, list, m_example, stretch()}, 4), 0, 0, 1, 4);
    grid->addWidget(m_name, 1, 0, 1, 4);
    grid->addWidget(m_facts, 2, 0, 1, 4);
}

/// Through the files of a training run.
void TensorControl::addRunLine(QGridLayout* grid)
{
    inRow(m_run, {m_placeInRun, stretch(), m_earlier, m_later}, 4);
    m_placeInRun->setToolTip(
        u"Files, or their folders, whose names differ in one number. <i>All heads, Over time</i> has "
        "every head at each of them"_s);
    for (const auto& [button, by] : {std::pair(m_earlier, -1), {m_later, 1}})
        connect(button, &QToolButton::clicked, this, [this, by = by] {
            if (const OfferedFilePtr& file = m_offers.current())
                m_document.replaceOnce(u"File of a run"_s, inRun(m_document.scenario(), *file, by));
        });
    grid->addWidget(m_run, 3, 0, 1, 4);
}

/// It stays while another file of the run is being read: the pointer is on its buttons.
void TensorControl::showRun(const OfferedFile* file)
{
    const int place = file ? placeInRun(*file) : -1;
    m_run->setVisible(place >= 0);
    if (place < 0)
        return;
    m_placeInRun->setText(u"File %1 of %2 of its run"_s.arg(place + 1).arg(file->run.size()));
    m_earlier->setEnabled(place > 0);
    m_later->setEnabled(place + 1 < std::ssize(file->run));
}

/// While a pin is shown in place of the scenario: that of the pin.
void TensorControl::refresh()
{
    const Scenario& scenario = m_analyser.lookedAt();
    if (!scenario.ofFile())
        return;
    const QString path = QString::fromStdString(scenario.tensors.path);
    const bool shipped = namesShippedHeads(scenario.tensors.path);
    m_name->setText(path.isEmpty() ? u"No file yet"_s
                    : shipped      ? u"%1, which comes with the program"_s.arg(path)
                                   : QFileInfo(path).fileName());
    m_name->setToolTip(shipped ? u"A model that the program trained itself, run on the first stories of its test "
                                 "text; its heads as <i>attnscope model --save-qk</i> writes them"_s
                               : Qt::convertFromPlainText(path));
    m_example->setVisible(path.isEmpty());
    const bool open = scenario.tensors.path == m_document.scenario().tensors.path;
    const OfferedFilePtr file = open ? m_offers.current() : nullptr;
    for (QComboBox* list : {m_layers, m_heads})
        list->setEnabled(file != nullptr);
    if (file || path.isEmpty() || !m_offers.fault().isEmpty())
        showRun(file.get());
    const auto sizes = file ? sizesOf(file->file, scenario.tensors) : Result<HeadSizes>(HeadSizes{});
    if (!file || !sizes) {
        m_facts->setText(path.isEmpty() ? u"Open a file with queries and keys, or drop one here"_s
                         : file         ? QString::fromStdString(sizes.error().message)
                                        : m_offers.fault());
        return;
    }
    showLayers();
    showHeads(sizes->heads);
    const QString model = QString::fromStdString(factsOf(file->file, scenario.tensors.query).model);
    QString facts = sizes->queries == sizes->keys ? u"%1 tokens"_s.arg(countText(double(sizes->keys)))
                                                  : u"%1 queries, %2 keys"_s.arg(countText(double(sizes->queries)),
                                                                                 countText(double(sizes->keys)));
    if (sizes->headSize > 0)
        facts += u", d = %1"_s.arg(sizes->headSize);
    if (sizes->keyHeads != sizes->heads)
        facts += u", %1 query heads share %2 key heads"_s.arg(sizes->heads).arg(sizes->keyHeads);
    if (const auto step = file->file.metadata().find("step"); step != file->file.metadata().end())
        facts += u", step %1"_s.arg(QString::fromStdString(step->second).left(20));
    m_facts->setText(model.isEmpty() ? facts : facts + u". "_s + model);
    const QString when = m_offers.readAgainAt().isNull()
                             ? QString()
                             : u"Read again at %1"_s.arg(m_offers.readAgainAt().toString(u"HH:mm:ss"_s));
    m_facts->setToolTip(when);
    if (!m_offers.fault().isEmpty()) {  // in the place of what it holds: nothing below moves
        m_facts->setText(u"Cannot be read now; as it was before"_s);
        m_facts->setToolTip(Qt::convertFromPlainText(m_offers.fault(), Qt::WhiteSpaceNormal));
    }
    if (m_tokenCount != sizes->keys) {
        m_tokenCount = sizes->keys;
        emit sizesChanged();
    }
}

/// The pairs found by name, and the one chosen by hand if it is none of them.
void TensorControl::showLayers()
{
    const OfferedFile& file = *m_offers.current();
    const TensorSelection& selection = m_analyser.lookedAt().tensors;
    const int offer = offerOf(file, selection);
    QStringList labels;
    for (const TensorOffer& one : file.offers)
        labels << labelInWords(one.candidate.label);
    if (offer < 0)
        labels << QString::fromStdString(selection.key.empty() ? selection.query
                                                               : selection.query + ", " + selection.key);
    refill(*m_layers, labels);
    m_layers->setCurrentIndex(offer < 0 ? static_cast<int>(labels.size()) - 1 : offer);
}

void TensorControl::showHeads(std::int64_t count)
{
    const TensorSelection& selection = m_analyser.lookedAt().tensors;
    const bool several = selection.mean.size() > 1;
    QStringList heads;
    for (std::int64_t head = 0; head < count; ++head)
        heads << (count == 1 ? u"The only head"_s : u"Head %1 of 0\u2013%2"_s.arg(head).arg(count - 1));
    if (several) {
        heads << QString::fromStdString(describeHeads(selection));
        heads.back()[0] = heads.back()[0].toUpper();
    }
    refill(*m_heads, heads);
    m_heads->setCurrentIndex(several ? static_cast<int>(count) : selection.head);
}

void TensorControl::chooseLayer(int index)
{
    const OfferedFilePtr& file = m_offers.current();
    if (!file || index >= std::ssize(file->offers))
        return;
    m_document.replaceOnce(u"Layer"_s, scenarioFor(m_document.scenario(), *file, static_cast<std::size_t>(index)));
}

void TensorControl::chooseHead(int index)
{
    if (m_document.scenario().tensors.mean.size() > 1 && index == m_heads->count() - 1)
        return;  // the mean itself
    m_document.editOnce(u"Head"_s, [index](Scenario& scenario) {
        scenario.tensors.head = index;
        scenario.tensors.mean.clear();
    });
}

}  // namespace attnscope

#include "moc_tensor_control.cpp"
