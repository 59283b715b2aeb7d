#include "ui/learn/manual_view.h"

#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/widgets/scroll_edges.h"
#include "ui/widgets/theme.h"

#include <QAbstractTextDocumentLayout>
#include <QClipboard>
#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QPointer>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTextFrame>
#include <QTextTable>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

const QString startPage = u"index"_s;

QString fileOf(const QString& page) { return u":/manual/%1.md"_s.arg(page); }

/// Where a column holds sentences, room in proportion to the longest of each; none, as Qt has it, for tables of
/// numbers.
QList<QTextLength> columnWidths(const QTextTable& table)
{
    constexpr qsizetype sentence = 40, least = 12, most = 120;  // letters
    std::vector<qsizetype> longest(static_cast<std::size_t>(table.columns()), least);
    for (int row = 0; row < table.rows(); ++row)
        for (int column = 0; column < table.columns(); ++column) {
            const QTextTableCell cell = table.cellAt(row, column);
            qsizetype& letters = longest[static_cast<std::size_t>(column)];
            letters = std::max(letters, std::min<qsizetype>(most, cell.lastPosition() - cell.firstPosition()));
        }
    QList<QTextLength> widths;
    if (std::ranges::max(longest) < sentence)
        return widths;
    double all = 0;
    for (const qsizetype letters : longest)
        all += std::sqrt(static_cast<double>(letters));
    for (const qsizetype letters : longest)
        widths << QTextLength(QTextLength::PercentageLength, 100 * std::sqrt(static_cast<double>(letters)) / all);
    return widths;
}

/// Hairlines between the rows, none between the columns, and air around the words.
void ruleTables(const QTextDocument& document)
{
    const Theme& theme = currentTheme();
    for (QTextFrame* frame : document.rootFrame()->childFrames()) {
        auto* table = qobject_cast<QTextTable*>(frame);
        if (!table)
            continue;
        QTextTableFormat format = table->format();
        format.setBorder(0);
        format.setCellSpacing(0);
        format.setBorderCollapse(true);
        format.setCellPadding(withText(6));
        format.setColumnWidthConstraints(columnWidths(*table));
        format.setTopMargin(withText(4));
        format.setBottomMargin(withText(10));
        table->setFormat(format);
        for (int row = 0; row < table->rows(); ++row)
            for (int column = 0; column < table->columns(); ++column) {
                QTextTableCell cell = table->cellAt(row, column);
                QTextTableCellFormat one = cell.format().toTableCellFormat();
                one.setVerticalAlignment(QTextCharFormat::AlignTop);
                one.setBottomBorderStyle(QTextFrameFormat::BorderStyle_Solid);
                one.setBottomBorder(1);
                one.setBottomBorderBrush(row == 0 ? theme.outline : theme.border);
                one.setLeftPadding(column == 0 ? 0 : withText(10));
                one.setRightPadding(withText(6));
                cell.setFormat(one);
            }
    }
}

/// Code on a ground of its own; room between paragraphs.
void markCode(const QTextDocument& document)
{
    QColor ground = currentTheme().border;
    ground.setAlphaF(0.35F);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        QTextBlockFormat format = block.blockFormat();
        const bool code = format.nonBreakableLines() || format.hasProperty(QTextFormat::BlockCodeFence);
        if (code) {
            format.setBackground(ground);
            format.setLeftMargin(12);
        } else {
            format.setBottomMargin(8);
            format.setLineHeight(116, QTextBlockFormat::ProportionalHeight);
        }
        QTextCursor(block).setBlockFormat(format);
    }
}

/// As the methods reference has them: their colour alone is not enough for everybody.
void underlineLinks(QTextDocument& document)
{
    QTextCharFormat underlined;
    underlined.setFontUnderline(true);
    QTextCursor cursor(&document);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        for (auto part = block.begin(); !part.atEnd(); ++part)
            if (const QTextFragment link = part.fragment(); link.charFormat().isAnchor()) {
                cursor.setPosition(link.position());
                cursor.setPosition(link.position() + link.length(), QTextCursor::KeepAnchor);
                cursor.mergeCharFormat(underlined);
            }
}

}  // namespace

std::vector<std::pair<QString, QString>> manualPages()
{
    std::vector<std::pair<QString, QString>> pages;
    for (const QFileInfo& info : QDir(u":/manual"_s).entryInfoList({u"*.md"_s}, QDir::Files, QDir::Name)) {
        QFile file(info.filePath());
        if (file.open(QIODevice::ReadOnly))
            pages.emplace_back(info.completeBaseName(),
                               QString::fromUtf8(file.readLine()).remove(QLatin1Char('#')).trimmed());
    }
    return pages;
}

