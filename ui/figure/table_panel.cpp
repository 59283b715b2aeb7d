#include "ui/figure/table_panel.h"

#include "ui/plot/qt_text.h"
#include "ui/plot/typeset.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace attnscope {

namespace {

constexpr double smallestInPrint = 0.85;  // of the style's small type: 5.5 pt on paper; a window scrolls
constexpr double partGap = 0.8;           // rows between parts
constexpr double widestName = 18;         // of the style's small type, in a window
constexpr double loosest = 2;  // as wide as they must be columns are at most, where there is more room; fields of
                               // colour as wide as the widest of them must be, times this

double rowHeight(const TableContent& table, const PlotStyle& style)
{
    return (table.marks.empty() ? 1.5 : 1.85) * style.small;
}

bool isShaded(const TableContent& table, size_t row, size_t column)
{
    const TableContent::Mark mark = table.markOf(row, column);
    return std::isfinite(mark.shade) && !mark.bare;
}

int headingLines(const TableContent& table)
{
    const auto any = [&](QString TableContent::Group::*text) {
        return std::ranges::any_of(table.groups,
                                   [&](const TableContent::Group& group) { return !(group.*text).isEmpty(); });
    };
    return 1 + any(&TableContent::Group::title) + any(&TableContent::Group::subtitle);
}

double dotsRoom(const PlotStyle& style) { return 0.45 * style.small; }

/// The markup as far as it has room, with dots where it has not.
QString cutToFit(const QString& markup, const QFont& font, double room)
{
    QString cut = markup;
    for (qsizetype length = markup.size() - 1; length > 0 && Typeset(cut, font).width() > room; --length) {
        cut = markup.first(length).trimmed();
        if (cut.count(u'$') % 2 != 0)
            cut += u'$';
        cut += u'\u2026';
    }
    return cut;
}

/// What stands before the point, and the point with what follows: numbers of a column are aligned between the two.
std::pair<QString, QString> halves(const QString& cell)
{
    const qsizetype point = cell.indexOf(QLatin1Char('.'));
    return point < 0 ? std::pair(cell, QString()) : std::pair(cell.left(point), cell.mid(point));
}

struct Column {
    double width = 0;              ///< with white space
    double before = 0, after = 0;  ///< of the widest cell's halves
};

/// Groups of consecutive columns that stand side by side.
struct Part {
    std::vector<size_t> groups;
    double width = 0;
    std::vector<size_t> rows = {};  ///< that have something there
};

struct TableLayout {
    double factor = 1;            ///< on the type
    bool even = false;            ///< columns are as wide as they are in all parts, so that the same column stands
                                  ///< below itself; else each part fills the width
    double names = 0;             ///< width of the first column
    std::vector<Column> columns;  ///< all, the first is empty
    std::vector<TableContent::Group> groups;
    std::vector<size_t> firstColumn;  ///< of each group
    std::vector<Part> parts;

