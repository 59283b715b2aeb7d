#include "ui/widgets/copy_data.h"

#include "core/base/choice.h"
#include "core/base/csv.h"
#include "core/statistics/measures.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/typeset.h"
#include "ui/widgets/save_picture.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

QString fullNumber(double value)
{
    return std::isfinite(value) ? QString::fromStdString(formatNumber(value)) : QString();
}

QString line(const QStringList& cells) { return cells.join(QLatin1Char('\t')) + QLatin1Char('\n'); }

/// Names go into cells, so tabs and line ends in them become blanks.
QString words(const QString& markup)
{
    return QString::fromStdString(noFormula(plainText(markup).simplified().toStdString()));
}

/// Where the cells of a pooled axis begin.
std::int64_t edge(std::int64_t begin, std::int64_t end, int cell, int cells)
{
    return begin + cell * (end - begin) / std::max(1, cells);
}

}  // namespace

QString chartData(const ChartSpec& chart)
{
    const auto titled = [](const ChartAxis& axis, const char* otherwise) {
        return axis.title.isEmpty() ? QString::fromLatin1(otherwise) : words(axis.title);
    };
    QString text = line({u"series"_s, titled(chart.x, "x"), titled(chart.y, "y"), u"low"_s, u"high"_s});
    int unnamed = 0;
    for (const ChartSeries& series : chart.series) {
        const QString name = series.known().isEmpty() ? u"series %1"_s.arg(++unnamed) : words(series.known());
        for (const ChartPoint& point : series.points)
            if (std::isfinite(point.y))
                text += line(
                    {name, fullNumber(point.x), fullNumber(point.y), fullNumber(point.low), fullNumber(point.high)});
    }
    return text;
}

QString mapData(const PooledMap& map)
{
    const Region& region = map.region;
    QStringList cells{u"query \\ key"_s};
    for (int column = 0; column < map.columns; ++column)
        cells << QString::number(edge(region.columnBegin, region.columnEnd, column, map.columns));
    QString text = line(cells);
    for (int row = 0; row < map.rows; ++row) {
        cells = {QString::number(edge(region.rowBegin, region.rowEnd, row, map.rows))};
        for (int column = 0; column < map.columns; ++column)
            cells << QString::number(static_cast<double>(map.at(row, column)), 'g', 9);  // enough for a float
        text += line(cells);
    }
    return text;
}

QString rowData(const Analysis& analysis, std::size_t index)
{
    const MethodAnalysis& method = analysis.methods[index];
    const char* ids[] = {"shannon", "effective_tokens", "max_weight", "sink_mass", "mean_distance"};
    QStringList cells{u"query"_s, u"keys"_s, u"multiplier / temperature"_s};
    std::vector<BoundMeasure> measures;
    for (const char* id : ids) {
        measures.push_back(*bindMeasure({id, {}, {}}));
        cells << QString::fromStdString(measures.back().measure->label);
    }
    QString text = line(cells);
    for (std::size_t i = 0; i < method.rows.size(); ++i) {
        const RowSummary& row = method.rows[i];
        cells = {QString::number(analysis.sampledRows.empty() ? static_cast<qlonglong>(i) : analysis.sampledRows[i]),
                 QString::number(row.visible),
                 fullNumber(i < method.scale.size() ? double(method.scale[i]) : std::nan(""))};
        for (const BoundMeasure& measure : measures)
            cells << fullNumber(measure(row).value_or(std::nan("")));
        text += line(cells);
    }
    return text;
}

QString labData(std::span<const LabRow> rows)
{
    const auto cellOf = [](const LabValue& value) {
        if (const auto* word = std::get_if<std::string>(&value))
            return QString::fromStdString(noFormula(QString::fromStdString(*word).simplified().toStdString()));
        if (const auto* whole = std::get_if<std::int64_t>(&value))
            return QString::number(*whole);
        if (const auto* real = std::get_if<double>(&value))
            return fullNumber(*real);
        if (const auto* truth = std::get_if<bool>(&value))
            return *truth ? u"yes"_s : u"no"_s;
        return QString();
    };
    QString text;
    QStringList cells;
    for (const LabRow& row : rows) {
        if (text.isEmpty()) {
            for (const auto& [name, value] : row.cells)
                cells << QString::fromStdString(name);
            text += line(cells);
        }
        cells.clear();
        for (const auto& [name, value] : row.cells)
            cells << cellOf(value);
        text += line(cells);
    }
    return text;
}

QString labData(std::span<const LabPicture> pictures)
{
    QString text;
    for (const LabPicture& picture : pictures) {
        QStringList cells{QString::fromStdString(picture.rowLabel + " \\ " + picture.columnLabel).simplified()};
        for (Eigen::Index column = 0; column < picture.values.cols(); ++column)
            cells << QString::number(column);
        text += line({QString::fromStdString(picture.id).simplified()}) + line(cells);
        for (Eigen::Index row = 0; row < picture.values.rows(); ++row) {
            cells = {QString::number(row)};
            for (Eigen::Index column = 0; column < picture.values.cols(); ++column)
                cells << QString::number(static_cast<double>(picture.values(row, column)), 'g', 9);
            text += line(cells);
        }
    }
    return text;
}

ViewAction copying(const QString& name, std::function<QString()> text, const QKeySequence& key)
{
    return {name, [text] { QGuiApplication::clipboard()->setText(text()); }, text, ViewAction::Part::Copy, key};
}

namespace {

void fillMenu(QMenu& menu, QWidget* view, const std::vector<ViewAction>& actions)
{
    using Part = ViewAction::Part;
    const auto saves = [](const QAction* action) { return action->text().startsWith(u"Save as"_s); };
    const QList<QAction*> own = view->actions();
    for (QAction* action : own)
        if (!saves(action))
            menu.addAction(action);
    for (const Part part : {Part::View, Part::Copy, Part::Save}) {
        menu.addSeparator();
        for (const ViewAction& action : actions)
            if (action.part == part) {
                QAction* line = menu.addAction(action.name, view, action.run);
                line->setShortcut(action.key);
                line->setShortcutContext(Qt::WidgetShortcut);  // it is shown; the view hears it itself
            }
    }
    for (QAction* action : own)
        if (saves(action))
            return menu.addAction(action);
    const auto of = std::ranges::find_if(actions, [](const ViewAction& action) { return bool(action.numbers); });
    const auto numbers = of == actions.end() ? std::function<QString()>() : of->numbers;
    menu.addAction(savingWords(bool(numbers)), view,
                   [view, numbers] { askAndSavePicture(*view, numbers ? numbers() : QString()); });
}

}  // namespace

void offerActions(QWidget* view, std::vector<ViewAction> actions)
{
    actions.push_back({u"Copy the picture"_s,
                       [view] { QGuiApplication::clipboard()->setPixmap(view->grab()); },
                       {},
                       ViewAction::Part::Copy});
    view->setContextMenuPolicy(Qt::CustomContextMenu);
    QObject::connect(view, &QWidget::customContextMenuRequested, view, [view, actions = std::move(actions)](QPoint at) {
        auto* menu = new QMenu(view);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        fillMenu(*menu, view, actions);
        menu->popup(view->mapToGlobal(at));
    });
}

}  // namespace attnscope
