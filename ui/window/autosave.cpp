#include "ui/window/autosave.h"

#include "ui/window/document.h"

#include <QDir>
#include <QFile>

namespace attnscope {

namespace {
constexpr int delayMilliseconds = 1500;
}

Autosave::Autosave(Document& document, const QString& folder, std::function<Session()> take, QObject* parent)
    : QObject(parent), m_path(folder + QStringLiteral("/autosave.attnscope")), m_lock(folder + QStringLiteral("/autosave.lock")),
      m_take(std::move(take))
{
    QDir().mkpath(folder);
    m_lock.setStaleLockTime(0);  // only the death of its process makes it stale
    m_active = m_lock.tryLock(0);
    if (!m_active)
        return;
    if (QFile::exists(m_path))
        if (auto session = loadSession(m_path))
            m_recovered = std::move(*session);
    m_timer.setSingleShot(true);
    m_timer.setInterval(delayMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &Autosave::saveNow);
    for (const auto change : {&Document::changed, &Document::lookChanged})
        connect(&document, change, this, [this] {
            if (!m_timer.isActive())
                m_timer.start();
        });
}

Autosave::~Autosave()
{
    if (m_active)
        QFile::remove(m_path);
}

void Autosave::saveNow()
{
    if (m_active)
        (void)saveSession(m_take(), m_path);  // a full disk costs the recovery, nothing else
}

}  // namespace attnscope
