#include "ui/model/answer_parts.h"

#include "core/base/measured_text.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"

#include <QPushButton>

#include <algorithm>

namespace attnscope {

void showOneOf(QPushButton& button, const QString& text, std::initializer_list<QString> all)
{
    button.setText(text);
    button.ensurePolished();
    const auto widthOf = [&](const QString& one) {
        return button.fontMetrics().size(Qt::TextShowMnemonic, one).width();
    };
    const int widest = widthOf(*std::ranges::max_element(all, {}, widthOf));
    button.setMinimumWidth(button.sizeHint().width() + widest - widthOf(text));
}

QString saidInLine(const QString& words) { return unbroken(printedIn(words)); }

QString tableOfFacts(const ShortAnswer& answer)
{
    if (answer.facts.empty())
        return {};
    QString rows;
    for (const ShortAnswer::Fact& fact : answer.facts)
        rows += u"<tr><td style='padding-right: 14px; white-space: nowrap'>%1</td><td>%2</td></tr>"_s.arg(
            saidInLine(text(fact.about)).toHtmlEscaped(), saidInLine(text(fact.said)).toHtmlEscaped());
    return u"<table cellspacing='0' cellpadding='0'>%1</table>"_s.arg(rows);
}

}  // namespace attnscope
