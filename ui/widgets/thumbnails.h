#pragma once
// Small pictures of figures, in the colours of the theme: rendered on a thread of their own, kept in the cache folder.
// And the cards that they stand on.

#include "core/document/recipe.h"
#include "ui/job/latest_job.h"

#include <QImage>
#include <QRect>

#include <functional>
#include <optional>
#include <vector>

class QListView;
class QPainter;
class QStyleOptionViewItem;

namespace attnscope {

struct Theme;

class Thumbnails {
public:
    /// In pixels: no picture is larger.
    static constexpr QSize size{236, 150};

    /// `show` has each as it is there, with its place among the recipes; a null one cannot be rendered, or is of
    /// another theme and to be rendered anew.
    Thumbnails(std::vector<Recipe> recipes, std::function<void(int place, const QImage&)> show);

    const std::vector<Recipe>& recipes() const { return m_recipes; }
    bool areComplete() const { return m_shown == std::ssize(m_recipes); }
    /// For when they are seen: what is missing, or all in the colours of another theme. `ratio`: device pixels a pixel.
    void refresh(double ratio);

private:
    struct Thumbnail {
        int place = -1;  ///< none: memory ended
        QImage image;
    };
    std::vector<Recipe> m_recipes;
    std::function<void(int place, const QImage&)> m_show;
    std::ptrdiff_t m_shown = 0;
    std::optional<bool> m_dark;  ///< what they are in the colours of; empty: there is none yet
    LatestJob<Thumbnail> m_job;
};

/// Where the picture of a figure is kept, for pixels of this ratio: another version of the program has another file.
QString thumbnailFile(const Recipe& recipe, double ratio);

/// In `place`, at most as large as it is; in the place of a null one stands that it is being rendered.
void paintThumbnail(QPainter& painter, const QRect& place, const QImage& image, const Theme& theme,
                    Qt::Alignment alignment = Qt::AlignCenter);

/// The list's items are cards from now on, with pictures and words, in as many columns as its width has room for.
void showCards(QListView& list);
/// As wide as they then can be, and `least` at least.
int cardWidth(const QListView& list, int least);
/// Behind the picture and the words, with what is chosen or under the pointer told from the others.
void paintCard(QPainter& painter, const QRectF& card, const QStyleOptionViewItem& option);

}  // namespace attnscope
