#include "ui/window/views/export_panel.h"

#include "ui/figure/figure.h"
#include "ui/figure/figure_kind.h"
#include "ui/plot/plot_style.h"
#include "ui/window/controls/choice_control.h"
#include "ui/window/controls/message_bar.h"
#include "ui/window/document.h"

#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTemporaryDir>
#include <QVBoxLayout>

namespace attnscope {

namespace {

constexpr double widthsMm[] = {89, 120, 183};
constexpr int previewDpi = 192;

QComboBox* listOf(const QString& name, const QString& teaches)
{
    auto* list = new QComboBox;
    list->setAccessibleName(name);
    list->setToolTip(teaches);
    return list;
}

}  // namespace

ExportPanel::ExportPanel(Document& document, MessageBar& messages, QWidget* parent)
    : QWidget(parent), m_document(document), m_messages(messages), m_kind(listOf(tr("Kind of figure"), tr("What the figure shows of this scenario"))),
      m_width(listOf(tr("Width"), tr("Width on paper: one column, one and a half, two"))),
      m_style(listOf(tr("Style"), tr("Sizes of text and lines, and the background"))), m_page(new QLabel), m_size(new QLabel),
      m_save(new QPushButton(tr("Save\u2026"))), m_job([this](const Rendered& rendered) { show(rendered); })
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 4, 14, 12);
    auto* line = new QHBoxLayout;
    for (const FigureKind& kind : figureKinds()) {
        m_kind->addItem(QString::fromStdString(kind.label), QString::fromStdString(kind.id));
        m_kind->setItemData(m_kind->count() - 1, teach(kind), Qt::ToolTipRole);
    }
    for (const double width : widthsMm)
        m_width->addItem(tr("%1 mm").arg(width), width);
    m_width->setCurrentIndex(1);
    for (const PrintStyle& style : printStyles())
        m_style->addItem(QString::fromStdString(style.id), QString::fromStdString(style.id));
    for (QComboBox* list : {m_kind, m_width, m_style}) {
        line->addWidget(list);
        connect(list, &QComboBox::currentIndexChanged, this, &ExportPanel::preview);
    }
    line->addStretch(1);
    line->addWidget(m_size);
    line->addWidget(m_save);
    m_size->setProperty("role", "caption");
    m_save->setProperty("primary", true);
    m_save->setAccessibleName(tr("Save the figure"));
    m_save->setToolTip(tr("Save as PDF, SVG or PNG; the file carries its own recipe"));
    connect(m_save, &QPushButton::clicked, this, &ExportPanel::save);
    layout->addLayout(line);
    auto* area = new QScrollArea;
    area->setWidget(m_page);
    area->setWidgetResizable(true);
    area->setAlignment(Qt::AlignCenter);
    m_page->setAlignment(Qt::AlignCenter);
    m_page->setAccessibleName(tr("Preview of the figure"));
    layout->addWidget(area, 1);
    connect(&document, &Document::changed, this, [this] {
        if (isVisible())
            preview();
    });
}

Recipe ExportPanel::recipe() const
{
    Recipe recipe;
    recipe.name = "figure";
    recipe.kind = m_kind->currentData().toString().toStdString();
    recipe.widthMm = m_width->currentData().toDouble();
    recipe.style = m_style->currentData().toString().toStdString();
    recipe.scenario = m_document.scenario();
    return recipe;
}

void ExportPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    preview();
}

void ExportPanel::preview()
{
    m_size->setText(tr("rendering\u2026"));
    Recipe recipe = this->recipe();
    recipe.dpi = previewDpi;
    m_job.start([recipe](std::stop_token stop, const auto& publish) {
        const QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("preview.png")).toStdString();
        const auto done = renderFigure(recipe, path, {}, stop);
        if (done)
            publish({QImage(QString::fromStdString(path)), {}, {}});
        else if (done.error().kind != ErrorKind::Cancelled)
            publish({{}, done.error().message, {}});
    });
}

void ExportPanel::save()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Save the figure"), QStringLiteral("figure.pdf"), tr("PDF (*.pdf);;SVG (*.svg);;PNG (*.png)"));
    if (path.isEmpty())
        return;
    m_job.start([recipe = recipe(), to = path.toStdString()](std::stop_token stop, const auto& publish) {
        const auto done = renderFigure(recipe, to, {}, stop);
        if (done)
            publish({{}, {}, to});
        else
            publish({{}, done.error().message, {}});
    });
}

void ExportPanel::show(const Rendered& rendered)
{
    if (!rendered.error.empty()) {
        m_size->setText({});
        m_page->setText(QString::fromStdString(rendered.error));
    } else if (!rendered.savedAs.empty()) {
        m_messages.say(MessageBar::Kind::Note, tr("Saved %1. `attnscope figure` can make it again from the file itself.").arg(QString::fromStdString(rendered.savedAs)));
    } else {
        m_image = rendered.image;
        const double ratio = previewDpi / 96.0;
        m_size->setText(tr("%1 \u00D7 %2 mm").arg(m_width->currentData().toDouble()).arg(m_image.height() / double(previewDpi) * 25.4, 0, 'f', 0));
        QPixmap page = QPixmap::fromImage(m_image);
        page.setDevicePixelRatio(ratio);
        m_page->setPixmap(page);
    }
}

}  // namespace attnscope
