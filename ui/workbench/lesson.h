#pragma once
// A lesson is a Markdown file in resources/lessons/: a title, a line on what it is about, and steps. A step is a
// heading, a few paragraphs, and the scenario that it sets, as JSON in a fenced block (fields that are absent take the
// defaults), after the word scenario perhaps what the dispersion chart shows ("needle"; without it the weights by rank)
// and, after a semicolon, which parts of Explore the text speaks of, which are shown ("statistics", "heads", "all
// heads"), and, after a panel's name and a colon, the control that the step asks its reader to use ("scenario: Seed").
// After another, of one step, the view whose picture stands for the lesson ("heatmaps", "entropy",
// "dispersion"):
//
//   # Why divide by √d?
//   What goes wrong without it.
//   ## One query, many keys
//   Text ...
//   ```scenario sorted; statistics; heatmaps
//   {"source": "gaussian", "n": 256}
//   ```

#include "core/analysis/scenario.h"
#include "core/base/error.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace attnscope {

struct LessonStep {
    QString title, text;               ///< text: Markdown
    std::optional<Scenario> scenario;  ///< empty: leaves the window as it is
    QString dispersion;                ///< id of a DispersionKind; empty likewise
    QStringList parts;                 ///< names of docks
    QStringList controls;              ///< "scenario: Seed": a dock, and the beginning of a control's name
    QString picture;                   ///< view of viewsRecipe() that stands for the lesson; of one step
};

struct Lesson {
    QString id, title, about;
    std::vector<LessonStep> steps;
};

/// Errors: InvalidHeader, InvalidArgument, UnknownName, with the lesson's id and the step.
Result<Lesson> readLesson(const QString& id, const QString& markdown);

/// The built-in lessons in the order of resources/lessons/order.txt.
const std::vector<Lesson>& lessons();

/// Ids of lessons that were read to their end, kept from one start to the next.
QStringList finishedLessons();
void finishLesson(const QString& id);
/// The step at which it was left; 0: it was not begun, or was finished since. Kept likewise.
int begunStep(const Lesson& lesson);
void beginStep(const QString& id, int step);

}  // namespace attnscope