    double lines(const TableContent& table, const Part& part) const
    {
        return static_cast<double>(part.rows.size()) + headingLines(table);
    }
    double lines(const TableContent& table) const
    {
        double sum = (static_cast<double>(parts.size()) - 1) * partGap;
        for (const Part& part : parts)
            sum += lines(table, part);
        return sum;
    }
};

/// The table's groups; one whose columns are wider than `room` as several, of about as many columns each.
std::vector<TableContent::Group> groupsWithin(const TableLayout& layout, const TableContent& table, double room)
{
    std::vector<TableContent::Group> groups = table.groups;
    if (groups.empty())
        groups.assign(table.columns.size() - 1, {});
    std::vector<TableContent::Group> cut;
    size_t first = 1;
    for (const TableContent::Group& group : groups) {
        const auto each = [&](int pieces) { return (group.columns + pieces - 1) / pieces; };
        const auto fit = [&](int columns) {
            for (int from = 0; from < group.columns; from += columns) {
                double width = 0;
                for (int i = from; i < std::min(from + columns, group.columns); ++i)
                    width += layout.columns[first + static_cast<size_t>(i)].width;
                if (width > room)
                    return false;
            }
            return true;
        };
        int pieces = 1;
        while (pieces < group.columns && !fit(each(pieces)))
            ++pieces;
        for (int from = 0; from < group.columns; from += each(pieces)) {
            cut.push_back(group);
            cut.back().columns = std::min(each(pieces), group.columns - from);
        }
        first += static_cast<size_t>(group.columns);
    }
    return cut;
}

/// `most`: on paper a group stays whole, whatever its width.
void measure(TableLayout& layout, const TableContent& table, const PlotStyle& style, double most)
{
    const QFont bold = style.font(style.small, true);
    const auto width = [&](const QString& text) { return Typeset(text, bold).width(); };
    layout.columns.resize(table.columns.size());
    layout.names = width(table.columns.front());
    for (const auto& row : table.rows)
        layout.names = std::max(layout.names, width(row.front()));
    layout.names += 2 * style.gap;
    if (!style.print && !table.marks.empty())  // columns matter more than the end of the longest name
        layout.names = std::min(layout.names, widestName * style.small);
    for (size_t column = 1; column < layout.columns.size(); ++column) {
        Column& one = layout.columns[column];
        for (const auto& row : table.rows) {
            const auto [before, after] = halves(row[column]);
            one.before = std::max(one.before, width(before));
            one.after = std::max(one.after, width(after));
        }
        const double space = table.marks.empty() ? 2 * style.gap : 0.7 * style.gap;  // fields of colour touch
        if (!table.marks.empty()) {                                                  // centred
            for (const auto& row : table.rows)
                one.before = std::max(one.before, width(row[column]));
            one.after = 0;
        }
        if (!style.print && table.dotted)  // beside the number, which stays in the middle
            one.before += 2 * dotsRoom(style);
        const double apart = (style.print ? 1.6 : 2.4) * style.gap;
        one.width = std::max(one.before + one.after + space, width(table.columns[column]) + std::max(space, apart));
    }
    layout.groups =
        groupsWithin(layout, table, style.print ? std::numeric_limits<double>::infinity() : most - layout.names);
    size_t column = 1;
    for (const TableContent::Group& group : layout.groups) {
        layout.firstColumn.push_back(column);
        const auto count = static_cast<size_t>(group.columns);
        double sum = 0;
        for (size_t i = 0; i < count; ++i)
            sum += layout.columns[column + i].width;
        const double subtitle = Typeset(group.subtitle, style.font(style.small)).width();
        const double missing = std::max(width(group.title), subtitle) + 2 * style.gap - sum;
        for (size_t i = 0; i < count && missing > 0; ++i)
            layout.columns[column + i].width += missing / group.columns;
        column += count;
    }
}

double widthOf(const TableLayout& layout, size_t group)
{
    double width = 0;
    for (int i = 0; i < layout.groups[group].columns; ++i)
        width += layout.columns[layout.firstColumn[group] + static_cast<size_t>(i)].width;
    return width;
}

/// Groups side by side while they fit into `most`, and one at least; without groups one part of names.
std::vector<Part> partsWithin(const TableLayout& layout, double most)
{
    std::vector<Part> parts{{{}, layout.names}};
    for (size_t group = 0; group < layout.groups.size(); ++group) {
        const double width = widthOf(layout, group);
        if (!parts.back().groups.empty() && parts.back().width + width > most)
            parts.push_back({{}, layout.names});
        parts.back().groups.push_back(group);
        parts.back().width += width;
    }
    return parts;
}

/// As few parts as fit, and of these the ones whose widest is narrowest.
void cutIntoParts(TableLayout& layout, double width, double smallest)
{
    layout.parts = partsWithin(layout, width / smallest);
    const auto widest = [&] { return std::ranges::max(layout.parts, {}, &Part::width).width; };
    for (bool narrower = true; narrower;) {
        std::vector<Part> parts = partsWithin(layout, std::nextafter(widest(), 0.0));
        narrower = parts.size() == layout.parts.size() && std::ranges::max(parts, {}, &Part::width).width < widest();
        if (narrower)
            layout.parts = std::move(parts);
    }
    layout.factor = std::min(1.0, width / widest());
}

/// A row that has nothing in a part, while it has something in another, does not stand there.
void fillParts(TableLayout& layout, const TableContent& table)
{
    const auto tells = [&](size_t row, const Part& part) {
        for (const size_t group : part.groups)
            for (int i = 0; i < layout.groups[group].columns; ++i) {
                const QString& cell = table.rows[row][layout.firstColumn[group] + static_cast<size_t>(i)];
                if (!cell.isEmpty() && cell != u"\u2013"_s)
                    return true;
            }
        return false;
    };
    for (Part& part : layout.parts)
        for (size_t row = 0; row < table.rows.size(); ++row)
            if (layout.parts.size() == 1 || tells(row, part))
                part.rows.push_back(row);
}

/// The width that the narrower columns of a part are given so that it fills `width`.
double levelOf(const TableLayout& layout, const Part& part, double width)
{
    std::vector<double> columns;
    for (const size_t group : part.groups)
        for (int i = 0; i < layout.groups[group].columns; ++i)
            columns.push_back(layout.columns[layout.firstColumn[group] + static_cast<size_t>(i)].width);
    if (columns.empty())
        return std::numeric_limits<double>::infinity();
    std::ranges::sort(columns);
    double room = width - layout.names;
    for (size_t narrower = columns.size(); narrower > 0; --narrower) {  // without those that are wider than the level
        const double level = room / static_cast<double>(narrower);
        if (level >= columns[narrower - 1])
            return level;
        room -= columns[narrower - 1];
    }
    return 0;
}

/// The part with the most columns fills the width, its columns as equal as they can be, and all others have the same.
void spreadEvenly(TableLayout& layout, double width)
{
    double level = 0;
    for (const Column& column : layout.columns)
        level = std::max(level, loosest * column.width);
    for (const Part& part : layout.parts)
        level = std::min(level, levelOf(layout, part, width));
    for (Column& column : layout.columns)
        column.width = std::max(column.width, level);
    for (Part& part : layout.parts) {
        part.width = layout.names;
        for (const size_t group : part.groups)
            part.width += widthOf(layout, group);
    }
}

TableLayout layoutTable(const TableContent& table, const PlotStyle& style, double width)
{
    TableLayout layout;
    measure(layout, table, style, width);
    cutIntoParts(layout, width, style.print ? smallestInPrint : 1);
    fillParts(layout, table);
    layout.even = !style.print && !table.marks.empty();
    if (layout.even)
        spreadEvenly(layout, width / layout.factor);
    return layout;
}

class TablePainter {
public:
    TablePainter(QPainter* painter, const TableContent& table, const PlotStyle& style, const TableLayout& layout,
                 const QRectF& frame)
        : m_painter(painter), m_table(table), m_style(style), m_layout(layout), m_frame(frame),
          m_line(frame.height() / layout.lines(table)), m_plain(style.font(style.small * layout.factor)),
          m_bold(style.font(style.small * layout.factor, true))
    {
    }

