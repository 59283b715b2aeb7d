#include "ui/window/view_recorder.h"

#include "core/base/replace_file.h"
#include "ui/figure/explore_charts.h"
#include "ui/figure/figure_file.h"
#include "ui/figure/views_recipe.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/file_to_save.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/theme.h"
#include "ui/workbench/analyser.h"
#include "ui/workbench/explore_view.h"
#include "ui/views/player.h"
#include "ui/window/main_window.h"
#include "ui/explore/heatmap_panel.h"
#include "ui/window/record_sheet.h"
#include "ui/window/workspaces.h"

#include <QDir>
#include <QPainter>
#include <QStatusBar>

#include <utility>

namespace attnscope {

namespace {

QString framesSaved(int frames, const QString& path)
{
    if (frames == 0)
        return u"Recording ended before its first frame; nothing is saved in %1"_s.arg(path);
    if (path.endsWith(".gif"_L1, Qt::CaseInsensitive))
        return u"Saved %1, %2 frames"_s.arg(path, QString::number(frames));
    return frames == 1 ? u"1 frame saved in %1, frame_0000.png"_s.arg(path)
                       : u"%1 frames saved in %2, from frame_0000.png"_s.arg(QString::number(frames), path);
}

/// The folder, or where it holds the frames of another recording the first one in it that does not.
QString withoutFrames(const QString& folder)
{
    QString free = folder;
    for (int number = 2; !folder.isEmpty() && !QDir(free).entryList({u"frame_*.png"_s}, QDir::Files).isEmpty();
         ++number)
        free = folder + u"/recording %1"_s.arg(number);
    return free;
}

}  // namespace

ViewRecorder::ViewRecorder(MainWindow& window, Player& player)
    : QObject(&window), m_window(window), m_player(player),
      m_sheet(new RecordSheet(&window, window.document(), player)),
      m_recorder(new FrameRecorder(
          player, window.bench().saves, [this] { return frame(); }, this))
{
    connect(m_sheet, &RecordSheet::asked, this, &ViewRecorder::record);
    connect(m_recorder, &FrameRecorder::saving, this,
            [this] { m_window.messages().say(MessageBar::Kind::Note, u"Making the GIF\u2026"_s); });
    connect(m_recorder, &FrameRecorder::kept, this,
            [this](int frames, int of) { m_window.statusBar()->showMessage(u"Frame %1 of %2"_s.arg(frames).arg(of)); });
    connect(m_recorder, &FrameRecorder::swept, this, &ViewRecorder::putBack);
    connect(&window, &MainWindow::closing, &player, [this] {
        if (m_recorder->isRecording())
            m_player.pause();  // what there is becomes the film
    });
    connect(m_recorder, &FrameRecorder::ended, this, [this](int frames, const QString& path) {
        if (!m_window.messages().showsError())  // why it ended, if it ended early
            m_window.messages().say(MessageBar::Kind::Done, framesSaved(frames, path));
    });
    connect(m_recorder, &FrameRecorder::failed, this, [this](const QString& message, int frames) {
        m_window.messages().say(MessageBar::Kind::Error,
                                u"%1. Recording ended; frames saved: %2."_s.arg(message, QString::number(frames)));
    });
}

/// "n = 321", "Softmax Plus: exponent = 0.5".
static QString sweptNow(const Player& player, const Scenario& scenario)
{
    for (const Playable& one : player.playablesNow())
        if (one.id == player.playable())
            return one.words(scenario);
    return {};
}

/// `words` large above it.
static QImage underWords(const QImage& picture, const QString& words, const PlotStyle& style)
{
    constexpr int size = 26, around = 12;
    const QFont font = style.font(size, true);
    const int above = QFontMetrics(font).height() + around;
    QImage whole(picture.width(), picture.height() + above, QImage::Format_RGB32);
    whole.fill(style.background);
    QPainter painter(&whole);
    painter.setFont(font);
    painter.setPen(style.ink);
    painter.drawText(QRect(around, around / 2, whole.width() - 2 * around, above), Qt::AlignLeft | Qt::AlignVCenter,
                     words);
    painter.drawImage(0, above, picture);
    return whole;
}

QImage ViewRecorder::frame()
{
    constexpr double widthMm = 183, pixelsPerMillimetre = 7;
    const QString view = m_sheet->view();
    std::vector<std::string> views{view.toStdString()};
    if (view == everyView) {
        views = {mapsView.toStdString()};
        for (const ExploreChart& chart : exploreCharts())
            views.push_back(chart.id);
    }
    const Document& document = m_window.document();
    const auto analysis = m_window.analyser().current();
    Recipe recipe = viewsRecipe(views, document.scenario(), document.look());
    recipe.style = currentTheme().dark ? "dark" : "paper";
    recipe.widthMm = widthMm;
    const auto made = !analysis ? Result<QImage>(failure(ErrorKind::Undefined, "nothing is computed"))
                                : figureOfViews(recipe, *analysis, {}).and_then([&](const FigureContent& content) {
                                      if (!m_recorder->keptFrames())
                                          m_height = figureSize(content, recipe).height();
                                      recipe.heightMm = m_height;  // all are of one format
                                      return figureImage(content, recipe, pixelsPerMillimetre);
                                  });
    if (!made)  // as it stands there
        return m_window.explore().viewPicture(view);
    return underWords(*made, sweptNow(m_player, document.scenario()), chartStyle());
}

void ViewRecorder::open() { m_sheet->open(); }

void ViewRecorder::record(Recording asked)
{
    asked.path = asked.gif
                     ? fileToSave(m_window, u"Save the recording"_s, u"attention.gif"_s, u"Animated pictures (*.gif)"_s)
                     : withoutFrames(folderToChoose(m_window, u"Folder for the frames"_s, {}, u"frames"_s));
    if (asked.path.isEmpty())
        return;
    if (!asked.gif)
        if (const auto made = makeFolder(asked.path.toStdString()); !made)
            return m_window.messages().say(MessageBar::Kind::Error, text(made.error().message));
    m_player.pause();  // of a recording before this one, which puts back what it moved
    m_window.setWorkspace(exploreWorkspace);
    m_before = {m_window.document().scenario(), m_window.document().look()};
    m_return = m_window.document().returnMark();
    m_window.session().keepInstead(m_before);
    if (m_sheet->locksColours() && !m_before->look.maps.pinned)
        m_window.explore().heatmaps().pin(true);
    m_window.messages().say(MessageBar::Kind::Note, u"\u25CF Recording %1 frames"_s.arg(asked.sweep.frames),
                            {{u"Stop"_s, u"End it here and keep what there is"_s, [this] { m_player.pause(); }}});
    m_recorder->record(asked);
}

/// What moved is back where it was, and the colours are free again.
void ViewRecorder::putBack()
{
    m_window.statusBar()->clearMessage();
    const auto before = std::exchange(m_before, std::nullopt);
    if (!before)
        return;
    Document& document = m_window.document();
    std::exchange(m_return, nullptr)();
    document.replaceOnce(u"Record"_s, before->scenario);
    document.editLook([&](Look& look) {
        look.maps.pinned = before->look.maps.pinned;
        look.maps.pinnedDifference = before->look.maps.pinnedDifference;
        look.maps.sides = before->look.maps.sides;
    });
    m_window.session().keepInstead(std::nullopt);
}

}  // namespace attnscope

#include "moc_view_recorder.cpp"
