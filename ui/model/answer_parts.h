#pragma once
// What Find the scale and Probes have both: a button of which nothing moves whatever it says, and what is known beside
// an answer as a quiet table.

#include <QString>

#include <initializer_list>

class QPushButton;

namespace attnscope {

struct ShortAnswer;

/// One of several texts, as wide as the longest of them: what stands beside the button stays where it is.
void showOneOf(QPushButton& button, const QString& text, std::initializer_list<QString> all);

/// A sentence whose numbers are printed and stay whole at the end of a line.
QString saidInLine(const QString& words);

/// Rich text: a row for each fact.
QString tableOfFacts(const ShortAnswer& answer);

}  // namespace attnscope
