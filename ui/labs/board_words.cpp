#include "ui/labs/board_words.h"

#include "core/scaling/scale_method.h"
#include "ui/figure/scoreboard_table.h"
#include "ui/figure/labels.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/plot/typeset.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

QString three(double value) { return printed(formatNumber(value, 3)); }
QString two(double p) { return printed(formatNumber(p, 2)); }

QString quality(double value, const QString& unit)
{
    return printed(formatNumber(value, 4)) + (unit.contains(QLatin1Char('%')) ? u"\u202F%"_s : QString());
}

QString referenceName(const Scoreboard& board)
{
    return isVanilla(board.reference) ? u"Vanilla"_s : plainText(methodLabel(board, board.reference, false));
}

/// "3.9 points of percentage more": the gain, by what the task counts.
QString gainWords(double gain, const QString& of, const QString& reference)
{
    const QString size = three(std::abs(gain));
    const bool share = of.contains(QLatin1Char('%'));
    if (std::abs(gain) < 1e-9)
        return u"the same as %1"_s.arg(reference);
    if (share)
        return gain > 0 ? u"%1 points better"_s.arg(size) : u"%1 points worse"_s.arg(size);
    return gain > 0 ? u"%1\u202F% lower, which is better"_s.arg(size) : u"%1\u202F% higher, which is worse"_s.arg(size);
}

QString testWords(const BoardCell& cell, const QString& reference)
{
    const QString over = text(cell.pairedOver);
    if (!cell.copyOf.empty())
        return u"It does here what %1 does."_s.arg(plainText(variantLabel(text(cell.copyOf))));
    if (!cell.isTested)
        return u"What needs no network: methods are held against it, and it is not tested."_s;
    const QString corrected = cell.q ? u"q = %1 after correction for all such tests"_s.arg(two(*cell.q)) : QString();
    if (cell.p && cell.standardError) {
        QStringList gains;
        for (const BoardPair& pair : cell.networks)
            gains << gainText(pair.gain);
        const double again = halfIntervalOfOthers(cell).value_or(0);
        return u"Standard error %1, p = %2, %3 (Student's paired t-test over %4 %5: %6)."_s
                   .arg(three(*cell.standardError), two(*cell.p), corrected)
                   .arg(cell.pairs)
                   .arg(over, gains.join(u", "_s)) +
               u"\nAs many other %1 would gain %2 to %3, 19 times in 20."_s.arg(over, gainText(cell.gain - again),
                                                                                gainText(cell.gain + again));
    }
    if (cell.p)
        return u"p = %1, %2, over %3 %4 of one network: it says nothing of others."_s.arg(two(*cell.p), corrected)
            .arg(cell.pairs)
            .arg(over);
    if (cell.pairs > 1 && !over.isEmpty())
        return u"All %1 %2 differ from %3 by the same: without a spread there is no test."_s.arg(cell.pairs)
            .arg(over, reference);
    return u"One network or run, and no test: nothing varies that could be tested."_s;
}

/// Of its column.
QString rankWords(const Scoreboard& board, const BoardCell& cell, const QString& unit)
{
    if (isBest(cell)) {
        int others = 0, apart = 0;
        for (const BoardCell& other : board.cells)
            if (other.task == cell.task && other.ratio == cell.ratio && other.behindP) {
                ++others;
                apart += *other.behindP < 0.05;
            }
        return u"The best here: %1 of %2 others can be told from it (paired t-tests, p < 0.05 after Holm)."_s.arg(apart)
            .arg(others);
    }
    const BoardCell* best = board.find(cell.task, cell.behind, cell.ratio);
    if (!best || !cell.behindP)
        return {};
    return u"%1%2 behind the best here, %3: p = %4 after Holm."_s.arg(
        three(best->gain - cell.gain), unit.contains(QLatin1Char('%')) ? u" points"_s : u"\u202F%"_s,
        plainText(methodLabel(board, best->method, false)), two(*cell.behindP));
}

}  // namespace

