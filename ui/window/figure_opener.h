#pragma once
// Opens figures that the program wrote, which carry their recipe: PDF, SVG and PNG bring back the scenario that they
// show. They are read beside the window; they are anybody's files.

#include "core/document/recipe.h"
#include "ui/job/latest_job.h"

#include <QObject>
#include <QString>

namespace attnscope {

class FigureOpener : public QObject {
    Q_OBJECT
public:
    explicit FigureOpener(QObject* parent = nullptr);

    /// By the ending of its name.
    static bool isFigure(const QString& path);
    /// opened() or failed() follow.
    void open(const QString& path);

signals:
    void opened(const attnscope::Recipe& recipe, const QString& path);
    void failed(const attnscope::Error& error);

private:
    struct Answer {
        QString path;
        Result<Recipe> recipe;
    };
    LatestJob<Answer> m_job;
};

}  // namespace attnscope
