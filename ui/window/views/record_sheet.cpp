#include "ui/window/views/record_sheet.h"

#include "ui/window/controls/building.h"
#include "ui/window/controls/elided.h"
#include "ui/window/document.h"
#include "ui/window/views/explore_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QFrame>
#include <QKeyEvent>
#include <QLineEdit>
#include <QSpinBox>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr int sheetWidth = 420;

}  // namespace

RecordSheet::RecordSheet(QWidget* window, Document& document, Player& player)
    : Sheet(window, 0.5F), m_document(document), m_player(player),
      m_view(described(new ElidedList, tr("What to record"), tr("The view alone, without buttons and panels"))),
      m_number(described(new ElidedList, tr("What moves"), tr("The number that is swept while it records"))),
      m_from(described(new QLineEdit, tr("From"), tr("Where the sweep begins"))),
      m_to(described(new QLineEdit, tr("To"), tr("Where the sweep ends; below the beginning it runs backwards"))),
      m_seconds(described(new QDoubleSpinBox, tr("Seconds"), tr("How long it plays"))),
      m_rate(described(new QSpinBox, tr("Frames a second"), tr("More are smoother, and a larger file"))),
      m_format(
          described(new ElidedList, tr("As"),
                    tr("A GIF has at most 256 colours and plays anywhere; PNG frames are exact, for a video program"))),
      m_lock(described(new QCheckBox(tr("Keep the colours' range")), tr("Keep the colours' range"),
                       tr("The same colour is the same weight in every frame"))),
      m_count(paragraph("caption")),
      m_start(pushButton(tr("Record\u2026"), tr("Choose where, and begin"), tr("Record")))
{
    setAccessibleName(tr("Record"));
    auto* form = new QFormLayout(frame());
    form->setContentsMargins(24, 18, 24, 18);
    form->setVerticalSpacing(10);
    form->addRow(textLabel(tr("Record"), "title"));
    for (QAbstractSpinBox* box : {static_cast<QAbstractSpinBox*>(m_seconds), static_cast<QAbstractSpinBox*>(m_rate)})
        box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    for (QWidget* field : {static_cast<QWidget*>(m_from), static_cast<QWidget*>(m_to), static_cast<QWidget*>(m_seconds),
                           static_cast<QWidget*>(m_rate)})
        field->setMaximumWidth(96);
    for (const ExploreView& one : exploreViews())
        m_view->addItem(QCoreApplication::translate("ExploreView", one.title), one.id);
    m_view->setCurrentIndex(m_view->findData(everyView));
    m_format->addItem(tr("GIF"), true);
    m_format->addItem(tr("PNG frames in a folder"), false);
    m_seconds->setRange(0.5, 60);
    m_seconds->setSingleStep(1);
    m_seconds->setDecimals(1);
    m_seconds->setValue(5);
    m_rate->setRange(2, 30);
    m_rate->setValue(15);
    m_lock->setChecked(true);
    form->addRow(tr("View"), m_view);
    form->addRow(tr("Sweeps"), m_number);
    form->addRow(tr("From"), inRow({m_from, new QLabel(tr("to")), m_to, stretch()}, 8));
    form->addRow(tr("Seconds"), m_seconds);
    form->addRow(tr("Frames a second"), m_rate);
    form->addRow(tr("As"), m_format);
    form->addRow(QString(), m_lock);
    form->addRow(m_count);
    QPushButton* cancel = pushButton(tr("Cancel"), tr("Close without recording (Esc)"));
    m_start->setDefault(true);
    form->addRow(inRow({stretch(), cancel, m_start}));
    connect(cancel, &QPushButton::clicked, this, &QWidget::hide);
    connect(m_start, &QPushButton::clicked, this, [this] {
        hide();
        m_player.setPlayable(m_number->currentData().toString());
        emit asked(recording());
    });
    connect(m_number, &QComboBox::currentIndexChanged, this, &RecordSheet::showRange);
    for (QLineEdit* field : {m_from, m_to})
        connect(field, &QLineEdit::textChanged, this, &RecordSheet::checkRange);
    connect(m_seconds, &QDoubleSpinBox::valueChanged, this, &RecordSheet::showCount);
    connect(m_rate, &QSpinBox::valueChanged, this, &RecordSheet::showCount);
    connect(m_format, &QComboBox::currentIndexChanged, this, &RecordSheet::showCount);
    showCount();
}

void RecordSheet::open()
{
    m_number->clear();
    for (const Playable& one : playables(m_document.scenario()))
        m_number->addItem(one.label, one.id);
    m_number->setCurrentIndex(std::max(0, m_number->findData(m_player.playable())));
    openAt(m_start);
}

QString RecordSheet::view() const { return m_view->currentData().toString(); }

bool RecordSheet::locksColours() const { return m_lock->isChecked(); }

Recording RecordSheet::recording() const
{
    const int frames = std::max(2, static_cast<int>(std::lround(m_seconds->value() * m_rate->value())));
    return {.path = {},
            .gif = m_format->currentData().toBool(),
            .framesPerSecond = double(m_rate->value()),
            .sweep = {m_scale.toFraction(m_scale.read(m_from->text()).value_or(m_scale.minimum)),
                      m_scale.toFraction(m_scale.read(m_to->text()).value_or(m_scale.maximum)), frames}};
}

void RecordSheet::showRange()
{
    for (const Playable& one : playables(m_document.scenario()))
        if (one.id == m_number->currentData().toString())
            m_scale = one.scale;
    m_from->setText(m_scale.write(m_scale.minimum));
    m_to->setText(m_scale.write(m_scale.maximum));
}

void RecordSheet::checkRange()
{
    const bool good = m_scale.read(m_from->text()) && m_scale.read(m_to->text());
    m_start->setEnabled(good);
    if (good)
        showCount();
    else
        m_count->setText(tr("From and to are each %1").arg(m_scale.expectation()));
}

void RecordSheet::showCount()
{
    m_count->setText(tr("%1 frames, each computed exactly before it is kept").arg(recording().sweep.frames));
}

QRect RecordSheet::sheetGeometry() const
{
    const QSize size(std::min(sheetWidth, width() - 40), std::min(frame()->sizeHint().height(), height() - 40));
    return {QPoint((width() - size.width()) / 2, (height() - size.height()) / 3), size};
}

void RecordSheet::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        return hide();
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        return m_start->click();
    Sheet::keyPressEvent(event);
}

}  // namespace attnscope

#include "moc_record_sheet.cpp"
