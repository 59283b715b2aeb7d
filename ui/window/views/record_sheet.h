#pragma once
// What to record of one sweep of the player: which view, which number over which part of its range, how long, and as what.

#include "ui/window/frame_recorder.h"
#include "ui/window/views/sheet.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace attnscope {

class Document;

class RecordSheet : public Sheet {
    Q_OBJECT
public:
    RecordSheet(QWidget* window, Document& document, Player& player);
    void open();
    /// "maps", "entropy", "dispersion" or "all".
    QString view() const;
    /// The range of the maps' colours stays what it is at the first frame.
    bool locksColours() const;

    QComboBox* views() const { return m_view; }
    QComboBox* numbers() const { return m_number; }
    QComboBox* formats() const { return m_format; }
    QDoubleSpinBox* seconds() const { return m_seconds; }
    QPushButton* start() const { return m_start; }

signals:
    /// `path` is still to be asked for.
    void asked(const attnscope::Recording& recording);

protected:
    QRect sheetGeometry() const override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    Recording recording() const;
    void showCount();

    Document& m_document;
    Player& m_player;
    QComboBox* m_view;
    QComboBox* m_number;
    QSpinBox* m_from;
    QSpinBox* m_to;
    QDoubleSpinBox* m_seconds;
    QSpinBox* m_rate;
    QComboBox* m_format;
    QCheckBox* m_lock;
    QLabel* m_count;
    QPushButton* m_start;
};

}  // namespace attnscope
