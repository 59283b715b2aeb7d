#include "ui/learn/reference_page.h"

#include "core/analysis/analysis.h"
#include "core/analysis/scale_context.h"
#include "core/analysis/source.h"
#include "core/attention/kernels.h"
#include "core/attention/masks.h"
#include "core/attention/normaliser.h"
#include "core/attention/positions.h"
#include "core/base/each.h"
#include "core/base/papers.h"
#include "core/statistics/measures.h"
#include "ui/plot/formula.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/plot/typeset.h"
#include "ui/widgets/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace attnscope {

namespace {

constexpr int formulaPixels = 19, workedPixels = 15;

QString escaped(const std::string& s) { return QString::fromStdString(s).toHtmlEscaped(); }
QString muted(const QString& html)
{
    return u"<span style='color:%2'>%1</span>"_s.arg(html, currentTheme().muted.name());
}

/// An image of the formula; pixels and colour are part of its address, so that nothing stale is ever shown.
QString formula(const QString& text, int pixels, const QColor& colour)
{
    const QString address = u"formula:%1;%2;%3"_s.arg(pixels).arg(colour.name(), text);
    return u"<img src='%1' alt='%2'>"_s.arg(QString::fromLatin1(QUrl::toPercentEncoding(address, ":")),
                                            text.toHtmlEscaped());
}

QString display(const QString& text)
{
    return u"<p style='margin-top:6px;margin-bottom:6px;margin-left:10px'>%1</p>"_s.arg(
        formula(text, formulaPixels, currentTheme().text));
}

/// The formula with numbers put in: smaller, and quieter.
QString workedLine(const std::string& text)
{
    return u"<p style='margin-top:2px;margin-bottom:6px;margin-left:10px'>%1</p>"_s.arg(
        formula(QString::fromStdString(text), workedPixels, currentTheme().accent));
}

std::string defaultOf(const Parameter& parameter)
{
    if (parameter.kind == Parameter::Kind::Switch)
        return parameter.byDefault != 0 ? "on" : "off";
    return parameter.followsN ? "N" : formatNumber(parameter.byDefault, 6);
}

QString parameterRow(const std::string& label, const std::string& value, const std::string& help)
{
    return u"<tr><td style='padding-right:14px'><b>%1</b></td><td "
           "style='padding-right:14px'>%2</td><td>%3</td></tr>"_s.arg(escaped(label), escaped(value), escaped(help));
}

QString table(const QString& rows)
{
    return rows.isEmpty() ? rows
                          : u"<table cellspacing='0' cellpadding='2' style='margin-left:8px'>%1</table>"_s.arg(rows);
}

/// What scale methods have in common is said once, at the head of their chapter.
QString commonParameters()
{
    std::vector<Parameter> all;
    for (const ScaleMethod& method : scaleMethods())
        std::ranges::copy_if(method.parameters, std::back_inserter(all), &Parameter::shared);
    QString rows;
    for (const std::string& id : eachOnce(all, &Parameter::id)) {
        const Parameter& first = *std::ranges::find(all, id, &Parameter::id);
        const bool alike = std::ranges::all_of(
            all, [&](const Parameter& one) { return one.id != id || one.byDefault == first.byDefault; });
        rows += parameterRow(first.label, alike ? defaultOf(first) : "each method its own", first.help);
    }
    return table(rows);
}

QString parameterTable(const Entry& entry)
{
    QString rows;
    if (!entry.textLabel.empty())
        rows += parameterRow(entry.textLabel, entry.textByDefault, {});
    for (const Parameter& parameter : entry.parameters)
        if (!parameter.shared)
            rows += parameterRow(parameter.label, defaultOf(parameter), parameter.help);
    return table(rows);
}

QString presetList(const Entry& entry)
{
    QString items;
    for (const Preset& preset : entry.presets)
        items += u"<tr><td style='padding-right:14px'>%1</td><td "
                 "style='padding-right:14px'><tt>%2</tt></td><td>%3</td></tr>"_s.arg(
                     escaped(preset.label), escaped(preset.text), muted(escaped(preset.source)));
    return items.isEmpty() ? QString()
                           : u"<p style='margin-bottom:2px'>%1</p><table cellspacing='0' cellpadding='2' "
                             "style='margin-left:8px'>%2</table>"_s.arg(u"Presets"_s, items);
}

QString sourceLine(const Entry& entry)
{
    QString line = escaped(entry.source);
    for (const Paper* paper : papersCitedBy(entry.source))
        line.replace(escaped(paper->key), u"<a href='#%1'>%2</a>"_s.arg(QString::fromLatin1(QUrl::toPercentEncoding(
                                                                            QString::fromStdString(paper->key))),
                                                                        escaped(paper->key)));
    return line.isEmpty() ? QString() : u"<p>%1</p>"_s.arg(muted(line));
}

/// `worked`: the formula with numbers, or why there are none; empty: nothing to put in.
QString article(const Entry& entry, const std::string& aside, const std::string& worked,
                const std::string& leftSide = {})
{
    QString out = u"<h3 style='margin-bottom:2px'><a name='%4'></a>%1 &nbsp;<span "
                  "style='font-weight:normal;color:%3'>%2</span></h3>"_s.arg(
                      escaped(entry.label), escaped(entry.id + aside), currentTheme().muted.name(), escaped(entry.id));
    const std::string symbols = leftSide + symbolicFormula(entry);
    if (!symbols.empty())
        out += display(QString::fromStdString(symbols));
    if (!worked.empty() && worked != symbols)
        out += workedLine(worked);
    if (!entry.about.empty())
        out += u"<p style='margin-top:4px'>%1</p>"_s.arg(escaped(entry.about));
    return out + parameterTable(entry) + presetList(entry) + sourceLine(entry);
}

QString heading(const QString& anchor, const QString& title)
{
    return u"<h2><a name='%1'></a>%2</h2>"_s.arg(anchor, title);
}
QString paragraph(const QString& text) { return u"<p style='line-height:125%'>%1</p>"_s.arg(text); }

/// What is chosen of a registry, else the row's defaults.
Choice chosen(const Entry& row, const Choice& current)
{
    return row.id == current.id ? current : Choice{row.id, {}, {}};
}

template <class Row>
QString chapter(const QString& anchor, const QString& title, const QString& lead, std::span<const Row> rows,
                const Choice& current, std::map<std::string, double, std::less<>> numbers)
{
    QString out = heading(anchor, title) + paragraph(lead);
    for (const Row& row : rows) {
        const Choice choice = chosen(row, current);
        if constexpr (std::is_same_v<Row, Position>)
            if (row.slope)
                numbers["slope"] = row.slope(0, 1, Parameters(row, choice));
        out += article(row, {}, workedFormula(row, choice, numbers));
    }
    return out;
}

/// "m = ...", or why there is no m. Solving is left to the analysis: it may take longer than a frame.
std::string workedMethod(const ScaleMethod& method, const Scenario& scenario, const Analysis* analysis)
{
    for (size_t m = 0; analysis && m < analysis->methods.size(); ++m)
        if (const MethodAnalysis& known = analysis->methods[m]; known.method.id == method.id)
            return known.absent.empty() ? known.worked : "";
    return method.solved ? "" : workedScale({method.id, {}, {}}, scaleContextOf(scenario)).value_or("");
}

QString methodChapter(const Scenario& scenario, const Analysis* analysis)
{
    QString out =
        heading("methods", u"Scale methods"_s) +
        paragraph(u"Each gives the multiplier m of the logits; the factor on q\u00B7k that papers write is \u03BB = "
                  "m/\u221Ad. In colour: with the numbers of the window put in. All of them take"_s) +
        commonParameters();
    for (const ScaleMethod& method : scaleMethods())
        out += article(method,
                       method.counts == Counts::Nothing ? ""
                       : method.counts == Counts::Row   ? ", counts the row's keys"
                                                        : ", counts the keys",
                       workedMethod(method, scenario, analysis), "m = ");
    return out;
}

/// The multipliers at N, 4 N, 16 N and 64 N: what tells the methods apart.
QString multiplierTable(const Scenario& scenario)
{
    const double factors[] = {1, 4, 16, 64};
    QString head = u"<th align='left'>%1</th>"_s.arg(u"m at n ="_s);
    for (const double factor : factors)
        head += u"<th align='right'>%1</th>"_s.arg(countText(factor * scenario.nTrain));
    QString rows;
    for (const ScaleMethod& method : scaleMethods()) {
        const auto scale = bindScale({method.id, {}, {}});
        if (!scale || method.solved)
            continue;
        QString row = u"<td style='padding-right:20px'>%1</td>"_s.arg(escaped(method.label));
        for (const double factor : factors) {
            const double n = factor * scenario.nTrain;
            const Result<double> m = (*scale)(lastRowOf(n, scenario.nTrain, scenario.d));
            row += u"<td align='right' style='padding-left:18px'>%1</td>"_s.arg(m ? QString::number(*m, 'f', 3)
                                                                                  : u"\u2013"_s);
        }
        rows += u"<tr>%1</tr>"_s.arg(row);
    }
    return u"<table cellspacing='0' cellpadding='2' style='margin-left:8px'><tr>%1</tr>%2</table>"_s.arg(head, rows);
}

QString bibliography()
{
    QString out = heading("papers", u"Papers"_s);
    for (const Paper& paper : papers()) {
        const QString title = paper.address.empty()
                                  ? escaped(paper.title)
                                  : u"<a href='%1'>%2</a>"_s.arg(escaped(paper.address), escaped(paper.title));
        out += u"<p style='margin-top:3px;margin-bottom:3px'><a name='%1'></a>%2. %3</p>"_s.arg(
            QString::fromLatin1(QUrl::toPercentEncoding(QString::fromStdString(paper.key))), escaped(paper.key), title);
    }
    return out;
}

QString essay(const Scenario& scenario)
{
    return u"<h1>%1</h1>"_s.arg(u"How attention is scaled"_s) +
           paragraph(
               u"A query meets n keys. Each gives a score z, and softmax shares one unit of weight among them:"_s) +
           display("w_j = e^(m z_j/τ) / Σ e^(m z_k/τ)") +
           paragraph(u"The scores are z = q\u00B7k/\u221Ad: with components of variance 1 the sum q\u00B7k has "
                     "variance d, and the root keeps the spread of the scores at 1 "
                     "for any head size. Nothing in that looks at n. \u03C4 is a temperature of your own, 1 unless "
                     "you turn it. m is what this page is about."_s) +
           heading("dispersion", u"More keys, less for each"_s) +
           paragraph(u"Let the scores of a row, times m, span \u03B4. Then no weight can leave a band that narrows "
                     "as n grows:"_s) +
           display("e^−δ / n ≤ w_j ≤ e^δ / n") +
           paragraph(u"Scores of a trained model on a finite vocabulary are bounded, so with m fixed every weight goes "
                     "to zero: attention disperses. The entropy of the row, H = \u2212\u03A3 w ln w, grows like ln n, "
                     "and the row attends to e<sup>H</sup> tokens, ever more of them. A model trained at N tokens "
                     "meets, at n > N, rows that are flatter than any it has learned from."_s) +
           heading("laws", u"Two answers, and they differ"_s) +
           paragraph(u"<b>Keep a needle.</b> One key leads the n \u2212 1 others by g. Its weight is"_s) +
           display("w = 1 / (1 + (n − 1) e^(−m g))") +
           paragraph(u"and stays put only if e<sup>m g</sup> keeps up with n: m must grow like ln n. That is the law "
                     "of Log n, Scalable Softmax and, set to 1 at a length of its choice, Softmax Plus."_s) +
           paragraph(u"<b>Keep the entropy.</b> For n independent Gaussian scores the law of large numbers gives"_s) +
           display("H ≈ ln n − m² / 2") + paragraph(u"and the m that holds H at its value of N keys is"_s) +
           display("m = √(1 + 2 ln(n/N))") +
           paragraph(u"the root of a logarithm, which soon falls behind ln n. Entropy, exact, solves the same equation "
                     "without the approximation, and EIE learns its solution. InfoScale comes by another road to "
                     "nearly \u221A(ln n / ln N) where d is large, and is gentler. The approximation has an end: once "
                     "m passes \u221A(2 ln n) a row freezes onto its few largest scores, and the average no longer "
                     "tells of any row."_s) +
           paragraph(u"So at N = %1 and d = %2 the methods, each with its defaults, say:"_s.arg(number(scenario.nTrain),
                                                                                                number(scenario.d))) +
           multiplierTable(scenario) +
           paragraph(
               muted(u"A dash: the method has no value there. What it counts as n is the whole sequence here."_s)) +
           paragraph(u"Neither answer is right for every head. A head that retrieves wants the first, a head that "
                     "averages wants none of it, and a trained head's scores "
                     "are not Gaussian: on your own queries and keys the multiplier that keeps the entropy can be "
                     "measured (Entropy, measured), and it need be neither."_s) +
           heading("count", u"Which n?"_s) +
           paragraph(u"Under a causal mask row i sees i + 1 keys. A method that counts <i>keys</i> takes the length of "
                     "the sequence, the same scale in every row, and a row's scale changes when tokens are added after "
                     "it. A method that counts the <i>row</i> takes what the row sees: the past keeps its scale, and "
                     "early rows are flat. Papers do one, code the other; here it is a switch of every method, and "
                     "shown beside its name. Keys of a padding mask are never counted."_s) +
           heading("disagree", u"Where paper and code part"_s) +
           paragraph(u"Is d the size of a head or the width of the model? Is m held at 1 below N, or do short inputs "
                     "get flatter? Are a polynomial's coefficients read from the highest power or the lowest? Public "
                     "implementations have answered each both ways, and the curves differ. Both readings are presets "
                     "below, under the name of who reads it so."_s) +
           heading("limits", u"What no multiplier can do"_s) +
           paragraph(
               u"A multiplier moves all scores of a row alike; it cannot tell noise from signal. Adaptive temperature "
               "looks at each row's own entropy instead, but its published polynomial falls below 1 at H \u2248 5.94 "
               "and so leaves rows of more than some 380 effective tokens as they are, and below H \u2248 0.85 those "
               "that "
               "are sharp already. Sparse normalisers give far "
               "keys exactly nothing, a sink lets a row give less than all of its weight away, and windows never let n "
               "grow at all. Each is a row below, and each can be combined with any multiplier; where a combination "
               "makes no sense the window says so and does as it is told."_s) +
           heading("preview", u"What a preview shows"_s) +
           paragraph(u"Above 1 024 keys a change is answered twice, at once by a preview and then exactly; the label "
                     "above the maps says which is shown. In a preview a pixel is one weight, that of the middle query "
                     "and key of those that it stands for, and not their mean: it shows where weight lies rather than "
                     "how much. At m = 1 about half of the pixels over random keys are within a factor of 2 of the "
                     "mean, a fifth to a third over keys with local structure, fewer over clusters, and ever fewer the "
                     "sharper the rows. Row statistics in it are exact for the rows that it looks at, one a pixel row; "
                     "their mean entropy is within 0.05 nats of that of all rows, for all sources and masks that were "
                     "tried at 2 048 and 8 192 keys."_s) +
           paragraph(u"The chapters follow a row of attention from its beginning: the multiplier, the kernel, "
                     "positions, the mask, the normaliser, what is then measured, and "
                     "where queries and keys come from. Logarithms are natural; N is the length trained at, d the "
                     "size of a head, i the row, j the key."_s);
}

QString contents()
{
    const std::pair<const char*, QString> chapters[] = {{"methods", u"Scale methods"_s},   {"kernels", u"Kernels"_s},
                                                        {"positions", u"Positions"_s},     {"masks", u"Masks"_s},
                                                        {"normalisers", u"Normalisers"_s}, {"measures", u"Measures"_s},
                                                        {"sources", u"Sources"_s},         {"papers", u"Papers"_s}};
    QStringList links;
    for (const auto& [anchor, title] : chapters)
        links << u"<a href='#%1'>%2</a>"_s.arg(QLatin1String(anchor), title);
    return paragraph(links.join(u" &nbsp;&nbsp; "_s));
}

}  // namespace

