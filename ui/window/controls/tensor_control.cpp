#include "ui/window/controls/tensor_control.h"

#include "ui/window/controls/elided.h"
#include "ui/window/controls/number_control.h"
#include "ui/window/document.h"
#include "ui/window/icons.h"
#include "ui/window/open_tensors.h"

#include <QComboBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>

namespace attnscope {

TensorControl::TensorControl(Document& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_name(new QLabel), m_facts(new QLabel), m_pairs(new ElidedList), m_heads(new ElidedList)
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 2, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(6);
    grid->setColumnMinimumWidth(0, captionWidth);
    grid->setColumnStretch(1, 1);
    m_name->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_name->setAccessibleName(tr("Name of the file"));
    m_facts->setProperty("role", "caption");
    m_facts->setWordWrap(true);
    m_name->setWordWrap(true);
    m_name->setMinimumWidth(60);
    m_name->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_facts->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* fileCaption = new QLabel(tr("File"));
    fileCaption->setProperty("role", "caption");
    auto* open = new QToolButton;
    open->setIcon(icon(QStringLiteral("open")));
    open->setToolTip(tr("Open a .safetensors, .npy or .npz file with queries and keys; a file can also be dropped on the window"));
    open->setAccessibleName(tr("Open tensors"));
    connect(open, &QToolButton::clicked, this, &TensorControl::openRequested);
    grid->addWidget(fileCaption, 0, 0);
    grid->addWidget(m_name, 0, 1);
    grid->addWidget(m_facts, 1, 0, 1, 3);
    grid->addWidget(open, 0, 2);

    const auto addList = [&](int row, QComboBox* list, const QString& caption, const QString& teaches) {
        auto* label = new QLabel(caption);
        label->setProperty("role", "caption");
        label->setBuddy(list);
        list->setAccessibleName(caption);
        list->setToolTip(teaches);
        grid->addWidget(label, row, 0);
        grid->addWidget(list, row, 1, 1, 2);
    };
    addList(2, m_pairs, tr("Layer"), tr("Queries and keys that belong together, found by their names"));
    addList(3, m_heads, tr("Head"), tr("Which head of the layer; the Heads table shows all of them at once"));
    connect(m_pairs, &QComboBox::activated, this, &TensorControl::choosePair);
    connect(m_heads, &QComboBox::activated, this, [this](int index) {
        m_document.edit(tr("Head"), [index](Scenario& scenario) { scenario.tensors.head = index; });
        m_document.endGesture();
    });
    connect(&document, &Document::changed, this, &TensorControl::refresh);
    refresh();
}

TensorControl::~TensorControl() = default;

void TensorControl::refresh()
{
    const Scenario& scenario = m_document.scenario();
    if (scenario.source.id != "tensors")
        return;
    if (scenario.tensors.path != m_path || !m_file)
        readFile(scenario.tensors.path);
    if (!m_file)
        return;
    int pair = 0;
    for (int i = 0; i < m_pairs->count(); ++i)
        if (m_file->offers[static_cast<size_t>(i)].candidate.query == scenario.tensors.query)
            pair = i;
    m_pairs->setCurrentIndex(pair);
    const TensorOffer& offer = m_file->offers[static_cast<size_t>(pair)];
    m_tokenCount = offer.tokens;
    if (m_heads->count() != offer.heads) {
        m_heads->clear();
        for (std::int64_t head = 0; head < offer.heads; ++head)
            m_heads->addItem(tr("Head %1 of %2").arg(head).arg(offer.heads));
    }
    m_heads->setCurrentIndex(scenario.tensors.head);
    m_facts->setText(tr("%1 tokens, d = %2%3").arg(offer.tokens).arg(offer.headSize).arg(
        m_file->facts.model.empty() ? QString() : QStringLiteral(". ") + QString::fromStdString(m_file->facts.model)));
}

void TensorControl::readFile(const std::string& path)
{
    m_path = path;
    m_file.reset();
    m_pairs->clear();
    m_heads->clear();
    m_tokenCount = 0;
    QString name = QFileInfo(QString::fromStdString(path)).fileName();
    for (const char* mark : {"_", ".", "-"})  // where a long name may break
        name.replace(QLatin1String(mark), QLatin1String(mark) + QChar(0x200B));
    m_name->setText(path.empty() ? tr("No file yet") : name);
    m_name->setToolTip(QString::fromStdString(path));
    auto file = path.empty() ? Result<OfferedFile>(failure(ErrorKind::NotFound, "")) : offersOf(path);
    for (QComboBox* list : {m_pairs, m_heads})
        list->setEnabled(file.has_value());
    if (!file)
        return m_facts->setText(path.empty() ? tr("Open a file with queries and keys, or drop one here") : QString::fromStdString(file.error().message));
    m_file = std::make_unique<OfferedFile>(std::move(*file));
    for (const TensorOffer& offer : m_file->offers)
        m_pairs->addItem(QString::fromStdString(offer.candidate.label));
}

void TensorControl::choosePair(int index)
{
    m_document.replace(tr("Layer"), scenarioFor(m_document.scenario(), m_path, *m_file, static_cast<size_t>(index)));
    m_document.endGesture();
}

}  // namespace attnscope
