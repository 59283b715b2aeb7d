#include "ui/window/labs/board_words.h"

#include "core/scaling/scale_method.h"
#include "ui/figure/scoreboard_table.h"
#include "ui/figure/variant_label.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/typeset.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

QString three(double value) { return text(formatNumber(value, 3)); }
QString two(double p) { return text(formatNumber(p, 2)); }

QString quality(double value, const QString& unit)
{
    return three(value) + (unit.contains(QLatin1Char('%')) ? QStringLiteral("\u202F%") : QString());
}

/// "3.9 points of percentage more": the gain, by what the task counts.
QString gainWords(double gain, const QString& of)
{
    const QString size = three(std::abs(gain));
    const bool share = of.contains(QLatin1Char('%'));
    if (std::abs(gain) < 1e-9)
        return tr("the same as vanilla");
    if (share)
        return gain > 0 ? tr("%1 points better").arg(size) : tr("%1 points worse").arg(size);
    return gain > 0 ? tr("%1\u202F% lower, which is better").arg(size)
                    : tr("%1\u202F% higher, which is worse").arg(size);
}

QString testWords(const BoardCell& cell)
{
    const QString over = text(cell.pairedOver);
    if (!cell.copyOf.empty())
        return tr("It does here what %1 does.").arg(plainText(variantLabel(text(cell.copyOf))));
    const QString corrected = cell.q ? tr("q = %1 after correction for all such tests").arg(two(*cell.q)) : QString();
    if (cell.p && cell.standardError) {
        QStringList gains;
        for (const BoardPair& pair : cell.networks)
            gains << gainText(pair.gain);
        return tr("Standard error %1, p = %2, %3 (Student\u2019s paired t-test over %4 %5: %6).")
            .arg(three(*cell.standardError), two(*cell.p), corrected)
            .arg(cell.pairs)
            .arg(over, gains.join(QStringLiteral(", ")));
    }
    if (cell.p)
        return tr("p = %1, %2, over %3 %4 of one network: it says nothing of others.")
            .arg(two(*cell.p), corrected)
            .arg(cell.pairs)
            .arg(over);
    if (cell.pairs > 1 && !over.isEmpty())
        return tr("All %1 %2 differ from vanilla by the same: without a spread there is no test.")
            .arg(cell.pairs)
            .arg(over);
    return tr("One network or run, and no test: nothing varies that could be tested.");
}

}  // namespace

BoardWords wordsOf(const Scoreboard& board, const BoardCell& cell)
{
    const auto task = std::ranges::find(board.tasks, cell.task, &Scoreboard::Task::label);
    const bool reference = isVanilla(cell.method);
    const QString unit = task == board.tasks.end() ? QString() : text(task->quality);
    const QString noun = QString(unit).remove(QStringLiteral(" (%)"));
    BoardWords words;
    words.title = tr("%1 at n = %2\u202FN = %3")
                      .arg(reference ? tr("Vanilla") : plainText(methodLabel(board, cell.method, false)),
                           number(cell.ratio), number(cell.n));
    if (task != board.tasks.end())
        words.task = plainText(taskTitle(*task));
    QStringList sentences;
    if (reference)
        sentences << tr("%1: %2. The others are held against it.").arg(noun, quality(cell.value, unit));
    else
        sentences << tr("%1: %2, vanilla %3: %4.")
                         .arg(noun, quality(cell.value, unit), quality(cell.vanilla, unit), gainWords(cell.gain, unit))
                  << testWords(cell);
    if (!reference && !cell.comparable)
        sentences << tr("At N it is not 1: the network is not used as it was trained.");
    sentences.front() = sentences.front().left(1).toUpper() + sentences.front().mid(1);
    if (cell.entropy && cell.entropyChange) {
        const double change = 100 * *cell.entropyChange;
        const QString size = three(std::abs(change));
        sentences << tr("Mean entropy of the heads %1 nats, %2 vanilla\u2019s at N.")
                         .arg(three(*cell.entropy), std::abs(change) < 0.05 ? tr("as")
                                                    : change > 0            ? tr("%1\u202F% above").arg(size)
                                                                            : tr("%1\u202F% below").arg(size));
    }
    words.found = sentences.join(QLatin1Char(' '));
    return words;
}

QString commandOf(const BoardRun& run)
{
    return QStringLiteral("attnscope lab '%1' --out DIR")
        .arg(text(formatChoice(run.record.choice)).replace(QLatin1Char('\''), QStringLiteral("'\\''")));
}

QString boardCounts(const Scoreboard& board)
{
    int tests = 0, stars = 0, testsOverNetworks = 0, starsOverNetworks = 0;
    for (const BoardCell& cell : board.cells) {
        const bool tested = cell.q && cell.copyOf.empty(), networks = cell.networks.size() > 1;
        tests += tested;
        stars += tested && starsOf(cell) > 0;
        testsOverNetworks += tested && networks;
        starsOverNetworks += tested && networks && starsOf(cell) > 0;
    }
    QString said =
        tr("Blue is better than vanilla, red worse, full colour from %1\u202F%. Dots: q < 0.05, 0.01, 0.001, which is "
           "p "
           "corrected for all tests (Benjamini and Hochberg); without, no colour. \u2020: not 1 at N.")
            .arg(fullColourGain) +
        QLatin1Char('\n') +
        tr("Of %1 tests at all lengths %2 are left by the correction, of those over networks %3 of %4. Columns of one "
           "network say nothing of others.")
            .arg(tests)
            .arg(stars)
            .arg(starsOverNetworks)
            .arg(testsOverNetworks);
    QStringList missing;
    for (const std::string& line : whatIsMissing(board))
        missing << text(line.substr(0, line.find(": ")));
    return missing.isEmpty() ? said
                             : said + QLatin1Char('\n') +
                                   tr("No run yet for: %1. Runs of labs join as they finish.")
                                       .arg(missing.join(QStringLiteral(", ")));
}

}  // namespace attnscope