std::vector<ManualPart> manualParts()
{
    std::vector<ManualPart> parts;
    for (const auto& [page, title] : manualPages()) {
        parts.push_back({page, title, {}});
        QFile file(fileOf(page));
        bool fenced = false;
        for (const QString& line : file.open(QIODevice::ReadOnly)
                                       ? QString::fromUtf8(file.readAll()).split(QLatin1Char('\n')).mid(1)
                                       : QStringList()) {
            fenced ^= line.startsWith("```"_L1);
            if (!fenced && line.startsWith("## "_L1))
                parts.push_back({page, line.mid(3).trimmed().remove(QLatin1Char('`')), {}});
            else
                parts.back().text += line + QLatin1Char(' ');
        }
    }
    return parts;
}

QString withCopyLinks(const QString& markdown, QStringList& snippets)
{
    QStringList out;
    QString snippet;
    bool inside = false;
    for (const QString& line : markdown.split(QLatin1Char('\n'))) {
        out << line;
        if (!line.startsWith(u"```"_s)) {
            if (inside)
                snippet += line + QLatin1Char('\n');
            continue;
        }
        if (inside) {
            out << QString() << u"[%1](copy:%2)"_s.arg(u"Copy this snippet"_s).arg(snippets.size()) << QString();
            snippets << snippet;
            snippet.clear();
        }
        inside = !inside;
    }
    return out.join(QLatin1Char('\n'));
}

ManualView::ManualView(QWidget* parent)
    : QWidget(parent), m_text(new QTextBrowser),
      m_contents(iconAndText(u"learn"_s, u"Contents"_s, u"The first page of the manual"_s)),
      m_back(iconAndText(u"back"_s, u"Back"_s, u"The page before"_s))
{
    inColumn(this, {inRow({m_back, m_contents, stretch()}), {m_text, 1}}, usualSpacing, {8, 0, 8, 8});
    m_text->setAccessibleName(u"Manual"_s);
    m_text->setOpenLinks(false);
    fadeEdges(*m_text);
    connect(m_back, &QToolButton::clicked, this, &ManualView::back);
    connect(m_contents, &QToolButton::clicked, this, [this] { openPage(startPage); });
    connect(m_text, &QTextBrowser::anchorClicked, this, &ManualView::follow);
    showPage(startPage);
}

void ManualView::openPage(const QString& page)
{
    if (page == m_page || !QFile::exists(fileOf(page)))
        return;
    m_history << m_page;
    showPage(page);
}

void ManualView::openPart(const QString& page, const QString& title)
{
    openPage(page);
    for (QTextBlock block = m_text->document()->begin(); block.isValid(); block = block.next())
        if (block.blockFormat().headingLevel() > 0 && block.text() == title) {
            m_text->setTextCursor(QTextCursor(block));
            const double top = m_text->document()->documentLayout()->blockBoundingRect(block).top();
            m_text->verticalScrollBar()->setValue(static_cast<int>(top));
            return;
        }
}

void ManualView::back()
{
    if (!m_history.isEmpty())
        showPage(m_history.takeLast());
}

void ManualView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    keepMeasure(*m_text->document(), m_text->viewport()->width());
}

/// The page anew: links, code and tables are in colours of the theme.
void ManualView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange && m_theme != &currentTheme()) {
        QScrollBar* bar = m_text->verticalScrollBar();
        const int read = bar->value();
        showPage(m_page);
        m_text->document()->documentLayout()->documentSize();  // laid out, so that there is as far to scroll
        bar->setValue(read);
    }
    QWidget::changeEvent(event);
}

void ManualView::showPage(const QString& page)
{
    QFile file(fileOf(page));
    if (!file.open(QIODevice::ReadOnly))
        return;
    m_page = page;
    m_theme = &currentTheme();
    m_snippets.clear();
    // Made before it is shown: a document on the screen would be laid out anew after every word.
    auto* document = new QTextDocument(m_text);
    document->setDefaultFont(m_text->font());
    document->setDocumentMargin(10);  // where the methods reference begins
    document->setMarkdown(withCopyLinks(QString::fromUtf8(file.readAll()), m_snippets));
    markCode(*document);
    underlineLinks(*document);
    keepMeasure(*document, m_text->viewport()->width());
    ruleTables(*document);
    const QPointer<QTextDocument> before = m_text->document();
    m_text->setDocument(document);
    delete before.data();  // the browser's own first one is gone already
    m_text->moveCursor(QTextCursor::Start);
    m_back->setEnabled(!m_history.isEmpty());
    m_contents->setEnabled(page != startPage);
}

void ManualView::follow(const QUrl& link)
{
    if (link.scheme() == "copy"_L1) {
        const qsizetype number = link.path().toLongLong();
        if (number < 0 || number >= m_snippets.size())
            return;
        QGuiApplication::clipboard()->setText(m_snippets[number]);
    } else if (link.isRelative() && link.path().endsWith(u".md"_s)) {
        openPage(link.path().section(QLatin1Char('/'), -1).chopped(3));
    } else if (link.scheme().startsWith(u"http"_s)) {
        QDesktopServices::openUrl(link);
    }
}

}  // namespace attnscope

#include "moc_manual_view.cpp"
