#include "ui/model/model_controls.h"

#include "ui/widgets/file_to_save.h"
#include "core/attention/positions.h"
#include "core/base/length_list.h"
#include "core/base/text.h"
#include "core/document/place_after.h"
#include "core/model/shipped_models.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/widgets/building.h"
#include "ui/widgets/choice_control.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/number_scale.h"
#include "ui/widgets/model_menus.h"
#include "ui/views/methods_panel.h"
#include "ui/workbench/opened_model.h"
#include "ui/widgets/when_seen.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/scroll_edges.h"

#include <QRegularExpression>
#include <QCheckBox>
#include <QComboBox>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace attnscope {

namespace {

constexpr int typingPause = 500;  // ms
constexpr int sideMargin = 14, studySteps = 1000;
constexpr int scrollBarRoom = 12;
constexpr int besideBar = sideMargin - 10;  // which is in the same margin

QLabel* section(const QString& title)
{
    QLabel* label = textLabel(title.toUpper(), "section");
    label->setContentsMargins(0, 8, 0, 0);
    return label;
}

QString lengthsText(const std::vector<std::int64_t>& lengths)
{
    QStringList all;
    for (const std::int64_t n : lengths)
        all << countText(static_cast<double>(n));  // which is read again as well
    return all.join(u", "_s);
}

/// Some of the controls, with room at both sides.
QWidget* partOf(std::initializer_list<Part> parts, int right = besideBar)
{
    auto* part = new QWidget;
    inColumn(part, parts, formSpacing, {sideMargin, 0, right, 0});
    return part;
}

/// What the program makes for a model: generatedTokens().
QString generatedText(const Model* model)
{
    switch (model ? model->says : TrainedToSay::Text) {
    case TrainedToSay::Values:
        return u"Words that say nothing"_s;
    case TrainedToSay::Copies:
        return u"Words, again and again"_s;
    case TrainedToSay::Text:
        break;
    }
    return u"Made-up stories"_s;
}

}  // namespace

ModelControls::ModelControls(Document& document, Analyser& analyser, Pointer& pointer, ModelRunner& runner,
                             QWidget* parent)
    : QWidget(parent), m_document(document), m_runner(runner),
      m_open(pushButton(u"Open"_s, u"A model that is on this computer: a GGUF file, a folder as Hugging Face's hub "
                                   "has it, or what Ollama, LM Studio, llama.cpp and the hub keep here; files and "
                                   "folders can be dropped on the window too"_s)),
      m_file(new QPushButton), m_stop(new QPushButton(u"Stop"_s)), m_name(new ElidedLabel), m_cost(elidedCaption()),
      m_stage(elidedCaption()), m_about(paragraph("caption")), m_tokens(paragraph("caption")), m_text(new ElidedList),
      m_policy(new ElidedList),
      m_typed(described(new QPlainTextEdit, u"Text to predict"_s,
                        u"The text that the model predicts, at least as many tokens as the longest length"_s)),
      m_typing(new QTimer(this)), m_lengths(new QLineEdit), m_windows(new QLineEdit), m_last(new QLineEdit),
      m_positionList(partOf({section(u"Positions"_s)})), m_methods(new MethodsPanel(document, analyser, pointer)),
      m_bar(new QProgressBar)
{
    inColumn(this, {buildModel(), {buildScrolled(), 1}, buildProgress()}, formSpacing, {0, 0, 0, 8});
    connect(m_methods, &MethodsPanel::sourceAsked, this, &ModelControls::sourceAsked);
    connect(m_methods, &MethodsPanel::refused, this, &ModelControls::refused);
    auto* seen = new WhenSeen(this, [this] { show(); });
    connect(&document, &Document::lookChanged, seen, [seen] { (*seen)(); });
    connect(&runner, &ModelRunner::opened, seen, [seen] { (*seen)(); });
    connect(&runner, &ModelRunner::studied, this, &ModelControls::showProgress);
    connect(&runner, &ModelRunner::progressed, this, &ModelControls::showProgress);
    setFocusProxy(m_open);
    show();
    showProgress();
}

QWidget* ModelControls::buildScrolled()
{
    m_methods->setWorkedShown(false);  // those numbers are of Explore's n
    auto* inside = new QWidget;
    m_methodsTitle = partOf({section(u"Methods"_s)});
    inColumn(inside,
             {buildText(), m_protocol = buildProtocol(), buildPositions(), m_methodsTitle, m_methods, stretch()}, 6);
    QScrollArea* area = scrolled(inside);
    keepBarRoom(*area);
    area->setMinimumWidth(inside->minimumSizeHint().width() + scrollBarRoom);
    return area;
}

