#pragma once
// Export of a figure: what a workspace shows, all of it or one view, or a figure of the gallery; how wide in mm, in
// which style; with a preview, whole or in its true size, and the recipe to edit. The figure carries its recipe, so
// `attnscope figure FILE` makes it again.

#include "core/document/recipe.h"
#include "ui/workbench/figure_sources.h"
#include "ui/job/latest_job.h"
#include "ui/job/save_queue.h"

#include <QImage>
#include <QWidget>

#include <functional>
#include <memory>
#include <string>
#include <vector>

class QComboBox;
class QPushButton;
class QPushButton;
class QToolButton;

namespace attnscope {

class Document;
class ElidedLabel;
class MessageBar;
class PageView;
class RecipeEditor;
struct Workbench;

class ExportPanel : public QWidget {
    Q_OBJECT
public:
    ExportPanel(Workbench& bench, MessageBar& messages, std::vector<FigureSource> sources, QWidget* parent = nullptr);

    /// What that workspace shows, if anything; where it is shown already, it stays. Told is what has to run to its end
    /// before what is in sight there can be shown; empty: it is.
    QString showWhatIsIn(const QString& workspace);

    /// What would be rendered now.
    const Recipe& recipe() const { return m_recipe; }
    /// A figure of its own, which no longer follows the window.
    void setRecipe(const Recipe& recipe, const QString& file = {});
    /// That the figure was opened from, as long as it is shown as it is there; empty: it is of no file.
    QString file() const { return source() ? QString() : m_file; }
    void preview();
    /// The window may show something else: previews that, unless a recipe of its own is shown.
    void follow();
    const QImage& shownPreview() const { return m_image; }
    RecipeEditor& editor() const { return *m_editor; }
    /// To a file, whose ending decides: .pdf, .svg, .png, or .csv for the numbers.
    void saveAs(const QString& path);
    /// The same with one of the views of Explore as it is now, whatever is shown here.
    void saveViewAs(const std::string& view, const QString& path);
    void chooseFileOf(const std::string& view);
    void copyImage();
    void copySvg();

signals:
    void previewed();  ///< the preview shows recipe(), or what is wrong with it
    void done();       ///< something was saved or copied
    void shows();      ///< file() may be another one

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Made {
        Recipe recipe;
        std::shared_ptr<const FigureContent> content;
        QImage image;
        double zoom = 1;                 ///< of the image: 1 is the figure's true size
        std::string error, errorInText;  ///< why there is none; with its line of the recipe's text
    };
    struct Written {
        QString said;
        std::function<void()> then;  ///< on the main thread
    };
    void buildControls();
    void offerSources();
    const FigureSource* source() const;
    void followWindow();
    void showAs(const QString& name, const Recipe& recipe);
    void takeControls();
    void takeEdited();
    void showMade(Made made);
    void showRecipe();
    using Work = std::function<Result<Written>(const FigureContent&, const Recipe&)>;
    void write(const QString& what, Work work) { write(what, std::move(work), m_recipe, m_content); }
    void write(const QString& what, Work work, const Recipe& recipe,
               const std::shared_ptr<const FigureContent>& content);
    static Work savingAs(const QString& path);
    QString chosenFile(const QString& name);
    void chooseFile();
    void paint();
    void zoomBy(int steps);
    double pixelsPerMillimetre() const;

    Document& m_document;
    SaveQueue& m_saves;
    MessageBar& m_messages;
    QString m_refused;  ///< the last message about a field
    QString m_file;     ///< of the recipe of its own
    std::vector<FigureSource> m_sources;
    Recipe m_recipe, m_own;  ///< what is shown; the one of its own, to come back to
    QComboBox *m_what, *m_width, *m_style, *m_zoom;
    QToolButton* m_showRecipe;
    PageView* m_page;
    std::vector<QPushButton*> m_takenAway;  ///< what copies and saves: where there is a figure
    ElidedLabel* m_size;
    RecipeEditor* m_editor;
    QImage m_image;
    double m_shownZoom = 1;                          ///< of m_image
    std::shared_ptr<const FigureContent> m_content;  ///< of the recipe that is shown; null while it is made
    LatestJob<Made> m_making;
};

}  // namespace attnscope
