#include "ui/window/controls/tensor_control.h"

#include "core/model/shipped_heads.h"
#include "ui/window/controls/building.h"
#include "ui/window/controls/elided.h"
#include "ui/window/controls/shipped_menu.h"
#include "ui/window/document.h"
#include "ui/window/file_offers.h"

#include <QComboBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QMenu>
#include <QTextDocument>

namespace attnscope {

TensorControl::TensorControl(Document& document, FileOffers& offers, QWidget* parent)
    : QWidget(parent), m_document(document), m_offers(offers), m_name(new ElidedLabel), m_facts(paragraph("caption")),
      m_layers(new ElidedList), m_heads(new ElidedList)
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 2, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(6);
    grid->setColumnMinimumWidth(0, captionWidth);
    grid->setColumnStretch(3, 1);
    addFileLine(grid);
    const auto addList = [&](int row, QComboBox* list, const QString& caption, const QString& teaches) {
        grid->addWidget(captionFor(list, caption, teaches), row, 0);
        grid->addWidget(list, row, 1, 1, 3);
    };
    addList(3, m_layers, tr("Layer"),
            tr("Queries and keys that belong together, found by their names (Alt+Shift+Up and Down)"));
    addList(4, m_heads, tr("Head"),
            tr("Which head of the layer (Alt+Shift+Left and Right); the Heads table shows all at once, and the mean of "
               "several"));
    connect(m_layers, &QComboBox::activated, this, &TensorControl::chooseLayer);
    connect(m_heads, &QComboBox::activated, this, &TensorControl::chooseHead);
    connect(&document, &Document::changed, this, &TensorControl::refresh);
    connect(&offers, &FileOffers::changed, this, &TensorControl::refresh);
    refresh();
}

void TensorControl::addFileLine(QGridLayout* grid)
{
    m_name->setAccessibleDescription(tr("Name of the file"));
    m_name->setElideMode(Qt::ElideMiddle);
    m_name->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setDemiBold(*m_name);
    m_facts->setAccessibleDescription(tr("What the file holds"));
    m_facts->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    QToolButton* open = toolButton(
        tr("Open\u2026"),
        tr("Open a .safetensors, .npy or .npz file with queries and keys; a file can also be dropped on the window"),
        tr("Open tensors"));
    QToolButton* list = toolButton(tr("Tensors\u2026"),
                                   tr("All tensors of the file: pair any two, say which axis is what, whether "
                                      "attention is causal, and whether positions are in q and k already"),
                                   tr("Tensors of the file"));
    m_example =
        toolButton(tr("Examples"), tr("Queries and keys of models that the program trained itself, on its stories"),
                   tr("Heads of the small models that come along"));
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

void TensorControl::refresh()
{
    const Scenario& scenario = m_document.scenario();
    if (!scenario.ofFile())
        return;
    const QString path = QString::fromStdString(scenario.tensors.path);
    const bool shipped = namesShippedHeads(scenario.tensors.path);
    m_name->setText(path.isEmpty() ? tr("No file yet")
                    : shipped      ? tr("%1, which comes with the program").arg(path)
                                   : QFileInfo(path).fileName());
    m_name->setToolTip(shipped ? tr("A model that the program trained itself, run on the first stories of its test "
                                    "text; its heads as <i>attnscope model --save-qk</i> writes them")
                               : Qt::convertFromPlainText(path));
    m_example->setVisible(path.isEmpty());
    const OfferedFilePtr& file = m_offers.current();
    for (QComboBox* list : {m_layers, m_heads})
        list->setEnabled(file != nullptr);
    const auto sizes = file ? sizesOf(file->file, scenario.tensors) : Result<HeadSizes>(HeadSizes{});
    if (!file || !sizes) {
        m_facts->setText(path.isEmpty() ? tr("Open a file with queries and keys, or drop one here")
                         : file         ? QString::fromStdString(sizes.error().message)
                                        : m_offers.fault());
        return;
    }
    showLayers();
    showHeads(sizes->heads);
    const QString model = QString::fromStdString(factsOf(file->file, scenario.tensors.query).model);
    QString facts = sizes->queries == sizes->keys ? tr("%1 tokens").arg(sizes->keys)
                                                  : tr("%1 queries, %2 keys").arg(sizes->queries).arg(sizes->keys);
    if (sizes->headSize > 0)
        facts += tr(", d = %1").arg(sizes->headSize);
    if (sizes->keyHeads != sizes->heads)
        facts += tr(", %1 query heads share %2 key heads").arg(sizes->heads).arg(sizes->keyHeads);
    m_facts->setText(model.isEmpty() ? facts : facts + QStringLiteral(". ") + model);
    if (m_tokenCount != sizes->keys) {
        m_tokenCount = sizes->keys;
        emit sizesChanged();
    }
}

/// The pairs found by name, and the one chosen by hand if it is none of them.
void TensorControl::showLayers()
{
    const OfferedFile& file = *m_offers.current();
    const TensorSelection& selection = m_document.scenario().tensors;
    const int offer = offerOf(file, selection);
    QStringList labels;
    for (const TensorOffer& one : file.offers)
        labels << QString::fromStdString(one.candidate.label);
    if (offer < 0)
        labels << QString::fromStdString(selection.key.empty() ? selection.query
                                                               : selection.query + ", " + selection.key);
    refill(*m_layers, labels);
    m_layers->setCurrentIndex(offer < 0 ? static_cast<int>(labels.size()) - 1 : offer);
}

void TensorControl::showHeads(std::int64_t count)
{
    const TensorSelection& selection = m_document.scenario().tensors;
    const bool several = selection.mean.size() > 1;
    QStringList heads;
    for (std::int64_t head = 0; head < count; ++head)
        heads << tr("Head %1 of %2").arg(head).arg(count);
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
    m_document.replaceOnce(tr("Layer"), scenarioFor(m_document.scenario(), *file, static_cast<std::size_t>(index)));
}

void TensorControl::chooseHead(int index)
{
    if (m_document.scenario().tensors.mean.size() > 1 && index == m_heads->count() - 1)
        return;  // the mean itself
    m_document.editOnce(tr("Head"), [index](Scenario& scenario) {
        scenario.tensors.head = index;
        scenario.tensors.mean.clear();
    });
}

}  // namespace attnscope

#include "moc_tensor_control.cpp"