void ModelControls::edit(const std::function<void(ModelLook&)>& change)
{
    m_document.editLook([&](Look& look) { change(look.model); });
}

QWidget* ModelControls::buildModel()
{
    m_name->setProperty("role", "pane");
    m_name->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_name->setElideMode(Qt::ElideMiddle);
    m_open->setIcon(icon(u"open"_s));
    auto* here = new QMenu(m_open);
    connect(here->addAction(u"A GGUF file\u2026"_s), &QAction::triggered, this, &ModelControls::fileAsked);
    connect(here->addAction(u"A folder\u2026"_s), &QAction::triggered, this, &ModelControls::folderAsked);
    addFoundModels(*here, [this](const QString& path) { emit foundAsked(path); });
    m_open->setMenu(here);
    QPushButton* shipped = pushButton(u"Examples"_s, u"Small models that come with the program"_s);
    auto* models = new QMenu(shipped);
    fillShippedModels(*models, [this](const QString& id) { emit modelAsked(id); });
    shipped->setMenu(models);
    return partOf({m_name, m_about, inRow({{m_open, 1}, shipped})}, sideMargin);
}

QWidget* ModelControls::buildText()
{
    const std::pair<ModelText, QString> kinds[] = {{ModelText::Generated, generatedText(nullptr)},
                                                   {ModelText::Manual, u"The manual"_s},
                                                   {ModelText::File, u"A file"_s},
                                                   {ModelText::Typed, u"Typed here"_s},
                                                   {ModelText::Repeated, u"Random tokens, repeated"_s}};
    for (const auto& [kind, words] : kinds)
        m_text->addItem(words, static_cast<int>(kind));
    m_file->setToolTip(u"The text's file, UTF-8"_s);
    m_typed->setPlaceholderText(u"Type or paste a text"_s);
    m_typed->setFixedHeight(96);
    m_typed->setTabChangesFocus(true);
    connect(m_text, &QComboBox::activated, this, [this](int at) {
        const auto kind = static_cast<ModelText>(m_text->itemData(at).toInt());
        if (kind == ModelText::File && m_document.look().model.file.empty())
            return chooseTextFile();
        edit([&](ModelLook& look) { look.text = kind; });
    });
    connect(m_file, &QPushButton::clicked, this, &ModelControls::chooseTextFile);
    m_typing->setSingleShot(true);
    m_typing->setInterval(typingPause);
    connect(m_typed, &QPlainTextEdit::textChanged, m_typing, QOverload<>::of(&QTimer::start));
    connect(m_typing, &QTimer::timeout, this, &ModelControls::takeTyped);
    return partOf({section(u"Text"_s),
                   captionedLine(u"Predict"_s, m_text,
                                 u"What the model predicts. The stories are made by the program, as those that its "
                                 "own model learned from, but none of them. Random tokens that come again need no "
                                 "tokeniser: only a head that looks back to their first time can know them"_s),
                   m_file, m_typed, m_tokens});
}

QWidget* ModelControls::buildProtocol()
{
    m_policy->addItem(u"The whole model"_s, false);
    m_policy->addItem(u"Entropies and maps"_s, true);
    for (QLineEdit* field : {m_lengths, m_windows, m_last})
        takesNumbers(*field);
    connect(m_lengths, &QLineEdit::editingFinished, this, &ModelControls::takeLengths);
    connect(m_windows, &QLineEdit::editingFinished, this, [this] {
        takeNumber(m_windows, 1, [](ModelLook& look, std::int64_t value) { look.windows = static_cast<int>(value); });
    });
    connect(m_last, &QLineEdit::editingFinished, this,
            [this] { takeNumber(m_last, 0, [](ModelLook& look, std::int64_t value) { look.last = value; }); });
    connect(m_policy, &QComboBox::activated, this,
            [this](int at) { edit([&](ModelLook& look) { look.captured = m_policy->itemData(at).toBool(); }); });
    return partOf(
        {section(u"Measure"_s),
         captionedLine(u"Lengths n"_s, m_lengths,
                       u"Tokens of a window: 512,1024,2048 or 128:4096:x2. Empty: a quarter to four times what the "
                       "model was trained at"_s),
         captionedLine(u"Windows"_s, m_windows,
                       u"Of each length, as far apart as the text allows. The standard error is over them: two "
                       "decide nothing"_s),
         captionedLine(u"Score last"_s, m_last,
                       u"Predictions of a window that count: its last so many, and at most half of it, so that each "
                       "sees a long context; 0: all"_s),
         captionedLine(u"Applied to"_s, m_policy,
                       u"The whole model: every layer computes with the method and the positions, so deeper layers see "
                       "changed inputs. Entropies and maps: the published model runs, and they are put on its "
                       "queries and keys for the entropies and maps alone"_s)});
}

