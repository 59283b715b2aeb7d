#pragma once
// Small mathematical text, drawn as real text on any painter (PDF, SVG, screen). The markup is a few words of TeX:
//
//   Entropy $E H$ (nats)    $\lambda = m/\sqrt{d}$    $10^3$    $x_{max}$    $\frac{\ln n}{\ln N}$    $m(n) = $
//
// Outside $...$ everything is upright and taken as it stands, but that \$ is a dollar sign. Inside: Latin and Greek
// letters are italic; \ln \exp \max \min \cos \tanh \E are upright names; \lambda, \kappa, ... are Greek; _ and ^ take
// one character or {a group}; \sqrt{}, \frac{}{} and \text{}; - is a minus, = < > + get their spaces. Unknown words
// stay as typed: nothing is lost.

#include <QFont>
#include <QLineF>
#include <QPointF>
#include <QRectF>
#include <QStaticText>
#include <QString>

#include <vector>

class QPainter;

namespace attnscope {

class Typeset {
public:
    Typeset() = default;
    /// `font` needs a pixel size: the painter's units.
    Typeset(const QString& markup, const QFont& font);

    double width() const { return m_width; }
    double ascent() const { return m_ascent; }
    double descent() const { return m_descent; }
    double height() const { return m_ascent + m_descent; }
    bool isEmpty() const { return m_runs.empty(); }

    /// In the painter's pen colour; the baseline starts at `origin`.
    void draw(QPainter& painter, QPointF origin) const;
    /// The box's edge or centre that `alignment` names lies at `anchor` (Qt::AlignVCenter centres the capitals).
    void draw(QPainter& painter, QPointF anchor, Qt::Alignment alignment) const;
    /// Turned by -90 degrees about its centre, which lies at `centre`: an ordinate's title.
    void drawUpwards(QPainter& painter, QPointF centre) const;

    struct Run {
        QPointF origin;
        QFont font;
        QString text;
        QStaticText shaped;  ///< the text as the screen takes it, shaped once; empty until the whole is laid
        double ascent = 0;   ///< of its top above the baseline
    };
    struct Rule {
        QLineF line;
        double width;
    };

private:
    void lay(const QString& markup, const QFont& font);

    std::vector<Run> m_runs;
    std::vector<Rule> m_rules;
    double m_width = 0, m_ascent = 0, m_descent = 0, m_middle = 0;
};

/// The markup's text without its commands: for accessible names, tool tips and CSV headings.
QString plainText(const QString& markup);

/// Lines no wider than `width`, but for a single word that is; broken at spaces outside $...$.
std::vector<Typeset> wrapped(const QString& markup, const QFont& font, double width);

double wrappedHeight(const QString& markup, const QFont& font, double width);
/// In the painter's pen colour, from the top of the box.
void paintWrapped(QPainter&, const QString& markup, const QFont& font, const QRectF& box);

}  // namespace attnscope