QString referencePage(const Scenario& scenario, const Analysis* analysis)
{
    const ScaleContext context = scaleContextOf(scenario);
    const std::map<std::string, double, std::less<>> numbers{
        {"n", context.keys}, {"N", scenario.nTrain}, {"d", static_cast<double>(scenario.d)}};
    const AttentionSpec& spec = scenario.attention;
    const QString page = essay(scenario);
    const auto afterTitle = page.indexOf(u"</h1>"_s) + 5;
    return page.left(afterTitle) + contents() + page.mid(afterTitle) + methodChapter(scenario, analysis) +
           chapter("kernels", u"Kernels"_s, u"How a query and a key become one number."_s, kernels(), spec.kernel,
                   numbers) +
           chapter("positions", u"Positions"_s,
                   u"How the places of two tokens enter their logit. \u03B8<sub>p</sub> is the angle by which the "
                   "p-th pair of coordinates turns a token."_s,
                   positions(), spec.position, numbers) +
           chapter("masks", u"Masks"_s, u"Which keys j the query at i may look at."_s, masks(), spec.mask, {}) +
           chapter("normalisers", u"Normalisers"_s,
                   u"What turns a row of logits into weights. Where the weights do not sum to 1, statistics are of "
                   "the renormalised row, and the total mass is shown."_s,
                   normalisers(), spec.normaliser, {{"n", context.rowKeys}}) +
           chapter("measures", u"Measures"_s,
                   u"What is said of a row p, once its weights are renormalised to sum to 1. A row that sees no key "
                   "has none of them."_s,
                   measures(), scenario.view.measure, {{"n", context.rowKeys}}) +
           chapter("sources", u"Sources"_s, u"Where queries and keys come from."_s, sourceEntries(), scenario.source,
                   {}) +
           bibliography();
}

QImage formulaImage(const QUrl& address, double width, double devicePixelRatio)
{
    const QStringList parts =
        QUrl::fromPercentEncoding(address.toEncoded()).mid(int(qstrlen("formula:"))).split(QLatin1Char(';'));
    if (parts.size() < 3)
        return {};
    QFont font;
    font.setPixelSize(std::clamp(parts[0].toInt(), 6, 60));
    const QString markup = formulaMarkup(QStringList(parts.mid(2)).join(QLatin1Char(';')));
    Typeset text(markup, font);
    if (text.width() > width && width > 0) {
        font.setPixelSize(std::max(9, static_cast<int>(font.pixelSize() * width / text.width())));
        text = Typeset(markup, font);
    }
    const QSizeF size(std::ceil(text.width()) + 4, std::ceil(text.height()) + 6);
    QImage image((size * devicePixelRatio).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(devicePixelRatio);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.setPen(QColor(parts[1]));
    text.draw(painter, QPointF(2, 3 + text.ascent()));
    return image;
}

}  // namespace attnscope
