#pragma once
// Docks keep their share of their page when it shrinks and grows: what a small window squeezes is wide again in a large
// one. A share is what the user, or the program, last gave a dock.

#include <QObject>
#include <QSize>
#include <QSizeF>

#include <map>

class QDockWidget;
class QMainWindow;

namespace attnscope {

class DockShares : public QObject {
    Q_OBJECT
public:
    explicit DockShares(QMainWindow* page);
    /// What the docks are laid out to next is what they were given.
    void given()
    {
        m_given = true;
        m_keeps = false;
    }
    /// The page is laid out anew: nothing is as it was before it was set aside.
    void forget()
    {
        m_returns = false;
        m_before.clear();
    }
    /// While a page is laid out for something else, its docks' shares are those from before; once it is as large again
    /// as it was, they are as they were to the pixel.
    void setAside(bool aside);
    bool isAside() const { return m_aside; }
    /// Not all is as it was yet.
    bool isReturning() const { return m_returns; }

signals:
    void dragged();  ///< the line between two docks, by hand

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    using Sizes = std::map<QDockWidget*, QSize>;
    Sizes sizes() const;
    void note();
    void keep();

    QMainWindow* m_page;
    std::map<QDockWidget*, QSizeF> m_shares;
    Sizes m_seen;          ///< as they were laid out last
    bool m_given = false;  ///< what is laid out next is what the docks were given
    Sizes m_before;        ///< they were set aside, of a page of that size
    QSize m_pageBefore;
    Sizes m_pressed;       ///< as they were when the button went down
    bool m_keeps = false;  ///< what is laid out next follows the shares
    bool m_aside = false;
    bool m_returns = false;  ///< from being set aside, and not all is as it was yet
};

}  // namespace attnscope
