#include "ui/learn/reference_view.h"

#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/widgets/scroll_edges.h"
#include "ui/workbench/document.h"
#include "ui/learn/reference_page.h"

#include <QDesktopServices>
#include <QResizeEvent>
#include <QScrollBar>
#include <QTimer>

namespace attnscope {

namespace {

constexpr int margin = 18, pauseMilliseconds = 200;

}  // namespace

ReferenceView::ReferenceView(Document& document, Analyser& analyser, QWidget* parent)
    : QTextBrowser(parent), m_document(document), m_analyser(analyser), m_pause(new QTimer(this))
{
    setAccessibleName(u"Methods reference"_s);
    setOpenLinks(false);
    QTextBrowser::document()->setDocumentMargin(margin);
    fadeEdges(*this);
    m_pause->setSingleShot(true);
    m_pause->setInterval(pauseMilliseconds);
    connect(m_pause, &QTimer::timeout, this, &ReferenceView::refresh);
    connect(&analyser, &Analyser::arrived, this, &ReferenceView::refreshSoon);
    connect(&document, &Document::changed, this, &ReferenceView::refreshSoon);
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        if (link.isRelative())
            showPart(link.fragment(QUrl::FullyEncoded));
        else
            QDesktopServices::openUrl(link);
    });
}

void ReferenceView::showPart(const QString& anchor)
{
    scrollToAnchor(anchor);
    verticalScrollBar()->setValue(verticalScrollBar()->value() - fontMetrics().height());
}

void ReferenceView::refresh()
{
    m_stale = false;
    const int place = verticalScrollBar()->value();
    setHtml(referencePage(m_analyser.inForce(), m_analyser.current().get()));
    keepMeasure(*QTextBrowser::document(), viewport()->width());
    verticalScrollBar()->setValue(place);
}

void ReferenceView::refreshSoon()
{
    m_stale = true;
    if (isVisible())
        m_pause->start();
}

QVariant ReferenceView::loadResource(int type, const QUrl& address)
{
    if (type != QTextDocument::ImageResource || address.scheme() != "formula"_L1)
        return QTextBrowser::loadResource(type, address);
    return formulaImage(address, viewport()->width() - 2 * margin - 24, devicePixelRatioF());
}

void ReferenceView::showEvent(QShowEvent* event)
{
    QTextBrowser::showEvent(event);
    if (m_stale)
        refresh();
}

void ReferenceView::resizeEvent(QResizeEvent* event)
{
    QTextBrowser::resizeEvent(event);
    if (event->oldSize().width() != event->size().width())
        refreshSoon();
}

/// Formulae are pictures in colours of the theme.
void ReferenceView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        refreshSoon();
    QTextBrowser::changeEvent(event);
}

}  // namespace attnscope

#include "moc_reference_view.cpp"
