#pragma once
// How long a test waits for what the program does by itself, before that counts as lost. It measures nothing: on a slow
// or busy machine the same comes later.

#include <QTest>

inline constexpr int patience = 1'200'000;  // milliseconds; CTest's own limit is longer

// Qt's own wait five seconds.
#undef QTRY_VERIFY
#undef QTRY_COMPARE
#define QTRY_VERIFY(expression) QTRY_VERIFY_WITH_TIMEOUT(expression, patience)
#define QTRY_COMPARE(actual, expected) QTRY_COMPARE_WITH_TIMEOUT(actual, expected, patience)