    double headingHeight() const { return m_line * headingLines(m_table); }

    void paint(const Part& part, double top)
    {
        const double heading = headingHeight(), bottom = top + m_line * m_layout.lines(m_table, part);
        spread(part);
        for (size_t place = 0; place < part.rows.size(); ++place) {
            const size_t row = part.rows[place];
            const double y = top + heading + m_line * static_cast<double>(place);
            if (place > 0 && row < m_table.ruleAbove.size() && m_table.ruleAbove[row])
                rule(m_frame.left(), m_right, y, m_style.thin);
            const QFont& font = m_table.markOf(row, 0).bold ? m_bold : m_plain;
            text(m_style.print ? m_table.rows[row].front() : cutToFit(m_table.rows[row].front(), font, m_names), font,
                 {m_frame.left(), y + m_line / 2}, Qt::AlignLeft);
        }
        text(m_table.columns.front(), m_bold, {m_frame.left(), top + heading - m_line / 2}, Qt::AlignLeft);
        double x = m_frame.left() + m_names;
        for (const size_t group : part.groups)
            x = paintGroup(part, group, x, top, heading);
        rule(m_frame.left(), m_right, top, m_style.thin * 1.5);
        rule(m_frame.left(), m_right, top + heading, m_style.thin);
        rule(m_frame.left(), m_right, bottom, m_style.thin * 1.5);
    }

