#pragma once
// Export of a figure: which kind, how wide in mm, which style, with a preview in its real size. The figure carries its
// recipe, so `attnscope figure FILE` makes it again.

#include "ui/figure/recipe.h"
#include "ui/job/latest_job.h"

#include <QImage>
#include <QWidget>

#include <optional>

class QComboBox;
class QLabel;
class QPushButton;

namespace attnscope {

class Document;
class MessageBar;

class ExportPanel : public QWidget {
    Q_OBJECT
public:
    ExportPanel(Document& document, MessageBar& messages, QWidget* parent = nullptr);

    /// What would be rendered now.
    Recipe recipe() const;
    void preview();
    const QImage& shownPreview() const { return m_image; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Rendered {
        QImage image;
        std::string error;
        std::string savedAs;
    };
    void save();
    void show(const Rendered& rendered);

    Document& m_document;
    MessageBar& m_messages;
    QComboBox* m_kind;
    QComboBox* m_width;
    QComboBox* m_style;
    QLabel* m_page;
    QLabel* m_size;
    QPushButton* m_save;
    QImage m_image;
    LatestJob<Rendered> m_job;
};

}  // namespace attnscope