QWidget* ModelControls::buildPositions()
{
    addPosition(std::string(ownPositions));
    for (const Position& row : attnscope::positions())
        addPosition(row.id);
    return m_positionList;
}

void ModelControls::addPosition(const std::string& position)
{
    const auto choice = parsePositions(position).value_or(std::nullopt);
    const auto row = findRow(attnscope::positions(), choice ? choice->id : std::string(), "position");
    auto* box = new QCheckBox(m_runner.positionLabel(position));
    box->setToolTip(
        row ? teach(**row) + QLatin1Char('\n') +
                  u"What is not given is the model's: base, pairs; schemes that stretch take s = n/N, at least 1"_s
            : u"As the model was published"_s);
    connect(box, &QCheckBox::toggled, this, [this, position](bool on) {
        edit([&](ModelLook& look) {
            auto& list = look.positions;
            const std::vector<std::string> before = list;
            const auto found = std::find(list.begin(), list.end(), position);
            if (on && found == list.end())
                list.push_back(position);
            else if (!on && found != list.end() && list.size() > 1)  // one stays
                list.erase(found);
            look.position = placeAfter(before, list, look.position).value_or(0);
            if (look.beside) {
                if (const auto beside = placeAfter(before, list, look.beside->position))
                    look.beside->position = *beside;
                else
                    look.beside.reset();
            }
        });
        show();
    });
    m_positionIds.push_back(position);
    m_positions.push_back(box);
    m_positionList->layout()->addWidget(box);
}

QWidget* ModelControls::buildProgress()
{
    m_bar->setRange(0, studySteps);
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(u"Progress"_s);
    m_stop->setToolTip(u"End the runs; what they have found stays. Then: run them again"_s);
    connect(m_stop, &QPushButton::clicked, this, [this] { m_runner.isRunning() ? m_runner.stop() : m_runner.again(); });
    return partOf({m_cost, m_bar, inRow({{m_stage, 1}, m_stop})}, sideMargin);
}

/// A field that nobody typed into may still hold the text of another session: it is asleep while nobody sees it.
void ModelControls::finishTyping()
{
    if (m_typing->isActive())
        takeTyped();
}

void ModelControls::takeTyped()
{
    m_typing->stop();
    const QString typed = m_typed->toPlainText();
    edit([&](ModelLook& look) { look.typed = typed.left(ModelLook::mostTyped).toStdString(); });
    if (typed.size() > ModelLook::mostTyped)
        emit refused(u"The typed text has %1 letters, and the first %2 are read; a file may have %3 MB"_s
                         .arg(countText(double(typed.size())), countText(double(ModelLook::mostTyped)))
                         .arg(longestTextFile >> 20));
}

void ModelControls::chooseTextFile()
{
    const QString path = fileToOpen(*this, u"A text"_s, QString::fromStdString(m_document.look().model.file),
                                    u"Texts (*.txt *.md);;All files (*)"_s);
    if (path.isEmpty())
        return show();
    takeTextFile(path);
}

void ModelControls::takeTextFile(const QString& path)
{
    const ModelLook& look = m_document.look().model;
    if (look.text == ModelText::File && look.file == path.toStdString())
        return m_runner.readTextAgain();
    edit([&](ModelLook& next) {
        next.text = ModelText::File;
        next.file = path.toStdString();
    });
}

void ModelControls::takeLengths()
{
    const QString typed = m_lengths->text().trimmed();
    const auto lengths = typed.isEmpty() ? Result<std::vector<std::int64_t>>{std::vector<std::int64_t>{}}
                                         : parseLengths(typed.toStdString());
    const QString fault = !lengths ? u"Lengths n: %1"_s.arg(QString::fromStdString(lengths.error().message))
                          : lengths->size() > ModelLook::mostLengths
                              ? u"Lengths n: at most %1 of them"_s.arg(ModelLook::mostLengths)
                              : QString();
    showFault(*m_lengths, fault);
    emit refused(fault);
    if (fault.isEmpty())
        edit([&](ModelLook& look) { look.lengths = *lengths; });
}

