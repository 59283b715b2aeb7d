#include "ui/workbench/lesson.h"

#include "core/base/json_reader.h"
#include "core/analysis/scenario_json.h"
#include "ui/plot/qt_text.h"

#include <QFile>
#include <QSettings>
#include <QVariantMap>

#include <algorithm>

namespace attnscope {

namespace {

const QString fence = u"```"_s;

QString contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

Error inStep(const QString& id, const LessonStep& step, const Error& error)
{
    return {error.kind, (id + u", step \""_s + step.title + u"\": "_s).toStdString() + error.message};
}

}  // namespace

Result<Lesson> readLesson(const QString& id, const QString& markdown)
{
    Lesson lesson;
    lesson.id = id;
    QString json;
    bool inScenario = false;
    for (const QString& line : markdown.split(QLatin1Char('\n'))) {
        if (inScenario) {
            if (!line.startsWith(fence)) {
                json += line + QLatin1Char('\n');
                continue;
            }
            inScenario = false;
            auto parsed = parseJson(json.toStdString(), "its scenario");
            auto scenario =
                parsed ? scenarioFromJson(*parsed) : Result<Scenario>(tl::unexpected<Error>(parsed.error()));
            if (!scenario)
                return tl::unexpected<Error>(inStep(id, lesson.steps.back(), scenario.error()));
            lesson.steps.back().scenario = std::move(*scenario);
        } else if (line.startsWith(u"## "_s)) {
            lesson.steps.push_back({line.mid(3).trimmed(), {}, {}, {}, {}, {}, {}});
        } else if (line.startsWith(u"# "_s)) {
            lesson.title = line.mid(2).trimmed();
        } else if (lesson.steps.empty()) {
            lesson.about += (lesson.about.isEmpty() ? QString() : u" "_s) + line.trimmed();
        } else if (line.startsWith(fence + u"scenario"_s)) {
            inScenario = true;
            json.clear();
            const QString shown = line.mid(fence.size() + u"scenario"_s.size()).trimmed();
            const QString kind = shown.section(QLatin1Char(';'), 0, 0).trimmed();
            lesson.steps.back().dispersion = kind.isEmpty() ? u"sorted"_s : kind;
            for (const QString& part :
                 shown.section(QLatin1Char(';'), 1, 1).split(QLatin1Char(','), Qt::SkipEmptyParts))
                (part.contains(QLatin1Char(':')) ? lesson.steps.back().controls : lesson.steps.back().parts)
                    << part.trimmed();
            lesson.steps.back().picture = shown.section(QLatin1Char(';'), 2).trimmed();
        } else {
            lesson.steps.back().text += line + QLatin1Char('\n');
        }
    }
    lesson.about = lesson.about.trimmed();
    const auto pictures = std::ranges::count_if(
        lesson.steps, [](const LessonStep& step) { return step.scenario && !step.picture.isEmpty(); });
    if (lesson.title.isEmpty() || pictures != 1 || inScenario)
        return failure(ErrorKind::InvalidHeader,
                       id.toStdString() + ": a lesson needs a title, steps, of one a picture, and closed fences");
    return lesson;
}

const std::vector<Lesson>& lessons()
{
    static const std::vector<Lesson> all = [] {
        std::vector<Lesson> read;
        for (const QString& id : contents(u":/lessons/order.txt"_s).split(QLatin1Char('\n'), Qt::SkipEmptyParts))
            if (auto lesson = readLesson(id, contents(u":/lessons/%1.md"_s.arg(id))))
                read.push_back(std::move(*lesson));
        return read;
    }();
    return all;
}

static const QString finishedKey = u"finished lessons"_s, begunKey = u"begun lessons"_s;

QStringList finishedLessons() { return QSettings().value(finishedKey).toStringList(); }

void finishLesson(const QString& id)
{
    QStringList all = finishedLessons();
    if (!all.contains(id))
        QSettings().setValue(finishedKey, all << id);
    beginStep(id, 0);
}

int begunStep(const Lesson& lesson)
{
    const int begun = QSettings().value(begunKey).toMap().value(lesson.id).toInt();
    return std::clamp(begun, 0, std::max(0, static_cast<int>(lesson.steps.size()) - 1));  // it may have become shorter
}

void beginStep(const QString& id, int step)
{
    QVariantMap all = QSettings().value(begunKey).toMap();
    if (step > 0)
        all[id] = step;
    else
        all.remove(id);
    QSettings().setValue(begunKey, all);
}

}  // namespace attnscope
