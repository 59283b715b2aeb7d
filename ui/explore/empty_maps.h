#pragma once
// In place of the maps where there are none: what theory alone has to say, that nothing is ticked, or why it failed.
// What ends a failure stands below it: messages elsewhere come and go.

#include "core/analysis/analysis.h"

#include <QString>
#include <QWidget>

#include <utility>

class QLabel;
class QPushButton;

namespace attnscope {

class ChartView;

/// Of the ways out where a file is gone: what a button says, and what it does.
std::pair<QString, QString> locatingWords();
std::pair<QString, QString> doingWithoutWords();

class EmptyMaps : public QWidget {
    Q_OBJECT
public:
    explicit EmptyMaps(QWidget* parent = nullptr);
    void show(const Analysis& analysis);
    QString message() const;
    ChartView* chart() const { return m_chart; }
    /// Hidden where no file is missed.
    QPushButton* locate() const { return m_locate; }
    QPushButton* without() const { return m_without; }
    /// Hidden where there is a file.
    QPushButton* open() const { return m_open; }

signals:
    void locationAsked();
    void withoutAsked();
    void openAsked();

private:
    QLabel* m_text;
    QPushButton* m_locate;
    QPushButton* m_without;
    QPushButton* m_open;
    ChartView* m_chart;
};

}  // namespace attnscope
