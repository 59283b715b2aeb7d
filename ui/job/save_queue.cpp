#include "ui/job/save_queue.h"

namespace attnscope {

SaveQueue::SaveQueue(QObject* parent)
    : QObject(parent),
      m_short([this](const Finished& finished) { finish(finished); }, [](const Error&) { return Finished{}; }),
      m_long([this](const Finished& finished) { finish(finished); }, [](const Error&) { return Finished{}; })
{
}

void SaveQueue::finish(const Finished& finished)
{
    m_names.removeOne(finished.what);
    if (finished.tell)
        finished.tell();
    if (m_names.isEmpty())
        emit emptied();
}

}  // namespace attnscope

#include "moc_save_queue.cpp"
