#include "ui/plot/typeset.h"

#include "ui/plot/qt_text.h"

#include <QFontMetricsF>
#include <QHash>
#include <QPaintEngine>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr double scriptSize = 0.77;  // of 6.5 pt: no less than 5 pt
constexpr double ruleWidth = 0.077;  // em: 0.5 pt at 6.5 pt

/// Runs and rules about a baseline at (0, 0).
struct Box {
    std::vector<Typeset::Run> runs;
    std::vector<Typeset::Rule> rules;
    double width = 0, ascent = 0, descent = 0;
};

double em(const QFont& font) { return font.pixelSize(); }

QFont scaled(QFont font, double factor)
{
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(font.pixelSize() * factor))));
    return font;
}

QFont slanted(QFont font)
{
    font.setItalic(true);
    return font;
}

Box textBox(const QString& text, const QFont& font)
{
    Box box;
    if (text.isEmpty())
        return box;
    box.runs.push_back({{0, 0}, font, text, {}, 0});
    box.width = QFontMetricsF(font).horizontalAdvance(text);
    box.ascent = 0.76 * em(font);
    box.descent = 0.22 * em(font);
    return box;
}

/// Puts `right` after `left`, raised by `rise`. Runs that continue one another become one, so that a text stays a text.
void append(Box& left, const Box& right, double space = 0, double rise = 0)
{
    const double x = left.width + space;
    size_t first = 0;
    left.width = x + right.width;
    if (space == 0 && rise == 0 && !left.runs.empty() && !right.runs.empty() && left.rules.empty()) {
        Typeset::Run& last = left.runs.back();
        const Typeset::Run& next = right.runs.front();
        const double end = last.origin.x() + QFontMetricsF(last.font).horizontalAdvance(last.text);
        if (last.font == next.font && last.origin.y() == 0 && next.origin == QPointF(0, 0) &&
            std::abs(end - x) < 1e-6) {
            last.text += next.text;
            first = 1;
            if (right.runs.size() == 1)
                left.width = last.origin.x() + QFontMetricsF(last.font).horizontalAdvance(last.text);
        }
    }
    for (size_t i = first; i < right.runs.size(); ++i) {
        left.runs.push_back(right.runs[i]);
        left.runs.back().origin += QPointF(x, -rise);
    }
    for (const Typeset::Rule& rule : right.rules)
        left.rules.push_back({rule.line.translated(x, -rise), rule.width});
    left.ascent = std::max(left.ascent, right.ascent + rise);
    left.descent = std::max(left.descent, right.descent - rise);
}

const QHash<QString, QString>& symbols()
{
    static const QHash<QString, QString> table{
        {"alpha", "α"}, {"beta", "β"},  {"gamma", "γ"},  {"delta", "δ"},   {"epsilon", "ε"}, {"eta", "η"},
        {"theta", "θ"}, {"kappa", "κ"}, {"lambda", "λ"}, {"mu", "μ"},      {"nu", "ν"},      {"xi", "ξ"},
        {"pi", "π"},    {"rho", "ρ"},   {"sigma", "σ"},  {"tau", "τ"},     {"phi", "φ"},     {"chi", "χ"},
        {"psi", "ψ"},   {"omega", "ω"}, {"Delta", "Δ"},  {"Sigma", "Σ"},   {"Lambda", "Λ"},  {"Omega", "Ω"},
        {"infty", "∞"}, {"sum", "∑"},   {"int", "∫"},    {"partial", "∂"}, {"cdot", "·"},    {"times", "×"},
        {"pm", "±"},    {"le", "≤"},    {"ge", "≥"},     {"ne", "≠"},      {"approx", "≈"},  {"propto", "∝"},
        {"to", "→"},    {"in", "∈"},    {"ldots", "…"},  {"star", "*"},    {"degree", "°"}};
    return table;
}

bool isName(const QString& word)
{
    static const QStringList names{"ln",   "log", "exp", "max",    "min",     "cos", "sin",
                                   "tanh", "E",   "Var", "argmax", "softmax", "P",   "KL"};
    return names.contains(word);
}

enum class Atom { Start, Ordinary, Name, Binary, Relation, Open, Close, Punctuation };

Atom atomOf(QChar c)
{
    if (u"=<>≤≥≠≈∝→∈"_s.contains(c))
        return Atom::Relation;
    if (u"+−·×±"_s.contains(c))
        return Atom::Binary;
    if (u"([{"_s.contains(c))
        return Atom::Open;
    if (u")]}"_s.contains(c))
        return Atom::Close;
    if (c == QLatin1Char(',') || c == QLatin1Char(';'))
        return Atom::Punctuation;
    return Atom::Ordinary;
}

