#pragma once
// What to record of one sweep of the player: which view, which number over which part of its range, how long, and as
// what.

#include "ui/widgets/number_scale.h"
#include "ui/window/frame_recorder.h"
#include "ui/widgets/sheet.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace attnscope {

class Document;

class RecordSheet : public Sheet {
    Q_OBJECT
public:
    RecordSheet(QWidget* window, Document& document, Player& player);
    void open();
    /// One of exploreViews().
    QString view() const;
    /// The range of the maps' colours stays what it is at the first frame.
    bool locksColours() const;

    QComboBox* views() const { return m_view; }
    QComboBox* numbers() const { return m_number; }
    QLineEdit* from() const { return m_from; }
    QLineEdit* to() const { return m_to; }
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
    /// The whole range of what is swept now.
    void showRange();
    /// A value that cannot be is said, and nothing is recorded until it is mended.
    void checkRange();

    Document& m_document;
    Player& m_player;
    QComboBox* m_view;
    QComboBox* m_number;
    NumberScale m_scale;
    QLineEdit *m_from, *m_to;  ///< values of what is swept
    QDoubleSpinBox* m_seconds;
    QSpinBox* m_rate;
    QComboBox* m_format;
    QCheckBox* m_lock;
    QLabel* m_count;
    QPushButton* m_start;
};

}  // namespace attnscope