BoardWords wordsOf(const Scoreboard& board, const BoardCell& cell)
{
    const auto task = std::ranges::find(board.tasks, cell.task, &Scoreboard::Task::label);
    const bool reference = isVanilla(cell.method);
    const QString unit = task == board.tasks.end() ? QString() : text(task->quality);
    const QString noun = QString(unit).remove(u" (%)"_s);
    BoardWords words;
    words.title =
        u"%1 at n = %2\u202FN = %3"_s.arg(reference ? u"Vanilla"_s : plainText(methodLabel(board, cell.method, false)),
                                          number(cell.ratio), countText(cell.n));
    if (task != board.tasks.end())
        words.task = plainText(taskTitle(*task));
    QStringList sentences;
    if (reference)
        sentences << u"%1: %2. The others are held against it."_s.arg(noun, quality(cell.value, unit));
    else
        sentences << u"%1: %2, Vanilla %3: %4."_s.arg(noun, quality(cell.value, unit), quality(cell.vanilla, unit),
                                                      gainWords(cell.gain, unit, u"Vanilla"_s))
                  << testWords(cell, u"Vanilla"_s);
    if (const QString rank = rankWords(board, cell, unit); !rank.isEmpty())
        sentences << rank;
    if (!reference && !cell.comparable)
        sentences << u"At N it is not 1: the network is not used as it was trained."_s;
    sentences.front() = sentences.front().left(1).toUpper() + sentences.front().mid(1);
    if (cell.entropy && cell.entropyChange) {
        const double change = 100 * *cell.entropyChange;
        const QString size = three(std::abs(change));
        sentences << u"Mean entropy of the heads %1 nats, %2 Vanilla's at N."_s.arg(
            three(*cell.entropy), std::abs(change) < 0.05 ? u"as"_s
                                  : change > 0            ? u"%1\u202F% above"_s.arg(size)
                                                          : u"%1\u202F% below"_s.arg(size));
    }
    words.found = sentences.join(QLatin1Char('\n'));
    return words;
}

QString wordsAgainst(const Scoreboard& board, const BoardCell& of)
{
    const QString reference = referenceName(board);
    const BoardCell* cell = board.find(of.task, of.method, of.ratio);
    const auto task = std::ranges::find(board.tasks, of.task, &Scoreboard::Task::label);
    if (of.method == board.reference)
        return {};
    if (!cell && isVanilla(of.method))
        return u"The cell of %1 holds it against Vanilla.\n"_s.arg(reference);
    if (!cell || task == board.tasks.end())
        return u"Against %1: no network was tested with both here.\n"_s.arg(reference);
    const QString unit = text(task->quality);
    return u"Against %1, %2: %3. "_s.arg(reference, quality(cell->vanilla, unit),
                                         gainWords(cell->gain, unit, reference)) +
           testWords(*cell, reference) + QLatin1Char('\n');
}

QString commandOf(const BoardRun& run)
{
    return u"attnscope lab '%1' --out DIR"_s.arg(
        text(formatChoice(run.record.choice)).replace(QLatin1Char('\''), u"'\\''"_s));
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
    const QString said =
        u"%1\u202F% is half-way to the strongest colour. Dots: q < 0.05, 0.01, 0.001, which is p corrected for all "
        "tests (Benjamini and Hochberg); without, no colour. Bold: the best of its column, where that is over "
        "networks; its cell says whether chance could have made it so. \u2020: not 1 at N."_s.arg(halfColourGain) +
        u"\n\n"_s +
        (tests == testsOverNetworks
             ? u"Of %1 tests at all lengths, all over networks, %2 are left by the correction."_s.arg(countText(tests),
                                                                                                      countText(stars))
             : u"Of %1 tests at all lengths %2 are left by the correction, of those over networks %3 of %4. Columns of "
               "one network say nothing of others."_s.arg(countText(tests), countText(stars),
                                                          countText(starsOverNetworks), countText(testsOverNetworks)));
    QStringList missing;
    for (const std::string& line : whatIsMissing(board))
        missing << text(line.substr(0, line.find(": ")));
    return missing.isEmpty()
               ? said
               : said + u"\n\n"_s +
                     u"No ticked run for: %1. Your own runs of labs are listed as they finish, and count once they are "
                     "ticked."_s.arg(missing.join(u", "_s));
}

}  // namespace attnscope
