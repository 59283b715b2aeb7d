#include "ui/plot/formula.h"

#include "ui/plot/qt_text.h"

#include <QStringList>

#include <optional>
#include <utility>

namespace attnscope {

namespace {

bool isFunction(const QString& word)
{
    static const QStringList names{"ln", "log", "exp", "max", "min", "cos", "sin", "tanh", "softmax"};
    return names.contains(word);
}

/// ² -> "^{2}", ₊ -> "_{+}", else nothing.
QString script(QChar c)
{
    static const QString upper = u"⁰¹²³⁴⁵⁶⁷⁸⁹"_s, lower = u"₀₁₂₃₄₅₆₇₈₉"_s;
    if (const auto digit = upper.indexOf(c); digit >= 0)
        return u"^{%1}"_s.arg(digit);
    if (const auto digit = lower.indexOf(c); digit >= 0)
        return u"_{%1}"_s.arg(digit);
    return c == u'₊' ? u"_{+}"_s : QString();
}

bool separates(QChar c) { return u"=<>≤≥+−,;~?:"_s.contains(c); }

/// (inside) without its brackets, if they are those of one group.
QString unbracketed(const QString& markup)
{
    if (!markup.startsWith(u'(') || !markup.endsWith(u')'))
        return markup;
    int depth = 0;
    for (qsizetype at = 0; at < markup.size(); ++at) {
        depth += markup[at] == u'(' ? 1 : markup[at] == u')' ? -1 : 0;
        if (depth == 0 && at + 1 < markup.size())
            return markup;
    }
    return markup.mid(1, markup.size() - 2);
}

class FormulaReader {
public:
    explicit FormulaReader(const QString& text) : m_text(text) {}

    /// Everything. A bracket that closes nothing stands for itself.
    QString whole()
    {
        QString markup = level(false);
        while (m_at < m_text.size()) {
            markup += m_text[m_at++];
            markup += level(false);
        }
        return markup;
    }

private:
    /// Up to the bracket that closes this level, which stays unread.
    QString level(bool inScript)
    {
        QString done, factors;             // what is before the last separator, and the product since
        std::optional<QString> numerator;  // that stands over it
        const auto finish = [&] {
            done += numerator ? u"\\frac{%1}{%2}"_s.arg(unbracketed(*numerator), unbracketed(factors)) : factors;
            factors.clear();
            numerator.reset();
        };
        while (m_at < m_text.size() && m_text[m_at] != u')') {
            const QChar c = m_text[m_at];
            if (!inScript && m_text.mid(m_at, 3) == " / "_L1 && !numerator) {
                numerator = std::exchange(factors, QString());
                m_at += 3;
            } else if (separates(c)) {
                finish();
                done += c == u'~' || c == u'?' || c == u':' ? u"\\ %1\\ "_s.arg(c) : QString(c);
                ++m_at;
            } else if (c == u' ') {
                factors += space();
            } else {
                factors += atom(inScript);
            }
        }
        finish();
        return done;
    }

    QChar peek(qsizetype ahead = 0) const { return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : QChar(); }

    /// Between two factors a space is a thin one, beside a word a wide one, beside an operator none.
    QString space()
    {
        const QChar before = m_at > 0 ? m_text[m_at - 1] : QChar();
        ++m_at;
        const QChar after = peek();
        if (separates(before) || separates(after) || before == u'·' || after == u'·' || before.isNull() ||
            after.isNull())
            return {};
        return m_lastWasWord || (after.isLetter() && startsWord()) ? u"\\ "_s : u"\\,"_s;
    }

    /// A name brings its own space.
    QString named(const QString& name)
    {
        m_at += peek() == u' ' ? 1 : 0;
        return QLatin1Char('\\') + name + QLatin1Char(' ');
    }

    QString word() const
    {
        qsizetype end = m_at;
        while (end < m_text.size() && m_text[end].isLetter())
            ++end;
        return m_text.mid(m_at, end - m_at);
    }

    bool startsWord() const { return word().size() > 1 && !isFunction(word()); }

    QString group(bool inScript)
    {
        ++m_at;
        const QString inside = level(inScript);
        m_at += peek() == u')' ? 1 : 0;
        return inside;
    }

    /// What ^ or _ raises or lowers: an optional sign, then one atom or a bracketed group.
    QString scripted()
    {
        QString sign;
        if (peek() == u'−') {
            sign = u"−"_s;
            ++m_at;
        }
        if (peek() == u'(') {
            const QString inside = group(true);
            return sign.isEmpty() ? inside : sign + QLatin1Char('(') + inside + QLatin1Char(')');
        }
        return sign + atom(true);
    }

    QString atom(bool inScript)
    {
        m_lastWasWord = false;
        const QChar c = peek();
        if (c == u'(')
            return QLatin1Char('(') + group(inScript) + QLatin1Char(')');
        if (c == u'^' || c == u'_') {
            ++m_at;
            return c + u"{%1}"_s.arg(scripted());
        }
        if (c == u'√') {
            ++m_at;
            return u"\\sqrt{%1}"_s.arg(peek() == u'(' ? group(inScript) : rooted(inScript));
        }
        if (const QString small = script(c); !small.isEmpty()) {
            ++m_at;
            return small;
        }
        return c.isLetter() ? letters() : c.isDigit() ? number() : QString(m_text[m_at++]);
    }

    /// √max(a, b): a function takes its argument with it.
    QString rooted(bool inScript)
    {
        QString inside = atom(inScript);
        if (inside.startsWith(u'\\') && peek() == u'(')
            inside += atom(inScript);
        return inside;
    }

    QString letters()
    {
        const QString text = word();
        m_at += text.size();
        if (text == "E"_L1)
            return named(text);
        if (text.size() == 1) {
            const bool indexed = peek().isDigit();  // c4
            return indexed ? text + u"_{%1}"_s.arg(number()) : text;
        }
        if (isFunction(text) && !peek().isDigit())
            return named(text);
        QString name = text;
        while (peek().isDigit())
            name += m_text[m_at++];
        m_lastWasWord = true;
        return u"\\text{%1}"_s.arg(name);
    }

    QString number()
    {
        const qsizetype begin = m_at;
        while (peek().isDigit() || (peek() == u'.' && peek(1).isDigit()))
            ++m_at;
        return m_text.mid(begin, m_at - begin);
    }

    QString m_text;
    qsizetype m_at = 0;
    bool m_lastWasWord = false;
};

}  // namespace

QString formulaMarkup(const QString& formula)
{
    QString text = formula;
    text.remove(u'$').remove(u'{').remove(u'}').replace(u'\\', u'/');
    return QLatin1Char('$') + FormulaReader(text).whole() + QLatin1Char('$');
}

}  // namespace attnscope
