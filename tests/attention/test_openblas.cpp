// The library that benchmarks are held against, where the machine has it.

#include "core/attention/openblas.h"

#include <QtTest>

#include <array>

using namespace attnscope;

class TestOpenBlas : public QObject {
    Q_OBJECT
private slots:
    void init();
    void multiplies();
    void usesWhatTheProcessorHas();

private:
    const bool m_userChose = qEnvironmentVariableIsSet("OPENBLAS_CORETYPE");  // before any load
    std::optional<OpenBlas> m_blas;
};

void TestOpenBlas::init()
{
    m_blas = OpenBlas::load();
    if (!m_blas)
        QSKIP("no OpenBLAS here: apt install libopenblas0-pthread");
}

/// (1 2; 3 4) times the transpose of (5 6; 7 8), in rows of three of which the last is nobody's.
void TestOpenBlas::multiplies()
{
    const std::array<float, 4> a{1, 2, 3, 4}, b{5, 6, 7, 8};
    std::array<float, 6> c{};
    m_blas->product(2, 2, 2, a.data(), b.data(), c.data(), 3);
    QVERIFY((c == std::array<float, 6>{17, 23, 0, 39, 53, 0}));
}

/// A processor that the library does not know must not make a weak peer of it.
void TestOpenBlas::usesWhatTheProcessorHas()
{
    if (!__builtin_cpu_supports("avx2") || m_userChose)
        QSKIP("the kernels are chosen by OPENBLAS_CORETYPE, or the oldest are the right ones here");
    QVERIFY2(m_blas->description().find("Prescott") == std::string::npos, m_blas->description().c_str());
}

QTEST_GUILESS_MAIN(TestOpenBlas)
#include "test_openblas.moc"
