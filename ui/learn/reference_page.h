#pragma once
// The reference as one article in HTML: what scaling attention is about, the multipliers of all methods at a few
// lengths, and every row of every registry with formula, parameters, presets and source. Formulae stand in it twice,
// with symbols and with the numbers of a scenario put in; each is an image whose address is the formula.

#include <QImage>
#include <QString>
#include <QUrl>

namespace attnscope {

struct Analysis;
struct Scenario;

/// `analysis`, if there is one, knows the multipliers that are solved on the queries and keys.
QString referencePage(const Scenario& scenario, const Analysis* analysis);

/// The picture behind the address of a formula, at most `width` wide in device-independent pixels.
QImage formulaImage(const QUrl& address, double width, double devicePixelRatio);

}  // namespace attnscope
