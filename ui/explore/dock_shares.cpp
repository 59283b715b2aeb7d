#include "ui/explore/dock_shares.h"

#include <QDockWidget>
#include <QEvent>
#include <QMainWindow>
#include <QTabBar>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace attnscope {

DockShares::DockShares(QMainWindow* page) : QObject(page), m_page(page) { page->installEventFilter(this); }

void DockShares::setAside(bool aside)
{
    m_aside = aside;
    if (aside) {
        m_before = sizes();
        m_pageBefore = m_page->size();
        return;
    }
    m_given = false;
    m_returns = true;
    keep();
    m_seen = sizes();
}

/// Of those that are in sight; a dock behind another one in tabs is as large as that, and their bar is of their height:
/// it is what Qt gives when it is told how high one of them is to be.
DockShares::Sizes DockShares::sizes() const
{
    Sizes sizes;
    for (QDockWidget* dock : m_page->findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly))
        if (dock->isVisible() && dock->geometry().intersects(m_page->rect()))
            sizes[dock] = dock->size();
    for (const QTabBar* bar : m_page->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
        for (auto& [dock, size] : sizes)
            if (bar->isVisible() && !m_page->tabifiedDockWidgets(dock).isEmpty() &&
                bar->geometry().top() == dock->geometry().bottom() + 1 && bar->geometry().left() == dock->x())
                size.rheight() += bar->height();
    return sizes;
}

/// The page's layout has seen the event already.
bool DockShares::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        keep();
    else if (event->type() == QEvent::LayoutRequest)
        note();
    else if (event->type() == QEvent::MouseButtonPress) {  // on the line between two docks, perhaps
        m_pressed = sizes();
        m_returns = false;
    } else if (event->type() == QEvent::MouseButtonRelease)
        QTimer::singleShot(0, this, [this] {
            if (sizes() == m_pressed)
                return;
            m_given = true;
            m_seen.clear();
            note();
            emit dragged();
        });
    return QObject::eventFilter(watched, event);
}

/// Those that come or go have their size from the layout, as if it were given; what a page that is small or its
/// contents squeeze keeps its share.
void DockShares::note()
{
    const Sizes now = sizes();
    const bool same = now == m_seen,
               others = !std::ranges::equal(now, m_seen, {}, &Sizes::value_type::first, &Sizes::value_type::first);
    m_seen = now;
    m_returns = m_returns && now != m_before;
    if (std::exchange(m_keeps, false) || m_aside)
        return;
    if (m_returns && m_page->size() == m_pageBefore)  // what was in the way then is gone, perhaps
        return keep();
    const bool given = std::exchange(m_given, false);
    if (same || !(given || others))
        return;
    m_before.clear();
    for (const auto& [dock, size] : now)
        m_shares[dock] = {double(size.width()) / m_page->width(), double(size.height()) / m_page->height()};
}

void DockShares::keep()
{
    if (m_aside || m_shares.empty())
        return;
    QList<QDockWidget*> docks;
    QList<int> widths, heights;
    for (const auto& [dock, size] : sizes())
        if (const auto before = m_before.find(dock); before != m_before.end() && m_page->size() == m_pageBefore) {
            docks << dock;
            widths << before->second.width();
            heights << before->second.height();
        } else if (const auto share = m_shares.find(dock); share != m_shares.end()) {
            docks << dock;
            widths << qRound(share->second.width() * m_page->width());
            heights << qRound(share->second.height() * m_page->height());
        }
    m_keeps = true;
    m_page->resizeDocks(docks, widths, Qt::Horizontal);
    m_page->resizeDocks(docks, heights, Qt::Vertical);
}

}  // namespace attnscope

#include "moc_dock_shares.cpp"
