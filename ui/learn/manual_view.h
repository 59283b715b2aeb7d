#pragma once
// The manual: the pages of resources/manual/, the same Markdown that is read beside the source. Links lead from page to
// page, and every snippet can be copied whole.

#include <QStringList>
#include <QWidget>

#include <utility>
#include <vector>

class QTextBrowser;
class QToolButton;

namespace attnscope {

struct Theme;

class ManualView : public QWidget {
    Q_OBJECT
public:
    explicit ManualView(QWidget* parent = nullptr);

    /// "index", "tensors_numpy": a file of resources/manual/ without its ending. Unknown pages change nothing.
    void openPage(const QString& page);
    /// The page from the heading of this title on, as manualParts() has it.
    void openPart(const QString& page, const QString& title);
    const QString& page() const { return m_page; }
    QTextBrowser* text() const { return m_text; }
    /// The fenced snippets of the page, in order.
    const QStringList& snippets() const { return m_snippets; }
    void back();
    QSize sizeHint() const override { return {680, 640}; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void showPage(const QString& page);
    void follow(const QUrl& link);

    QTextBrowser* m_text;
    QToolButton *m_contents, *m_back;
    QString m_page;
    const Theme* m_theme = nullptr;  ///< in whose colours it is
    QStringList m_snippets, m_history;
};

/// Every page and its title, as the manual has them.
std::vector<std::pair<QString, QString>> manualPages();

/// A part of a page under a heading of its own, with its text; the page's beginning has the page's title.
struct ManualPart {
    QString page, title, text;
};
std::vector<ManualPart> manualParts();

/// Of a Markdown text: its fenced blocks go into `snippets`, and each gets a link "copy:NUMBER" below it.
QString withCopyLinks(const QString& markdown, QStringList& snippets);

}  // namespace attnscope
