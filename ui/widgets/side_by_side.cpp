#include "ui/widgets/side_by_side.h"

#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"

namespace attnscope {

QFrame* pane(const QString& title, QWidget* content)
{
    auto* made = new QFrame;
    made->setObjectName(u"card"_s);
    QLabel* heading = textLabel(title, "pane");
    heading->setContentsMargins(14, 0, 14, 0);
    inColumn(made, {heading, {content, 1}}, 6, {1, 8, 1, 2});
    made->setFocusProxy(content);
    return made;
}

QFrame* cardOf(QWidget* content, const QMargins& margins)
{
    auto* card = new QFrame;
    card->setObjectName(u"card"_s);
    inColumn(card, {content}, usualSpacing, margins);
    card->setFocusProxy(content);
    return card;
}

SideBySide::SideBySide(const QString& name, QWidget* left, QWidget* right, LeftWidth width) : m_left(width)
{
    setObjectName(name);
    setHandleWidth(paneGap);
    setChildrenCollapsible(false);
    addWidget(left);
    addWidget(right);
    setStretchFactor(1, 1);
}

void SideBySide::reset(int width)
{
    constexpr int wide = 1400;
    const int left = width < wide ? m_left.inNarrow : m_left.inWide;
    setSizes({left, width - left});
}

}  // namespace attnscope

#include "moc_side_by_side.cpp"
