#include "ui/window/record_sheet.h"

#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/widgets/elided.h"
#include "ui/workbench/document.h"
#include "ui/workbench/explore_view.h"

#include <QCheckBox>
#include <QComboBox>
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
      m_view(described(new ElidedList, u"What to record"_s, u"The view alone, without buttons and panels"_s)),
      m_number(described(new ElidedList, u"What moves"_s, u"The number that is swept while it records"_s)),
      m_from(described(new QLineEdit, u"From"_s, u"Where the sweep begins"_s)),
      m_to(described(new QLineEdit, u"To"_s, u"Where the sweep ends; below the beginning it runs backwards"_s)),
      m_seconds(described(new QDoubleSpinBox, u"Seconds"_s, u"How long it plays"_s)),
      m_rate(described(new QSpinBox, u"Frames a second"_s, u"More are smoother, and a larger file"_s)),
      m_format(
          described(new ElidedList, u"As"_s,
                    u"A GIF has at most 256 colours and plays anywhere; PNG frames are exact, for a video program"_s)),
      m_lock(described(new QCheckBox(u"Keep the colours' range"_s), u"Keep the colours' range"_s,
                       u"The same colour is the same weight in every frame"_s)),
      m_count(paragraph("caption")), m_start(pushButton(u"Record\u2026"_s, u"Choose where, and begin"_s, u"Record"_s))
{
    setAccessibleName(u"Record"_s);
    auto* form = new QFormLayout(frame());
    form->setContentsMargins(24, 18, 24, 18);
    form->setVerticalSpacing(formSpacing);
    form->setHorizontalSpacing(16);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(textLabel(u"Record"_s, "title"));
    for (QAbstractSpinBox* box : {static_cast<QAbstractSpinBox*>(m_seconds), static_cast<QAbstractSpinBox*>(m_rate)}) {
        box->setButtonSymbols(QAbstractSpinBox::NoButtons);
        box->setAlignment(Qt::AlignRight);  // as numbers in every form
    }
    for (QLineEdit* field : {m_from, m_to})
        field->setAlignment(Qt::AlignRight);
    for (const ExploreView& one : exploreViews())
        m_view->addItem(one.title, one.id);
    m_view->setCurrentIndex(m_view->findData(everyView));
    m_format->addItem(u"GIF"_s, true);
    m_format->addItem(u"PNG frames in a folder"_s, false);
    m_seconds->setDecimals(1);
    m_seconds->setRange(0.5, 60);
    m_seconds->setSingleStep(1);
    m_seconds->setValue(5);
    m_rate->setRange(2, 30);
    m_rate->setValue(15);
    m_lock->setChecked(true);
    const auto addRow = [form](const QString& words, auto field) { form->addRow(textLabel(words, "caption"), field); };
    addRow(u"View"_s, m_view);
    addRow(u"Sweeps"_s, m_number);
    addRow(u"From"_s, inRow({{m_from, 1}, textLabel(u"to"_s, "caption"), {m_to, 1}}, 8));
    addRow(u"Seconds"_s, m_seconds);
    addRow(u"Frames a second"_s, m_rate);
    addRow(u"As"_s, m_format);
    form->addRow(QString(), m_lock);
    form->addRow(m_count);
    QPushButton* cancel = pushButton(u"Cancel"_s, u"Close without recording (Esc)"_s);
    m_start->setDefault(true);
    m_start->setProperty("primary", true);
    form->addRow(inRow({stretch(), cancel, m_start}, 8));
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
    for (const Playable& one : m_player.playablesNow())
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
    for (const Playable& one : m_player.playablesNow())
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
        m_count->setText(u"From and to are each %1"_s.arg(m_scale.expectation()));
}

void RecordSheet::showCount()
{
    m_count->setText(u"%1 frames, each computed exactly before it is kept"_s.arg(recording().sweep.frames));
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