    TablePart where(const Part& part, double top)
    {
        spread(part);
        TablePart is{{m_frame.left(), top, m_frame.width(), headingHeight()}, {}};
        for (size_t place = 0; place < part.rows.size(); ++place)
            is.names.emplace_back(
                part.rows[place],
                QRectF(m_frame.left(), is.headings.bottom() + m_line * static_cast<double>(place), m_names, m_line));
        return is;
    }

    /// The cells of a part.
    void place(const Part& part, double top, std::vector<std::vector<QRectF>>& cells)
    {
        spread(part);
        const double first = top + headingHeight();
        for (size_t place = 0; place < part.rows.size(); ++place) {
            const size_t row = part.rows[place];
            const double y = first + m_line * static_cast<double>(place);
            if (cells[row][0].isNull())  // of the first part that has it
                cells[row][0] = {m_frame.left(), y, m_names, m_line};
            double x = m_frame.left() + m_names;
            for (const size_t group : part.groups)
                for (int i = 0; i < m_layout.groups[group].columns; ++i) {
                    const size_t column = m_layout.firstColumn[group] + static_cast<size_t>(i);
                    cells[row][column] = {x, y, m_layout.columns[column].width * m_stretch, m_line};
                    x += cells[row][column].width();
                }
        }
    }

private:
    /// What is left over goes between the columns of numbers, as far as the eye still finds its row.
    void spread(const Part& part)
    {
        const double used = part.width * m_layout.factor;
        m_names = m_layout.names * m_layout.factor;
        m_stretch =
            m_layout.factor *
            (!m_layout.even && used > m_names ? std::min(loosest, (m_frame.width() - m_names) / (used - m_names)) : 1);
        m_right = m_frame.left() + m_names + (part.width - m_layout.names) * m_stretch;
    }

    double paintGroup(const Part& part, size_t group, double x, double top, double heading)
    {
        const double begin = x;
        for (int i = 0; i < m_layout.groups[group].columns; ++i) {
            const size_t column = m_layout.firstColumn[group] + static_cast<size_t>(i);
            const double width = m_layout.columns[column].width * m_stretch;
            paintFields(part, column, x + (i == 0 ? m_style.gap / 4 : 0),
                        width - (i == 0 ? m_style.gap / 4 : 0) -
                            (i + 1 == m_layout.groups[group].columns ? m_style.gap / 4 : 0),
                        top + heading);
            paintColumn(part, column, x + width / 2, top, heading);
            x += width;
        }
        if (!m_layout.groups[group].title.isEmpty()) {
            text(m_layout.groups[group].title, m_bold, {(begin + x) / 2, top + m_line / 2}, Qt::AlignHCenter);
            text(m_layout.groups[group].subtitle, m_plain, {(begin + x) / 2, top + 1.4 * m_line}, Qt::AlignHCenter);
            rule(begin + m_style.gap, x - m_style.gap, top + heading - m_line, m_style.thin);
        }
        return x;
    }

