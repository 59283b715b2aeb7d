#pragma once
// The lessons, each with a picture of a step, what it is about, how long it is, and whether it was read to its end.

#include "ui/widgets/thumbnails.h"

#include <QListWidget>

namespace attnscope {

class LessonList : public QListWidget {
    Q_OBJECT
public:
    explicit LessonList(QWidget* parent = nullptr);
    const Thumbnails& pictures() const { return m_pictures; }

signals:
    void chosen(int lesson);

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    Thumbnails m_pictures;
};

}  // namespace attnscope
