#pragma once
// The lessons, each with what it is about.

#include <QListWidget>

namespace attnscope {

class LessonList : public QListWidget {
    Q_OBJECT
public:
    explicit LessonList(QWidget* parent = nullptr);

signals:
    void chosen(int lesson);
};

}  // namespace attnscope