    void paintColumn(const Part& part, size_t column, double centre, double top, double heading)
    {
        const Column& one = m_layout.columns[column];
        const double point = centre + (one.before - one.after) / 2 * m_layout.factor;
        text(m_table.columns[column], m_bold, {centre, top + heading - m_line / 2}, Qt::AlignHCenter);
        for (size_t place = 0; place < part.rows.size(); ++place) {
            const size_t row = part.rows[place];
            const QFont& font = m_table.markOf(row, column).bold ? m_bold : m_plain;
            const QString& cell = m_table.rows[row][column];
            if (!m_table.marks.empty()) {
                text(cell, font,
                     {centre, top + heading +
                                  m_line * (static_cast<double>(place) +
                                            (m_style.print && m_table.markOf(row, column).dots ? 0.42 : 0.5))},
                     Qt::AlignHCenter, inkOf(row, column));
                continue;
            }
            text(cell, font,
                 {point - Typeset(halves(cell).first, font).width(),
                  top + heading + m_line * (static_cast<double>(place) + 0.5)},
                 Qt::AlignLeft);
        }
    }

    QColor colourOf(size_t row, size_t column) const
    {
        return shadeColour(m_table, m_style, m_table.markOf(row, column).shade);
    }

    QColor inkOf(size_t row, size_t column) const
    {
        return isShaded(m_table, row, column) ? inkOn(colourOf(row, column)) : m_style.ink;
    }

    /// What is below the numbers of a column: its colours, with hair lines between, and dots.
    void paintFields(const Part& part, size_t column, double x, double width, double top)
    {
        for (size_t place = 0; place < part.rows.size(); ++place) {
            const size_t row = part.rows[place];
            if (!isShaded(m_table, row, column))
                continue;
            const QRectF field(x, top + m_line * static_cast<double>(place), width, m_line);
            const double hair = 0.4 * m_style.thin;
            m_painter->fillRect(field.adjusted(hair, hair, -hair, -hair), colourOf(row, column));
            m_painter->setPen(Qt::NoPen);
            m_painter->setBrush(inkOf(row, column));
            paintDots(field, m_table.markOf(row, column).dots);
            m_painter->setBrush(Qt::NoBrush);
        }
    }

    /// On paper in a row below the number; in a window, where type and pixels are few, one above the other at its
    /// right.
    void paintDots(const QRectF& field, int dots)
    {
        const double radius = (m_style.print ? 0.055 : 0.075) * m_line, apart = (m_style.print ? 3.4 : 3.2) * radius;
        for (int dot = 0; dot < dots; ++dot) {
            const double off = apart * (dot - (dots - 1) / 2.0);
            m_painter->drawEllipse(m_style.print ? QPointF(field.center().x() + off, field.bottom() - 2.6 * radius)
                                                 : QPointF(field.right() - 2.6 * radius, field.center().y() + off),
                                   radius, radius);
        }
    }

    void text(const QString& markup, const QFont& font, QPointF at, Qt::Alignment across, QColor ink = {})
    {
        m_painter->setPen(ink.isValid() ? ink : m_style.ink);
        Typeset(markup, font).draw(*m_painter, at, across | Qt::AlignVCenter);
    }

    void rule(double from, double to, double y, double width)
    {
        m_painter->setPen(QPen(m_style.ink, width, Qt::SolidLine, Qt::FlatCap));
        m_painter->drawLine(QLineF(from, y, to, y));
    }

    QPainter* m_painter;  ///< null: only to find where things are
    const TableContent& m_table;
    const PlotStyle& m_style;
    const TableLayout& m_layout;
    QRectF m_frame;
    double m_line, m_names = 0, m_stretch = 1, m_right = 0;
    QFont m_plain, m_bold;
};

}  // namespace

