#include "ui/figures/export_panel.h"

#include "core/base/json_text.h"
#include "core/base/replace_file.h"
#include "ui/figure/figure.h"
#include "ui/figure/figure_file.h"
#include "ui/figure/figure_kind.h"
#include "ui/figure/views_recipe.h"
#include "ui/plot/plot_style.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/widgets/file_to_save.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/message_bar.h"
#include "ui/workbench/document.h"
#include "ui/widgets/page_view.h"
#include "ui/widgets/side_by_side.h"
#include "ui/widgets/theme.h"
#include "ui/figures/recipe_editor.h"
#include "ui/workbench/workbench.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QMimeData>
#include <QScreen>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStandardItemModel>

#include <utility>

namespace attnscope {

namespace {

constexpr double widthsMm[] = {89, 120, 183};
constexpr int whatWidth = 216;
constexpr int ownRecipe = -1;  // in place of a source's number
constexpr double zooms[] = {0.5, 1, 1.5, 2, 3, 4}, asFits = 0, smallestFit = 0.1, largestFit = 2;

QString millimetres(double mm) { return u"%1 mm"_s.arg(QString::number(mm, 'g', 6)); }

}  // namespace

ExportPanel::ExportPanel(Workbench& bench, MessageBar& messages, std::vector<FigureSource> sources, QWidget* parent)
    : QWidget(parent), m_document(bench.document), m_saves(bench.saves), m_messages(messages),
      m_sources(std::move(sources)),
      m_what(described(new ElidedList, u"What"_s,
                       u"What Explore, Model or Labs shows, all of it or a part; it follows them until its recipe is "
                       "edited"_s)),
      m_width(described(new QComboBox, u"Width"_s,
                        u"Width on paper: one column, one and a half, two; or type any, such as 101.6 mm or 3.5in"_s)),
      m_style(described(new ElidedList, u"Style"_s, u"Sizes of text and lines, and the background"_s)),
      m_zoom(described(new ElidedList, u"Zoom"_s,
                       u"How large the page is shown: as large as there is room for it, up to twice its size, or as it "
                       "will be on paper; Ctrl and the wheel do the same"_s)),
      m_showRecipe(toolButton(u"Recipe"_s, u"Show and edit everything about the figure"_s, u"Edit the recipe"_s)),
      m_page(new PageView), m_size(elidedCaption(u"The page's width and height"_s)), m_editor(new RecipeEditor),
      m_making([this](Made made) { showMade(std::move(made)); },
               [](const Error& error) { return Made{{}, nullptr, {}, 1, error.message, error.message}; })
{
    buildControls();
    followWindow();
    connect(&m_document, &Document::changed, this, &ExportPanel::follow);
    connect(&m_document, &Document::lookChanged, this, &ExportPanel::follow);
    connect(m_editor, &RecipeEditor::edited, this, &ExportPanel::takeEdited);
}

void ExportPanel::buildControls()
{
    for (std::size_t i = 0; i < m_sources.size(); ++i) {
        if (i > 0 && m_sources[i].workspace != m_sources[i - 1].workspace)
            m_what->insertSeparator(m_what->count());
        const QString& of = m_sources[i].workspace;
        m_what->addItem(i == 0 || of == m_sources.front().workspace ? m_sources[i].label
                                                                    : u"%1: %2"_s.arg(sentence(of), m_sources[i].label),
                        static_cast<int>(i));
    }
    for (const double width : widthsMm)
        m_width->addItem(millimetres(width), width);
    m_size->setAlignment(Qt::AlignRight);  // and moves nothing, whatever it says
    m_what->setMinimumWidth(withText(whatWidth));
    m_what->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);  // titles of figures are long and short
    m_width->setEditable(true);
    takesNumbers(*m_width->lineEdit());
    m_width->setInsertPolicy(QComboBox::NoInsert);
    m_width->setCurrentIndex(2);
    for (const PrintStyle& style : printStyles())
        addItem(*m_style, sentence(text(style.id).replace(u'-', u' ')), text(style.id), text(style.about));
    m_zoom->addItem(u"Fit"_s, asFits);
    for (const double zoom : zooms)
        m_zoom->addItem(zoom == 1 ? u"True size"_s : u"%1 %"_s.arg(100 * zoom), zoom);
    connect(m_zoom, &QComboBox::currentIndexChanged, this, &ExportPanel::paint);
    connect(m_page, &PageView::zoomAsked, this, &ExportPanel::zoomBy);
    connect(m_page, &PageView::roomChanged, this, [this] {
        if (m_content && m_zoom->currentData() == asFits)
            paint();
    });
    connect(m_what, &QComboBox::activated, this, [this] {
        if (!source())
            m_recipe = m_own;
        preview();
    });
    connect(m_width, &QComboBox::activated, this, &ExportPanel::takeControls);
    connect(m_width->lineEdit(), &QLineEdit::editingFinished, this, &ExportPanel::takeControls);
    connect(m_style, &QComboBox::activated, this, &ExportPanel::takeControls);
    m_showRecipe->setCheckable(true);
    m_showRecipe->setProperty("framed", true);

