#include "ui/window/views/reference_view.h"

#include "core/analysis/source.h"
#include "core/attention/kernels.h"
#include "core/attention/masks.h"
#include "core/attention/normaliser.h"
#include "core/attention/positions.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/measures.h"
#include "ui/window/controls/choice_control.h"
#include "ui/window/theme.h"

namespace attnscope {

namespace {

QString escaped(const std::string& s) { return QString::fromStdString(s).toHtmlEscaped(); }

QString parameterLine(const Parameter& parameter)
{
    return QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;</td><td>= %2&nbsp;&nbsp;</td><td>%3</td></tr>")
        .arg(escaped(parameter.label), escaped(formatNumber(parameter.byDefault, 6)), escaped(parameter.help));
}

QString article(const Entry& entry)
{
    const Theme& theme = currentTheme();
    QString out = QStringLiteral("<h3>%1 <span style='color:%3;font-weight:normal'>%2</span></h3>").arg(escaped(entry.label), escaped(entry.id), theme.muted.name());
    if (!entry.formula.empty())
        out += QStringLiteral("<p style='font-size:15px'><i>%1</i></p>").arg(escaped(symbolicFormula(entry)));
    if (!entry.about.empty())
        out += QStringLiteral("<p>%1</p>").arg(escaped(entry.about));
    QString parameters;
    for (const Parameter& parameter : entry.parameters)
        parameters += parameterLine(parameter);
    if (!parameters.isEmpty())
        out += QStringLiteral("<table>%1</table>").arg(parameters);
    for (const Preset& preset : entry.presets)
        out += QStringLiteral("<p>%1: <tt>%2</tt> <span style='color:%4'>%3</span></p>")
                   .arg(escaped(preset.label), escaped(preset.text), escaped(preset.source), theme.muted.name());
    if (!entry.source.empty())
        out += QStringLiteral("<p style='color:%2'>%1</p>").arg(escaped(entry.source), theme.muted.name());
    return out;
}

QString chapter(const QString& title, const QString& lead, const std::vector<const Entry*>& rows)
{
    QString out = QStringLiteral("<h2>%1</h2><p>%2</p>").arg(title, lead);
    for (const Entry* row : rows)
        out += article(*row);
    return out;
}

}  // namespace

QString referencePage()
{
    const auto tr = [](const char* text) { return ReferenceView::tr(text); };
    return QStringLiteral("<h1>%1</h1><p>%2</p>").arg(tr("How attention is scaled"), tr(
               "A query meets n keys, and softmax shares one unit of weight among them. Scores are divided by \u221Ad, which keeps "
               "their spread at 1 for any head size; nothing in that looks at n. So when n grows and the spread does not, the "
               "weight disperses: if the scores z of a row span \u03B4, every weight lies between e<sup>\u2212\u03B4</sup>/n and "
               "e<sup>\u03B4</sup>/n, the entropy H = \u2212\u03A3 w ln w grows like ln n, and a model trained at N tokens meets rows at "
               "n > N that are flatter than any it has learned from.")) +
           QStringLiteral("<p>%1</p>").arg(tr(
               "The remedy is a multiplier m that grows with n: weights become softmax(m z / \u03C4). How fast should it grow? To keep "
               "the share of one key that leads by a fixed gap, like ln n, since e<sup>m g</sup> must keep up with n. To keep the "
               "entropy of random rows, much more slowly: as long as no key stands out, H \u2248 ln n \u2212 m\u00B2/2, and so "
               "m = \u221A(1 + 2 ln(n/N)). The methods below follow one or the other, approximate it, or are fitted or learned; none is right for "
               "every head, because a head that averages and a head that retrieves want opposite things from more keys. That is what "
               "this program is for: to see it, on made-up rows and on your own.")) +
           QStringLiteral("<p>%1</p>").arg(tr(
               "The chapters follow a row from its beginning: the multiplier, the kernel that makes a score, positions, the mask, the "
               "normaliser, and what is then measured. Logarithms are natural; N is the length trained at, d the size of a head, "
               "\u03C4 the temperature.")) +
           chapter(tr("Scale methods"), tr("The multiplier m of the logits. \u201Ckeys\u201D counts the keys of the sequence, \u201Crow\u201D those that a row sees."),
                   entriesOf(scaleMethods())) +
           chapter(tr("Kernels"), tr("How a query and a key become one number."), entriesOf(kernels())) +
           chapter(tr("Positions"), tr("How the places of two tokens enter their logit."), entriesOf(positions())) +
           chapter(tr("Masks"), tr("Which keys a query may look at."), entriesOf(masks())) +
           chapter(tr("Normalisers"), tr("What turns a row of logits into weights."), entriesOf(normalisers())) +
           chapter(tr("Measures"), tr("What is said of a row, once its weights are renormalised to sum to 1."), entriesOf(measures())) +
           chapter(tr("Sources"), tr("Where queries and keys come from."), entriesOf(sourceEntries()));
}

ReferenceView::ReferenceView(QWidget* parent) : QTextBrowser(parent)
{
    setAccessibleName(tr("Methods reference"));
    document()->setDocumentMargin(18);
    refresh();
}

void ReferenceView::refresh() { setHtml(referencePage()); }

}  // namespace attnscope