/// `size` from -1 to 1, 0: no difference. On dark ground the colours begin near it and end where white numbers are
/// still read best, and the steps between are as far apart as on white: one hue a side, of which the light alone rises.
static QColor shadeOnDark(double size)
{
    struct Step {
        double size, light;  // luminance + 0.05, of which a contrast is the ratio
    };
    constexpr std::array steps{Step{0, 0.064}, Step{0.36, 0.0705}, Step{0.5, 0.0862}, Step{0.75, 0.148}, Step{1, 0.23}};
    struct Light {
        double red, green, blue;  // linear, of luminance 1
    };
    constexpr Light blueLight{0.14, 0.94, 4.13}, redLight{3.98, 0.2, 0.14}, grey{1, 1, 1};
    const double far = std::abs(size);
    const auto* to = std::ranges::find_if(
        steps.begin() + 1, steps.end() - 1, [&](double end) { return far <= end; }, &Step::size);
    const Step &before = to[-1], &after = *to;
    const double luminance =
        before.light * std::pow(after.light / before.light, (far - before.size) / (after.size - before.size)) - 0.05;
    const auto channel = [&](double of) {
        return static_cast<float>(1.055 * std::pow(std::clamp(of * luminance, 0.0, 1.0), 1 / 2.4) - 0.055);
    };
    const Light& light = size == 0 ? grey : size < 0 ? blueLight : redLight;
    return QColor::fromRgbF(channel(light.red), channel(light.green), channel(light.blue));
}

QColor shadeColour(const TableContent& table, const PlotStyle& style, double shade)
{
    const double value = table.half > 0 ? shade / (std::abs(shade) + table.half) : shade;
    const ColourScale& scale = table.scale;
    const bool diverges = scale.map && scale.map->diverging;
    constexpr double stillPale = 0.9;  // of the map's half: numbers are black up to the legend's last step
    if (!style.dark || !diverges)
        return QColor::fromRgb(scale.colour(diverges ? stillPale * value : value));
    return shadeOnDark(2 * scale.place(value) - 1);
}

QMarginsF tableMargins(const Panel& panel, const PlotStyle& style)
{
    const bool titled = !panel.chart.title.isEmpty() || !panel.chart.letter.isEmpty();
    return {0, titled ? style.label + 1.5 * style.gap : style.gap, 0, style.gap};
}

double leastTableWidth(const TableContent& table, const PlotStyle& style)
{
    TableLayout layout;
    measure(layout, table, style, 0);
    return std::ranges::max(partsWithin(layout, 0), {}, &Part::width).width;
}

double tableHeight(const TableContent& table, const PlotStyle& style, double width)
{
    const TableLayout layout = layoutTable(table, style, width);
    return rowHeight(table, style) * layout.factor * layout.lines(table);
}

namespace {

template <class Do>
void forParts(QPainter* painter, const TableContent& table, const PlotStyle& style, const QRectF& frame, Do&& run)
{
    const TableLayout layout = layoutTable(table, style, frame.width());
    TablePainter paint(painter, table, style, layout, frame);
    double top = frame.top();
    for (const Part& part : layout.parts) {
        run(paint, part, top);
        top += frame.height() / layout.lines(table) * (layout.lines(table, part) + partGap);
    }
}

}  // namespace

void paintTable(QPainter& painter, const TableContent& table, const PlotStyle& style, const QRectF& frame)
{
    forParts(&painter, table, style, frame,
             [](TablePainter& paint, const Part& part, double top) { paint.paint(part, top); });
}

std::vector<std::vector<QRectF>> tableCells(const TableContent& table, const PlotStyle& style, const QRectF& frame)
{
    std::vector<std::vector<QRectF>> cells(table.rows.size(), std::vector<QRectF>(table.columns.size()));
    forParts(nullptr, table, style, frame,
             [&](TablePainter& paint, const Part& part, double top) { paint.place(part, top, cells); });
    return cells;
}

std::vector<TablePart> tableParts(const TableContent& table, const PlotStyle& style, const QRectF& frame)
{
    std::vector<TablePart> parts;
    forParts(nullptr, table, style, frame,
             [&](TablePainter& paint, const Part& part, double top) { parts.push_back(paint.where(part, top)); });
    return parts;
}

}  // namespace attnscope
