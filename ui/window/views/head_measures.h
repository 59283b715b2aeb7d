#pragma once
// What colours the heads of a model or of a file (head_overview.h).

#include <QCoreApplication>

#include <span>
#include <string>

class QComboBox;

namespace attnscope {

struct HeadMeasure {
    const char* id;       ///< of ModelLook::measure
    const char* words;
    const char* title;    ///< of the colours, markup
    const char* about;
    const char* unit;     ///< "%1 nats"
};
/// entropy, share, keeps, slope; texts are to be translated (qt_text.h).
std::span<const HeadMeasure> headMeasures();
/// The last one for an id that there is not.
const HeadMeasure& headMeasure(const std::string& id);
/// With their ids as data.
void addHeadMeasures(QComboBox& list);

}  // namespace attnscope
