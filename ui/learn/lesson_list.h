#pragma once
// The lessons, a card each: a picture of a step, what it is about, and how long it is, where one was, or that it was
// read to its end.

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
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    Thumbnails m_pictures;
};

}  // namespace attnscope
