#pragma once
// All files that the window writes, one after the other in the order of asking, beside its thread. It belongs to what
// outlives the window: a window that closes waits until nothing is left to be written, and whatever else goes first,
// what was asked for is on the disk before the queue is gone. What takes long (a film, a copied run) has a line of its
// own, so that a session does not wait for it.
//
//   saves.add(path, this, [bytes, path] { return replaceFile(path, bytes); },
//             [this](const Result<void>& saved) { say(saved); });

#include "ui/job/serial_queue.h"

#include <QObject>
#include <QPointer>
#include <QStringList>

#include <functional>
#include <memory>
#include <utility>

namespace attnscope {

class SaveQueue : public QObject {
    Q_OBJECT
public:
    enum class Line { Short, Long };

    explicit SaveQueue(QObject* parent = nullptr);

    /// `write` runs on a thread of the queue and returns a Result, `then` hears it on this one, unless `listener` is
    /// gone by then: the file is written all the same. `what`: its name, for a person who waits.
    template <class Write, class Then>
    void add(const QString& what, QObject* listener, Write write, Then then, Line line = Line::Short)
    {
        m_names << what;
        (line == Line::Long ? m_long : m_short)
            .add([what, write = std::move(write), then = std::move(then),
                  listener = QPointer<QObject>(listener)]() -> Finished {
                auto written = std::make_shared<decltype(write())>(caught(write));
                return {what, [written, then, listener] {
                            if (listener)
                                then(*written);
                        }};
            });
    }

    /// What is not on the disk yet, or has not been heard of.
    const QStringList& waiting() const { return m_names; }
    bool isBusy() const { return !m_names.isEmpty(); }

signals:
    void emptied();  ///< nothing waits any more

private:
    struct Finished {
        QString what;
        std::function<void()> tell;
    };
    void finish(const Finished& finished);

    QStringList m_names;
    SerialQueue<Finished> m_short, m_long;
};

}  // namespace attnscope
