#pragma once
// The gallery: a card a figure, with its thumbnail, title and source. The chosen one is shown large beside it. A figure
// opens as a live scenario; one whose content is a published table or a formula does not, and its card says so.

#include "ui/widgets/thumbnails.h"

#include <QWidget>

class QLabel;
class QListWidget;
class QPushButton;

namespace attnscope {

class GalleryBrowser : public QWidget {
    Q_OBJECT
public:
    explicit GalleryBrowser(QWidget* parent = nullptr);

    const std::vector<Recipe>& recipes() const { return m_thumbnails.recipes(); }
    QListWidget* list() const { return m_list; }
    bool isComplete() const { return m_thumbnails.areComplete(); }
    /// The card of the figure that is shown large is the chosen one, in any width and style; none where it has no card.
    void mark(Recipe shown);

signals:
    void openRequested(const Recipe& recipe);  ///< live
    void chosen(const Recipe& recipe);         ///< to be shown large

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    const Recipe* current() const;
    void describe();
    void open();

    QListWidget* m_list;
    QLabel* m_caption;
    QPushButton* m_open;
    Thumbnails m_thumbnails;
};

}  // namespace attnscope
