#pragma once
// The heatmaps of a run, small multiples under one colour scale: pictures whose ids share what stands before the last
// "/" make a row ("vanilla/16", "vanilla/64", ...).

#include "core/labs/lab.h"

#include <QImage>
#include <QWidget>

#include <vector>

namespace attnscope {

class LabPictures : public QWidget {
    Q_OBJECT
public:
    explicit LabPictures(QWidget* parent = nullptr);
    void show(std::vector<LabPicture> pictures);
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return {500, heightForWidth(500)}; }

protected:
    void paintEvent(QPaintEvent*) override;

private:
    struct Drawn {
        QString caption;
        QImage image;
    };
    struct Row {
        QString name, heading;
        std::vector<Drawn> pictures;
    };
    int columnWidth(int width) const;
    QSizeF sizeOf(const Drawn& picture, int across) const;
    int rowHeight(int width) const;

    std::vector<LabPicture> m_pictures;
    std::vector<Row> m_rows;
    QString m_axes;
};

}  // namespace attnscope
