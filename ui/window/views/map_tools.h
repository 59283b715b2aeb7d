#pragma once
// The buttons and lists above the maps: how cells are pooled and coloured, whether the difference map is shown.

#include "core/attention/engine.h"
#include "ui/plot/colour_map.h"

#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QToolButton;

namespace attnscope {

class MapTools : public QWidget {
    Q_OBJECT
public:
    explicit MapTools(QWidget* parent = nullptr);

    const ColourMap* colours() const;  ///< null: none is chosen
    bool log() const;
    bool difference() const;

    void setColours(const std::string& id);
    void setLog(bool log);
    void setPinned(bool pinned);
    void setDifference(bool shown);
    /// Shows it; reports nothing.
    void setPool(Pool pool);

signals:
    void coloursChanged();
    void poolChosen(attnscope::Pool pool);
    void pinChanged(bool pinned);
    void differenceChanged(bool shown);
    void wholeAsked();

private:
    void buildLists(QHBoxLayout* line);
    QToolButton* addButton(QHBoxLayout* line, const QString& image, const QString& name, const QString& teaches);

    QComboBox* m_pool;
    QComboBox* m_colours;
    QToolButton* m_log;
    QToolButton* m_pin;
    QToolButton* m_difference;
};

}  // namespace attnscope