/// The white space between two neighbours, in em.
double spaceBetween(Atom left, Atom right, bool script)
{
    if (left == Atom::Start)
        return 0;
    const bool named = (left == Atom::Name && (right == Atom::Ordinary || right == Atom::Name)) ||
                       (right == Atom::Name && (left == Atom::Ordinary || left == Atom::Close));
    if (named)
        return 0.17;
    if (script)
        return 0;
    if (left == Atom::Relation || right == Atom::Relation)
        return 0.24;
    if (left == Atom::Binary || right == Atom::Binary)
        return 0.2;
    return left == Atom::Punctuation ? 0.17 : 0;
}

/// Reads mathematics from `m_at` on: the grammar of typeset.h by recursive descent.
class MathReader {
public:
    /// `plain`: all on one line, x^2, e^(−δ), (a + b)/c, as it is typed.
    explicit MathReader(const QString& text, bool plain = false) : m_text(text), m_plain(plain) {}

    Box read(const QFont& font, bool script = false, bool untilBrace = false)
    {
        Box line;
        Atom before = Atom::Start;
        while (m_at < m_text.size()) {
            const QChar c = m_text[m_at];
            if (untilBrace && c == QLatin1Char('}')) {
                ++m_at;
                break;
            }
            if (c == QLatin1Char(' ')) {
                ++m_at;
                continue;
            }
            if (c == QLatin1Char('_') || c == QLatin1Char('^')) {
                scripts(line, font);
                before = before == Atom::Name ? Atom::Name : Atom::Ordinary;
                continue;
            }
            Atom kind = Atom::Ordinary;
            const Box next = atom(font, kind);
            if (kind == Atom::Binary && before != Atom::Ordinary && before != Atom::Close)
                kind = Atom::Ordinary;  // a sign, not an operation
            append(line, next, spaceBetween(before, kind, script) * em(font));
            before = kind;
        }
        return line;
    }

private:
    Box group(const QFont& font, bool script)
    {
        if (m_at < m_text.size() && m_text[m_at] == QLatin1Char('{')) {
            ++m_at;
            return read(font, script, true);
        }
        Atom kind = Atom::Ordinary;
        return m_at < m_text.size() ? atom(font, kind) : Box{};
    }

    QString rawGroup()
    {
        if (m_at >= m_text.size() || m_text[m_at] != QLatin1Char('{'))
            return {};
        const qsizetype end = m_text.indexOf(QLatin1Char('}'), m_at);
        const QString inside = m_text.mid(m_at + 1, end < 0 ? -1 : end - m_at - 1);
        m_at = end < 0 ? m_text.size() : end + 1;
        return inside;
    }

    /// A subscript and a superscript of the same base stand above one another.
    void scripts(Box& line, const QFont& font)
    {
        const QFont small = scaled(font, scriptSize);
        Box lower, upper;
        while (m_at < m_text.size() && (m_text[m_at] == QLatin1Char('_') || m_text[m_at] == QLatin1Char('^'))) {
            const bool up = m_text[m_at++] == QLatin1Char('^');
            (up ? upper : lower) = group(small, true);
        }
        if (m_plain) {
            append(line, lower);
            append(line, raisedInPlain(upper, font));
            return;
        }
        Box both;
        append(both, lower, 0, -0.18 * em(font));
        const double lowerWidth = both.width;
        both.width = 0;
        append(both, upper, 0, 0.36 * em(font));
        both.width = std::max(both.width, lowerWidth);
        append(line, both, 0.04 * em(font));
        line.width += 0.03 * em(font);
    }

    /// Marks, as of a prime, stand as they are.
    Box raisedInPlain(const Box& upper, const QFont& font)
    {
        const QString text = upper.runs.size() == 1 ? upper.runs.front().text : QString();
        if (upper.runs.empty() || (text.size() == 1 && u"*\u2032\u2020\u2021"_s.contains(text)))
            return upper;
        Box plain = textBox(u"^"_s, font);
        append(plain, upper.runs.size() == 1 ? upper : inBrackets(upper, font));
        return plain;
    }

    Box inBrackets(const Box& inside, const QFont& font)
    {
        Box box = textBox(u"("_s, font);
        append(box, inside);
        append(box, textBox(u")"_s, font));
        return box;
    }

