#pragma once
// What the theory tests share: densities from text, JSON files, relative comparison.

#include "core/theory/expected_row.h"
#include "core/theory/logit_density.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <cmath>

inline attnscope::LogitDensity density(const QString& text, int d = 64)
{
    const auto made = attnscope::logitDensity(std::string_view(text.toStdString()), d);
    if (!made)
        qFatal("%s", made.error().message.c_str());
    return *made;
}

inline QJsonObject readJson(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject{};
}

inline double expected(const QString& measure, const attnscope::LogitDensity& from, double n, double lambda)
{
    const auto choice =
        attnscope::parseChoice(std::string_view(measure.toStdString()), attnscope::expectedMeasures(), "measure");
    const auto values =
        choice.and_then([&](const auto& c) { return attnscope::expectedCurve(c, from, std::span(&n, 1), lambda); });
    if (!values)
        qFatal("%s", values.error().message.c_str());
    return values->front();
}

/// Tolerances of theory: every quadrature rule is made to err by less than 1e-9 at the scales of its test (halving the
/// steps says so in test_laws_of_rows and test_wide_laws), rounding adds 1e-13 times the terms of about ln n that
/// cancel; the rest is the other side's: the digits that a reference prints, or the step of the rule that a closed form
/// was integrated by.
inline bool near(double actual, double wanted, double relative)
{
    const bool close = std::abs(actual - wanted) <= relative * std::abs(wanted);
    if (!close)
        qWarning("%.15g is not within %g of %.15g", actual, relative, wanted);
    return close;
}
