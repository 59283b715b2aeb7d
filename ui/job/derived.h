#pragma once
// What follows from a key, computed on a thread of its own: the one answer to "was this asked for already?". The owner
// says what the key is now, as often as it likes; the value belongs to the key that it was asked with and goes with it.
//
//   - The same key again changes nothing; another stops the work and begins anew.
//   - The value stays until the next one comes where the keys agree on what it is of (Key::sameInput), else it is
//     dropped at once: nobody sees what was derived from another file or model.
//   - cancel() ends the work and forgets the question, so that it can be asked again; what was found so far stays.
//   - Asleep it begins nothing: it remembers the last question and follows it when it wakes.
//   - What the work throws is a value too, which `failed` makes of the error: it is of its key, and not asked again.
//
//   Derived<Place, Picture> picture(draw, [](const Error& error) { return Picture(error); }, [this] { show(); });
//   picture.ask(place);

#include "ui/job/latest_job.h"

#include <QString>

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

namespace attnscope {

/// A value that is none, and says why.
template <class Value>
Value failedWith(const Error& error)
{
    Value none;
    none.error = QString::fromStdString(error.message);
    return none;
}

template <class Key, class Value>
class Derived {
public:
    using ValuePtr = std::shared_ptr<const Value>;
    using Publish = std::function<void(Value)>;
    /// Runs on the worker thread and returns the value, having published those that are less on the way; none: it was
    /// stopped, or what was published last is all. `before`: the value that is shown meanwhile, of which parts may
    /// serve; or null.
    using Compute =
        std::function<std::optional<Value>(const Key&, const ValuePtr& before, const std::stop_token&, const Publish&)>;
    using Failed = std::function<Value(const Error&)>;

    /// `changed` is called on the thread that makes it, whenever something below says anything else than before.
    Derived(Compute compute, Failed failed, std::function<void()> changed)
        : m_compute(std::move(compute)), m_changed(std::move(changed)),
          m_job([this](Step step) { take(std::move(step)); },
                [failed = std::move(failed)](const Error& error) {
                    return Step{failed(error), true};
                })
    {
    }

    /// None: nothing is asked, and there is no value.
    void ask(std::optional<Key> key)
    {
        m_next = std::move(key);
        if (m_awake)
            follow();
    }

    /// What was derived from that key before.
    void put(Key key, ValuePtr value)
    {
        m_next.reset();
        m_job.cancel();
        m_computing = false;
        m_of = m_asked = std::move(key);
        m_value = std::move(value);
        m_changed();
    }

    void cancel()
    {
        m_next.reset();
        m_asked.reset();
        m_job.cancel();
        if (std::exchange(m_computing, false))
            m_changed();
    }

    void drop()
    {
        m_next.reset();
        begin({});
    }

    void setAwake(bool awake)
    {
        m_awake = awake;
        if (awake)
            follow();
    }

    /// Null: there is none (yet).
    const ValuePtr& value() const { return m_value; }
    /// What the value is of.
    const std::optional<Key>& of() const { return m_of; }
    /// What is being computed, or was; none after cancel().
    const std::optional<Key>& asked() const { return m_asked; }
    bool isComputing() const { return m_computing; }

private:
    struct Step {
        std::optional<Value> value;
        bool last = false;
    };

    void follow()
    {
        if (m_next)
            begin(*std::exchange(m_next, std::nullopt));
    }

    void begin(std::optional<Key> key)
    {
        if (key ? key == m_asked : !m_asked && !m_value)
            return;
        bool stays = false;
        if constexpr (requires(const Key& one) {
                          {
                              one.sameInput(one)
                              } -> std::convertible_to<bool>;
                      })
            stays = key && m_of && key->sameInput(*m_of);
        if (!stays) {
            m_value.reset();
            m_of.reset();
        }
        m_asked = std::move(key);
        m_computing = m_asked.has_value();
        if (m_computing)
            m_job.start([compute = m_compute, key = *m_asked, before = m_value](const std::stop_token& stop,
                                                                                const auto& publish) {
                auto value = compute(key, before, stop, [&publish](Value less) { publish({std::move(less), false}); });
                publish({std::move(value), true});
            });
        else
            m_job.cancel();
        m_changed();
    }

    void take(Step step)
    {
        if (step.value) {
            m_value = std::make_shared<const Value>(std::move(*step.value));
            m_of = m_asked;
        }
        m_computing = !step.last;
        m_changed();
    }

    Compute m_compute;
    std::function<void()> m_changed;
    std::optional<std::optional<Key>> m_next;  ///< asked for while asleep
    std::optional<Key> m_asked, m_of;
    ValuePtr m_value;
    bool m_computing = false, m_awake = true;
    LatestJob<Step> m_job;
};

}  // namespace attnscope