    auto* split = new QSplitter(Qt::Vertical);
    split->addWidget(m_page);
    split->addWidget(m_editor);
    split->setStretchFactor(0, 1);
    split->setChildrenCollapsible(false);
    split->setHandleWidth(paneGap);
    m_editor->hide();
    connect(m_showRecipe, &QToolButton::toggled, this, [this, split](bool shown) {
        m_editor->setVisible(shown);
        split->setSizes({split->height() * 3 / 5, split->height() * 2 / 5});
    });

    QPushButton* image = pushButton(u"Copy image"_s, u"To the clipboard, in the recipe's resolution"_s);
    QPushButton* svg = pushButton(u"Copy SVG"_s, u"To the clipboard, as text and as a picture that stays sharp"_s);
    QPushButton* save = pushButton(u"Save\u2026"_s,
                                   u"As PDF, SVG or PNG, which carry their own recipe, or the plotted numbers as CSV"_s,
                                   u"Save the figure"_s);
    save->setProperty("primary", true);
    connect(image, &QPushButton::clicked, this, &ExportPanel::copyImage);
    connect(svg, &QPushButton::clicked, this, &ExportPanel::copySvg);
    connect(save, &QPushButton::clicked, this, &ExportPanel::chooseFile);
    m_takenAway = {image, svg, save};
    inColumn(this,
             {inRow({{m_what, 3}, m_width, m_style, m_showRecipe, {m_size, 2}, m_zoom}),
              {split, 1},
              inRow({image, svg, stretch(), save})},
             usualSpacing, {14, 4, 14, 12});
}

/// Null: a recipe of its own is shown.
const FigureSource* ExportPanel::source() const
{
    const int at = m_what->currentData().toInt();
    return at == ownRecipe ? nullptr : &m_sources[static_cast<std::size_t>(at)];
}

/// What has nothing to show cannot be chosen.
void ExportPanel::offerSources()
{
    auto* items = qobject_cast<QStandardItemModel*>(m_what->model());
    for (int item = 0; item < m_what->count(); ++item)
        if (const QVariant at = m_what->itemData(item); at.isValid() && at.toInt() != ownRecipe) {
            const bool any = m_sources[static_cast<std::size_t>(at.toInt())].recipe().has_value();
            items->item(item)->setEnabled(any);
            m_what->setItemData(item, any ? QString() : u"There is nothing of it yet"_s, Qt::ToolTipRole);
        }
}

void ExportPanel::followWindow()
{
    offerSources();
    if (!source())
        return;
    auto recipe = source()->recipe();
    if (!recipe) {  // what was looked at is gone
        m_what->setCurrentIndex(0);
        recipe = source()->recipe();
    }
    recipe->widthMm =
        parseWidth(m_width->currentText().remove(QLatin1Char(' ')).toStdString()).value_or(m_recipe.widthMm);
    recipe->style = m_style->currentData().toString().toStdString();
    m_recipe = *recipe;
}

QString ExportPanel::showWhatIsIn(const QString& workspace)
{
    if (source() && source()->workspace == workspace && (workspace == exploreWorkspace || source()->isLookedAt()))
        return {};
    const auto found = [&](bool lookedAt, bool any) {
        return std::ranges::find_if(m_sources, [&](const FigureSource& one) {
            return one.workspace == workspace && (!lookedAt || one.isLookedAt()) && one.recipe().has_value() == any;
        });
    };
    const auto inSight = found(true, true), shown = inSight != m_sources.end() ? inSight : found(false, true),
               waits = found(true, false);
    if (shown != m_sources.end()) {
        m_what->setCurrentIndex(m_what->findData(static_cast<int>(shown - m_sources.begin())));
        preview();
    }
    if (inSight != m_sources.end() || waits == m_sources.end())
        return {};
    return u"\u201C%1\u201D can be a figure once it has run to its end; this is \u201C%2\u201D."_s.arg(
        waits->label, m_what->currentText());
}