    Box atom(const QFont& font, Atom& kind)
    {
        const QChar c = m_text[m_at++];
        if (c == QLatin1Char('{'))
            return read(font, false, true);
        if (c == QLatin1Char('\\'))
            return command(font, kind);
        QString text = c == QLatin1Char('-') ? u"−"_s : QString(c);
        kind = atomOf(text.front());
        if (c.isDigit())
            while (m_at < m_text.size() &&
                   (m_text[m_at].isDigit() ||
                    (m_text[m_at] == QLatin1Char('.') && m_at + 1 < m_text.size() && m_text[m_at + 1].isDigit())))
                text += m_text[m_at++];
        const bool variable = c.isLetter() && !(c.script() == QChar::Script_Greek && c.isUpper());
        return textBox(text, variable ? slanted(font) : font);
    }

    Box command(const QFont& font, Atom& kind)
    {
        if (m_at < m_text.size() && !m_text[m_at].isLetter()) {
            const QChar c = m_text[m_at++];
            Box space;
            space.width = (c == QLatin1Char(',') ? 0.17 : 0.28) * em(font);
            return c == QLatin1Char(',') || c == QLatin1Char(' ') ? space : textBox(c, font);
        }
        QString word;
        while (m_at < m_text.size() && m_text[m_at].isLetter())
            word += m_text[m_at++];
        if (word == "text"_L1)
            return textBox(rawGroup(), font);
        if (word == "sqrt"_L1)
            return root(font);
        if (word == "frac"_L1)
            return fraction(font);
        if (isName(word)) {
            kind = Atom::Name;
            return textBox(word, font);
        }
        const auto symbol = symbols().find(word);
        if (symbol == symbols().end())
            return textBox(QLatin1Char('\\') + word, font);
        kind = atomOf(symbol->front());
        return textBox(*symbol, symbol->front().isLower() ? slanted(font) : font);
    }

    Box root(const QFont& font)
    {
        const Box inside = group(font, false);
        if (m_plain) {
            Box box = textBox(u"√"_s, font);
            append(box, inside.runs.size() == 1 ? inside : inBrackets(inside, font));
            return box;
        }
        const double rule = ruleWidth * em(font), clearance = 0.1 * em(font);
        const double wanted = inside.ascent + inside.descent * 0.4 + clearance;
        const QRectF plain = QFontMetricsF(font).tightBoundingRect(u"√"_s);
        // Grown with what it covers, a sign of the text's weight would look bold beside it.
        QFont grown = scaled(font, std::max(1.0, wanted / std::max(1.0, plain.height())));
        grown.setWeight(QFont::Light);
        const QRectF glyph = QFontMetricsF(grown).tightBoundingRect(u"√"_s);
        Box sign = textBox(u"√"_s, grown);
        const double foot = inside.descent * 0.4;
        Box box;
        sign.ascent = sign.descent = 0;
        append(box, sign, 0, glyph.bottom() - foot);
        const double top = foot - glyph.height() + rule / 2;
        box.width = glyph.right();
        append(box, inside, 0.06 * em(font));
        box.width += 0.06 * em(font);
        box.rules.push_back({QLineF(glyph.right() - rule, top, box.width, top), rule});
        box.ascent = std::max(box.ascent, -top + rule);
        return box;
    }

    Box fraction(const QFont& font)
    {
        const QFont small = scaled(font, 0.85);
        const Box upper = group(small, false), lower = group(small, false);
        if (m_plain) {
            Box box = upper.runs.size() == 1 ? upper : inBrackets(upper, font);
            append(box, textBox(u"/"_s, font));
            append(box, lower.runs.size() == 1 ? lower : inBrackets(lower, font));
            return box;
        }
        const double axis = 0.28 * em(font), gap = 0.12 * em(font), rule = ruleWidth * em(font);
        const double width = std::max(upper.width, lower.width) + 0.16 * em(font);
        Box box;
        box.width = (width - upper.width) / 2;
        append(box, upper, 0, axis + gap + upper.descent);
        box.width = (width - lower.width) / 2;
        append(box, lower, 0, axis - gap - lower.ascent);
        box.width = width;
        box.rules.push_back({QLineF(0, -axis, width, -axis), rule});
        return box;
    }

    QString m_text;
    bool m_plain;
    qsizetype m_at = 0;
};

}  // namespace

namespace {

/// Text, mathematics, text, ...
QStringList partsOf(QString markup)
{
    constexpr QChar dollar(0xE000);  // private use: in no text
    QStringList parts = markup.replace("\\$"_L1, QString(dollar)).split(QLatin1Char('$'));
    return parts.replaceInStrings(QString(dollar), u"$"_s);
}

}  // namespace

