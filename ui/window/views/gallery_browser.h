#pragma once
// The gallery: a card a figure, with its thumbnail, title and source. The chosen one is shown large beside it. A figure
// opens as a live scenario; one whose content is a published table or a formula does not, and its card says so.
// Thumbnails are rendered on a thread of their own and kept in the cache folder.

#include "core/document/recipe.h"
#include "ui/job/latest_job.h"

#include <QImage>
#include <QWidget>

#include <vector>

class QLabel;
class QListWidget;
class QPushButton;

namespace attnscope {

/// Where the picture of a figure is kept, for pixels of this ratio: another version of the program has another file.
QString thumbnailFile(const Recipe& recipe, double ratio);

class GalleryBrowser : public QWidget {
    Q_OBJECT
public:
    explicit GalleryBrowser(QWidget* parent = nullptr);

    const std::vector<Recipe>& recipes() const { return m_recipes; }
    QListWidget* list() const { return m_list; }
    bool isComplete() const { return m_thumbnails == static_cast<int>(m_recipes.size()); }
    /// The card of the figure that is shown large is the chosen one, in any width and style; none where it has no card.
    void mark(Recipe shown);
    /// Thumbnails in the colours of the theme.
    void refresh();

signals:
    void openRequested(const Recipe& recipe);  ///< live
    void chosen(const Recipe& recipe);         ///< to be shown large

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Thumbnail {
        int place = -1;
        QImage image;
    };
    const Recipe* current() const;
    void describe();
    void open();

    std::vector<Recipe> m_recipes;
    QListWidget* m_list;
    QLabel* m_caption;
    QPushButton* m_open;
    int m_thumbnails = 0;
    bool m_dark = false;
    LatestJob<Thumbnail> m_job;
};

}  // namespace attnscope