void ExportPanel::follow()
{
    if (!isVisible())
        return;  // it is made when it is shown
    const Recipe before = m_recipe;
    followWindow();
    if (m_recipe != before)
        preview();
}

void ExportPanel::setRecipe(const Recipe& recipe, const QString& file)
{
    m_file = file;
    showAs(recipe.title.empty() ? u"This recipe"_s : text(recipe.title), recipe);
}

void ExportPanel::showAs(const QString& name, const Recipe& recipe)
{
    m_recipe = m_own = recipe;
    if (m_what->findData(ownRecipe) < 0)
        m_what->addItem(QString(), ownRecipe);
    m_what->setItemText(m_what->count() - 1, name);
    m_what->setCurrentIndex(m_what->count() - 1);
    preview();
}

/// What the lists say goes into the recipe, also into one that was edited.
void ExportPanel::takeControls()
{
    const auto width = parseWidth(m_width->currentText().remove(QLatin1Char(' ')).toStdString());
    const QString before = std::exchange(m_refused, width ? QString() : text(width.error().message));
    showFault(*m_width, m_refused);
    if (!width)
        return m_messages.say(MessageBar::Kind::Error, m_refused);
    if (!before.isEmpty() && m_messages.message() == before)
        m_messages.hide();  // what was wrong is right
    const std::string style = m_style->currentData().toString().toStdString();
    if (m_recipe.widthMm == *width && m_recipe.style == style)
        return;
    m_recipe.widthMm = *width;
    m_recipe.style = style;
    if (!source())
        m_own = m_recipe;
    preview();
}

void ExportPanel::takeEdited()
{
    const auto recipe = m_editor->recipe();
    if (!recipe)
        return m_editor->say(text(recipe.error().message));
    if (*recipe == m_recipe)
        return m_editor->say({});
    m_file.clear();
    showAs(u"Edited: %1"_s.arg(text(recipe->title)), *recipe);
}

void ExportPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    preview();
}

double ExportPanel::pixelsPerMillimetre() const
{
    // Screens that do not know their size say nonsense.
    const double physical = screen()->physicalDotsPerInch(),
                 dpi = physical > 60 && physical < 400 ? physical : screen()->logicalDotsPerInch();
    return dpi / 25.4 * devicePixelRatioF();
}

void ExportPanel::preview()
{
    followWindow();
    emit shows();
    showRecipe();
    m_content = source() && source()->content ? source()->content() : nullptr;
    m_size->setText(u"rendering\u2026"_s);
    paint();
}

/// Of the content that is there; without one it is made first.
void ExportPanel::paint()
{
    m_making.start([recipe = m_recipe, known = m_content, wanted = m_zoom->currentData().toDouble(),
                    room = QSizeF(m_page->room()) * devicePixelRatioF(),
                    scale = pixelsPerMillimetre()](std::stop_token stop, const auto& publish) {
        const auto made = [&]() -> Result<Made> {
            const auto content = known ? known : std::make_shared<const FigureContent>(TRY(buildFigure(recipe, stop)));
            const QSizeF size = figureSize(*content, recipe) * scale;
            const double fit = std::min(room.width() / size.width(), room.height() / size.height());
            const double zoom = wanted == asFits ? std::clamp(fit, smallestFit, largestFit) : wanted;
            return Made{recipe, content, TRY(figureImage(*content, recipe, scale * zoom)), zoom, {}, {}};
        }();
        if (made)
            publish(*made);
        else if (made.error().kind != ErrorKind::Cancelled)
            publish({recipe,
                     nullptr,
                     {},
                     1,
                     made.error().message,
                     withLine(jsonText(toJson(recipe), 2), made.error()).message});
    });
}

/// To the next of the list that is larger, or smaller, than what is shown.
void ExportPanel::zoomBy(int steps)
{
    constexpr double same = 1.01;
    for (int item = steps > 0 ? 1 : m_zoom->count() - 1; item > 0 && item < m_zoom->count(); item += steps)
        if (const double zoom = m_zoom->itemData(item).toDouble();
            steps > 0 ? zoom > m_shownZoom * same : zoom * same < m_shownZoom)
            return m_zoom->setCurrentIndex(item);
}

/// The lists and the text as the recipe is.
void ExportPanel::showRecipe()
{
    const QSignalBlocker quietWidth(m_width), quietStyle(m_style);
    m_width->setCurrentText(millimetres(m_recipe.widthMm));
    showFault(*m_width, {});
    m_style->setCurrentIndex(std::max(0, m_style->findData(text(m_recipe.style))));
    m_editor->setRecipe(m_recipe);
}

