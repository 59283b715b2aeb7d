// A derived value is that of the key it was asked with, whatever happens between: asked again, stopped, asked for
// something else, failed, asleep.
#include "ui/job/derived.h"
#include "tests/support/patience.h"

#include <QTest>

#include <atomic>
#include <semaphore>
#include <stdexcept>
#include <vector>

using namespace attnscope;

namespace {

struct Key {
    int file = 0, part = 0;
    bool operator==(const Key&) const = default;
    bool sameInput(const Key& other) const { return file == other.file; }
};
struct Value {
    int file = 0, part = 0, stage = 0;  ///< stage: 1 on the way, 2 at the end, -1 failed
    bool operator==(const Value&) const = default;
};

}  // namespace

class DerivedTest : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        m_runs = 0;
        m_before = {};
        m_fails = m_waits = false;
        m_changes = 0;
        m_made = std::make_unique<Derived<Key, Value>>(
            [this](const Key& key, const auto& before, const std::stop_token& stop,
                   const auto& publish) -> std::optional<Value> {
                ++m_runs;
                m_before = before ? before->part : -1;
                if (m_fails)
                    throw std::bad_alloc();
                publish({key.file, key.part, 1});
                while (m_waits && !stop.stop_requested())
                    std::this_thread::yield();
                return stop.stop_requested() ? std::nullopt : std::optional(Value{key.file, key.part, 2});
            },
            [](const Error&) {
                return Value{0, 0, -1};
            },
            [this] { ++m_changes; });
    }
    void cleanup() { m_made.reset(); }

    void theSameKeyIsAskedOnce();
    void stoppedWhatWasFoundStaysAndTheSameKeyBeginsAgain();
    void ofAnotherInputNothingIsLeft();
    void ofTheSameInputItStaysUntilTheNextComes();
    void nothingIsAskedNothingIsThere();
    void whatThrowsIsNotAskedForEver();
    void asleepItBeginsNothingAndFollowsTheLastQuestion();
    void asleepAndBackAgainNothingIsLost();

private:
    bool isShown(const Value& value)
    {
        return QTest::qWaitFor([&] { return m_made->value() && *m_made->value() == value; }, patience);
    }
    std::unique_ptr<Derived<Key, Value>> m_made;
    std::atomic<int> m_runs = 0, m_before = -1;
    std::atomic<bool> m_fails = false, m_waits = false;
    int m_changes = 0;
};

void DerivedTest::theSameKeyIsAskedOnce()
{
    for (int i = 0; i < 3; ++i)
        m_made->ask(Key{1, 1});
    QVERIFY(m_made->isComputing());
    QVERIFY(isShown({1, 1, 2}));
    QVERIFY(!m_made->isComputing());
    m_made->ask(Key{1, 1});
    QVERIFY(!m_made->isComputing());
    QCOMPARE(m_runs.load(), 1);
    QCOMPARE(m_changes, 3);  // it began, it had something, it had all
}

void DerivedTest::stoppedWhatWasFoundStaysAndTheSameKeyBeginsAgain()
{
    m_waits = true;
    m_made->ask(Key{1, 1});
    QVERIFY(isShown({1, 1, 1}));
    m_made->cancel();
    QVERIFY(!m_made->isComputing() && !m_made->asked());
    QCOMPARE(*m_made->value(), (Value{1, 1, 1}));
    QCOMPARE(*m_made->of(), (Key{1, 1}));
    m_waits = false;
    m_made->ask(Key{1, 1});
    QVERIFY(isShown({1, 1, 2}));
    QCOMPARE(m_runs.load(), 2);
}

void DerivedTest::ofAnotherInputNothingIsLeft()
{
    m_made->ask(Key{1, 1});
    QVERIFY(isShown({1, 1, 2}));
    m_made->ask(Key{2, 1});
    QVERIFY(!m_made->value() && !m_made->of() && m_made->isComputing());
    QVERIFY(isShown({2, 1, 2}));
    QCOMPARE(m_before.load(), -1);
}

void DerivedTest::ofTheSameInputItStaysUntilTheNextComes()
{
    m_made->ask(Key{1, 1});
    QVERIFY(isShown({1, 1, 2}));
    m_made->ask(Key{1, 2});
    QCOMPARE(*m_made->value(), (Value{1, 1, 2}));
    QCOMPARE(*m_made->of(), (Key{1, 1}));
    QVERIFY(isShown({1, 2, 2}));
    QCOMPARE(m_before.load(), 1);
}

void DerivedTest::nothingIsAskedNothingIsThere()
{
    m_made->ask(Key{1, 1});
    QVERIFY(isShown({1, 1, 2}));
    m_made->ask({});
    QVERIFY(!m_made->value() && !m_made->isComputing());
    m_made->ask(Key{1, 1});
    QVERIFY(isShown({1, 1, 2}));
    m_waits = true;  // stopped on the way, too
    m_made->ask(Key{1, 2});
    m_made->cancel();
    m_made->drop();
    QVERIFY(!m_made->value());
}

void DerivedTest::whatThrowsIsNotAskedForEver()
{
    m_fails = true;
    m_made->ask(Key{1, 1});
    QVERIFY(isShown({0, 0, -1}));
    QCOMPARE(*m_made->of(), (Key{1, 1}));
    for (int i = 0; i < 3; ++i)
        m_made->ask(Key{1, 1});
    QVERIFY(!m_made->isComputing());
    QCOMPARE(m_runs.load(), 1);
    m_fails = false;
    m_made->cancel();
    m_made->ask(Key{1, 1});  // mended, and asked for anew
    QVERIFY(isShown({1, 1, 2}));
}

void DerivedTest::asleepItBeginsNothingAndFollowsTheLastQuestion()
{
    m_made->setAwake(false);
    m_made->ask(Key{1, 1});
    m_made->ask(Key{1, 2});
    QVERIFY(!m_made->isComputing());
    m_made->setAwake(true);
    QVERIFY(isShown({1, 2, 2}));
    QCOMPARE(m_runs.load(), 1);
}

/// What was dragged to and back while nobody looked.
void DerivedTest::asleepAndBackAgainNothingIsLost()
{
    m_made->ask(Key{1, 1});
    QVERIFY(isShown({1, 1, 2}));
    m_made->setAwake(false);
    m_made->ask(Key{2, 1});
    m_made->ask(Key{1, 1});
    m_made->setAwake(true);
    QCOMPARE(*m_made->value(), (Value{1, 1, 2}));
    QCOMPARE(m_runs.load(), 1);
}

QTEST_GUILESS_MAIN(DerivedTest)
#include "derived_test.moc"
