#pragma once
// Gives its only child all of its place, whatever the child holds: a text that changes with every movement of the pointer must
// not lay out the window anew.

#include <QWidget>

namespace attnscope {

class StillPlace : public QWidget {
public:
    explicit StillPlace(QWidget* child) : m_child(child)
    {
        child->setParent(this);
        setFixedHeight(48);
        setMinimumWidth(200);
    }

protected:
    void resizeEvent(QResizeEvent*) override { m_child->setGeometry(rect()); }

private:
    QWidget* m_child;
};

}  // namespace attnscope