Typeset::Typeset(const QString& markup, const QFont& font)
{
    // A chart measures the same few labels again for every new picture, and shaping text is most of what that costs.
    constexpr qsizetype most = 1024;
    thread_local QHash<std::pair<QString, QString>, Typeset> known;
    const std::pair<QString, QString> key(markup, font.key());
    if (const auto found = known.constFind(key); found != known.constEnd()) {
        *this = *found;
        return;
    }
    lay(markup, font);
    if (known.size() >= most)
        known.clear();
    known.insert(key, *this);
}

void Typeset::lay(const QString& markup, const QFont& font)
{
    Box line;
    const QStringList parts = partsOf(markup);
    for (qsizetype i = 0; i < parts.size(); ++i)
        append(line, i % 2 ? MathReader(parts[i]).read(font) : textBox(parts[i], font));
    m_runs = std::move(line.runs);
    for (Run& run : m_runs) {
        run.shaped = QStaticText(run.text);
        run.shaped.setTextFormat(Qt::PlainText);
        run.shaped.prepare({}, run.font);
        run.ascent = QFontMetricsF(run.font).ascent();
    }
    m_rules = std::move(line.rules);
    m_width = line.width;
    m_ascent = line.ascent;
    m_descent = line.descent;
    m_middle = 0.36 * em(font);
}

namespace {

/// A text cut before and after every sign. Beside digits and capitals Inter and other fonts replace brackets, =, <, -
/// and their kin by glyphs that stand higher; a PDF names a glyph by the font's character map, which lacks those, and
/// they could not be read back. A sign that is drawn by itself keeps the glyph that has a name. ('x' between digits
/// becomes a times sign in the same way.)
QStringList namedPieces(const QString& text)
{
    const auto stands = [&](qsizetype i) {
        const QChar c = text[i];
        const bool times = c == QLatin1Char('x') && i > 0 && (text[i - 1].isDigit() || text[i - 1].isSpace());
        return times || ((c.isPunct() || c.isSymbol()) && c != QLatin1Char('.') && c != QLatin1Char(','));
    };
    QStringList pieces;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (i == 0 || stands(i) || stands(i - 1))
            pieces << QString();
        pieces.back() += text[i];
    }
    return pieces;
}

void drawRun(QPainter& painter, QPointF at, const Typeset::Run& run)
{
    painter.setFont(run.font);
    const QPaintEngine* engine = painter.paintEngine();
    if (engine && engine->type() == QPaintEngine::Raster)
        return painter.drawStaticText(at - QPointF(0, run.ascent), run.shaped);
    if (!engine || engine->type() != QPaintEngine::Pdf)
        return painter.drawText(at, run.text);
    const QFontMetricsF metrics(run.font);
    for (const QString& piece : namedPieces(run.text)) {
        painter.drawText(at, piece);
        at.rx() += metrics.horizontalAdvance(piece);
    }
}

}  // namespace

void Typeset::draw(QPainter& painter, QPointF origin) const
{
    painter.save();
    const QColor ink = painter.pen().color();
    for (const Run& run : m_runs)
        drawRun(painter, origin + run.origin, run);
    for (const Rule& rule : m_rules) {
        painter.setPen(QPen(ink, rule.width, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(rule.line.translated(origin));
    }
    painter.restore();
}

void Typeset::draw(QPainter& painter, QPointF anchor, Qt::Alignment alignment) const
{
    if (alignment & Qt::AlignRight)
        anchor.rx() -= m_width;
    else if (alignment & Qt::AlignHCenter)
        anchor.rx() -= m_width / 2;
    if (alignment & Qt::AlignTop)
        anchor.ry() += m_ascent;
    else if (alignment & Qt::AlignVCenter)
        anchor.ry() += m_middle;
    else if (alignment & Qt::AlignBottom)
        anchor.ry() -= m_descent;
    draw(painter, anchor);
}

void Typeset::drawUpwards(QPainter& painter, QPointF centre) const
{
    painter.save();
    painter.translate(centre);
    painter.rotate(-90);
    draw(painter, QPointF(-m_width / 2, (m_ascent - m_descent) / 2));
    painter.restore();
}

QString plainText(const QString& markup)
{
    QFont font;
    font.setPixelSize(100);
    QString text;
    const QStringList parts = partsOf(markup);
    for (qsizetype i = 0; i < parts.size(); ++i) {
        if (i % 2 == 0) {
            text += parts[i];
            continue;
        }
        double end = 0;
        for (const Typeset::Run& run : MathReader(parts[i], true).read(font).runs) {
            if (run.origin.x() > end + 10)
                text += QLatin1Char(' ');
            text += run.text;
            end = run.origin.x() + QFontMetricsF(run.font).horizontalAdvance(run.text);
        }
    }
    return text;
}

}  // namespace attnscope