void ExportPanel::showMade(Made made)
{
    m_editor->say(text(made.errorInText));
    for (QPushButton* button : m_takenAway)
        button->setEnabled(made.error.empty());
    if (!made.error.empty()) {
        m_image = {};
        m_size->setText({});
        m_page->say(text(made.error));
    } else {
        m_content = made.content;
        m_image = made.image;
        m_shownZoom = made.zoom;
        const double perMm = pixelsPerMillimetre() * made.zoom;
        const QSizeF size(made.recipe.widthMm, m_image.height() / perMm);
        setState(*m_size, "role", fitsA4(size) ? "caption" : "warning");
        const QString page = u"%1 \u00D7 %2 mm"_s.arg(size.width()).arg(size.height(), 0, 'f', 0);
        m_size->setText(fitsA4(size) ? page : page + u": more than a page of A4"_s);
        m_size->setShortText(page);
        m_page->show(m_image, devicePixelRatioF());
    }
    emit previewed();
}

/// Off the main thread, from what the preview has computed if it is there; everything that was asked for is written.
void ExportPanel::write(const QString& what, Work work, const Recipe& recipe,
                        const std::shared_ptr<const FigureContent>& content)
{
    m_saves.add(
        what, this,
        [work = std::move(work), recipe, content]() -> Result<Written> {
            if (content)
                return work(*content, recipe);
            return buildFigure(recipe, {}).and_then([&](const FigureContent& made) { return work(made, recipe); });
        },
        [this](const Result<Written>& written) {
            if (written && !written->said.isEmpty())
                m_messages.say(MessageBar::Kind::Done, written->said);
            else if (!written)
                m_messages.say(MessageBar::Kind::Error, text(written.error().message));
            if (written && written->then)
                written->then();
            emit done();
        },
        SaveQueue::Line::Long);
}

void ExportPanel::saveAs(const QString& path) { write(path, savingAs(path)); }

void ExportPanel::saveViewAs(const std::string& view, const QString& path)
{
    write(path, savingAs(path), viewsRecipe({view}, m_document.scenario(), m_document.look()), nullptr);
}

ExportPanel::Work ExportPanel::savingAs(const QString& path)
{
    return [path](const FigureContent& content, const Recipe& recipe) -> Result<Written> {
        const bool numbers = path.endsWith(".csv"_L1, Qt::CaseInsensitive);
        if (numbers)
            TRY(replaceFile(path.toStdString(), dataTable(content)));
        else
            TRY(saveFigure(content, recipe, path.toStdString()));
        return Written{
            numbers ? u"Saved %1."_s.arg(path)
                    : u"Saved %1. It carries its recipe: open it, or drop it on the window, to have this again."_s.arg(
                          path),
            {}};
    };
}

void ExportPanel::copyImage()
{
    write(u"the image"_s, [](const FigureContent& content, const Recipe& recipe) -> Result<Written> {
        const QImage image = TRY(figureImage(content, recipe, recipe.dpi / 25.4));
        return Written{{}, [image] { QApplication::clipboard()->setImage(image); }};
    });
}

void ExportPanel::copySvg()
{
    write(u"the image"_s, [](const FigureContent& content, const Recipe& recipe) -> Result<Written> {
        const QByteArray svg = TRY(figureSvg(content, recipe));
        return Written{{}, [svg] {
                           auto* mime = new QMimeData;
                           mime->setData(u"image/svg+xml"_s, svg);
                           mime->setText(QString::fromUtf8(svg));
                           QApplication::clipboard()->setMimeData(mime);
                       }};
    });
}

QString ExportPanel::chosenFile(const QString& name)
{
    return fileToSave(*this, u"Save the figure"_s, name + u".pdf"_s,
                      u"PDF (*.pdf);;SVG (*.svg);;PNG (*.png);;Numbers (*.csv)"_s);
}

void ExportPanel::chooseFile()
{
    const QString path = chosenFile(text(m_recipe.name.empty() ? "figure" : m_recipe.name));
    if (!path.isEmpty())
        saveAs(path);
}

void ExportPanel::chooseFileOf(const std::string& view)
{
    const QString path = chosenFile(text(view));
    if (!path.isEmpty())
        saveViewAs(view, path);
}

}  // namespace attnscope

#include "moc_export_panel.cpp"
