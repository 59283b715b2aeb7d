#pragma once
// The lessons, each with what it is about, how long it is, and whether it was read to its end.

#include <QListWidget>

namespace attnscope {

class LessonList : public QListWidget {
    Q_OBJECT
public:
    explicit LessonList(QWidget* parent = nullptr);

signals:
    void chosen(int lesson);

protected:
    void showEvent(QShowEvent* event) override;
};

}  // namespace attnscope