void ModelControls::takeNumber(QLineEdit* field, double least, const std::function<void(ModelLook&, std::int64_t)>& set)
{
    const NumberScale scale{.minimum = least, .maximum = double(ModelLook::mostCounted), .whole = true};
    const std::optional<double> value = scale.read(field->text());
    const QString fault = value ? QString()
                                : u"%1 is a whole number from %2 to %3"_s.arg(field->accessibleName())
                                      .arg(least)
                                      .arg(countText(double(ModelLook::mostCounted)));
    showFault(*field, fault);
    emit refused(fault);
    if (value)
        edit([&](ModelLook& look) { set(look, static_cast<std::int64_t>(*value)); });
}

void ModelControls::show()
{
    const ModelLook& look = m_document.look().model;
    const bool finds = look.finding && !look.probing;  // on windows, over scales and positions of its own
    for (QWidget* ofRuns : {m_protocol, m_positionList, m_methodsTitle, static_cast<QWidget*>(m_methods)})
        ofRuns->setVisible(!finds);
    for (QWidget* ofStudies :
         {static_cast<QWidget*>(m_windows), static_cast<QWidget*>(m_last), static_cast<QWidget*>(m_policy)})
        ofStudies->setEnabled(!look.probing);  // which have samples of their own
    showProgress();
    const auto& model = m_runner.model();
    const ShippedModel* shipped = shippedModelAt(m_runner.folder());
    m_name->setText(shipped ? u"%1 (comes with the program)"_s.arg(shipped->id)
                            : QFileInfo(QString::fromStdString(look.folder)).fileName());
    m_name->setToolTip(QString::fromStdString(look.folder));
    QStringList about{countsIn(m_runner.about())};
    if (model)
        for (const std::string& note : notesOf(*model)) {
            about << QString::fromStdString(note);
            about.back()[0] = about.back()[0].toUpper();
        }
    about.removeAll({});
    static const QRegularExpression beforeNumber(u" (?=\\d)"_s);  // "trained at 64" ends no line before its number
    m_about->setText(unbroken(about.join(QLatin1Char('\n'))).replace(beforeNumber, u"\u00A0"_s));
    m_about->setVisible(!about.isEmpty());
    m_text->setItemText(m_text->findData(static_cast<int>(ModelText::Generated)),
                        generatedText(m_runner.model().get()));
    m_text->setCurrentIndex(m_text->findData(static_cast<int>(look.text)));
    m_file->setVisible(look.text == ModelText::File);
    m_file->setText(look.file.empty()
                        ? u"Choose\u2026"_s
                        : m_file->fontMetrics().elidedText(QFileInfo(QString::fromStdString(look.file)).fileName(),
                                                           Qt::ElideMiddle, 220));
    m_typed->setVisible(look.text == ModelText::Typed);
    if (!m_typing->isActive() && m_typed->toPlainText().toStdString() != look.typed) {
        const QSignalBlocker quiet(m_typed);
        m_typed->setPlainText(QString::fromStdString(look.typed));
    }
    m_tokens->setText(u"%1 tokens"_s.arg(countText(double(m_runner.tokens()))));
    m_tokens->setVisible(m_runner.tokens() > 0);
    showTaken(*m_lengths, lengthsText(look.lengths));
    m_lengths->setPlaceholderText(lengthsText(m_runner.lengths()));
    showTaken(*m_windows, countText(look.windows));
    showTaken(*m_last, countText(static_cast<double>(look.last)));
    m_policy->setCurrentIndex(look.captured ? 1 : 0);
    for (const std::string& position : look.positions)
        if (std::find(m_positionIds.begin(), m_positionIds.end(), position) == m_positionIds.end())
            addPosition(position);
    for (size_t i = 0; i < m_positions.size(); ++i) {
        const QSignalBlocker quiet(m_positions[i]);
        m_positions[i]->setChecked(std::find(look.positions.begin(), look.positions.end(), m_positionIds[i]) !=
                                   look.positions.end());
    }
    m_positions.front()->setText(m_runner.positionLabel(m_positionIds.front()));
    showProgress();
}

QString ModelControls::stage() const { return m_stage->text(); }

void ModelControls::showProgress()
{
    const bool running = m_runner.isRunning();
    m_bar->setValue(static_cast<int>(m_runner.progress() * studySteps));
    m_bar->setVisible(running);
    m_cost->setText(m_runner.costOfLongest());
    m_cost->setVisible(!m_cost->text().isEmpty());
    m_stop->setText(running ? u"Stop"_s : u"Measure again"_s);
    const ModelLook& look = m_document.look().model;
    const bool tells = running || !(look.finding || look.probing);  // what it measures is of one tab
    m_stage->setText(tells ? m_runner.stage() : QString());
    m_stop->setVisible(m_runner.tokens() > 0 && tells);
}

}  // namespace attnscope

#include "moc_model_controls.cpp"
