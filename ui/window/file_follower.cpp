#include "ui/window/file_follower.h"

#include "core/analysis/source.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/message_bar.h"
#include "ui/workbench/workbench.h"

#include <QFileInfo>
#include <QSettings>

namespace attnscope {

namespace {

const QString settingKey = u"followFiles"_s;

QString nameOf(const std::string& path) { return QFileInfo(QString::fromStdString(path)).fileName(); }

}  // namespace

FileFollower::FileFollower(Workbench& bench, MessageBar& messages, QObject* parent)
    : QObject(parent), m_bench(bench), m_messages(messages)
{
    connect(&bench.document, &Document::changed, this, &FileFollower::follow);
    connect(&bench.model, &ModelRunner::opened, this, &FileFollower::follow);
    connect(&m_ofScenario, &FileWatch::written, this, &FileFollower::readTensorsAgain);
    connect(&m_ofModel, &FileWatch::written, this, &FileFollower::offerModel);
    connect(&bench.offers, &FileOffers::changed, this, &FileFollower::refit);
    follow();
}

bool FileFollower::isOn() { return QSettings().value(settingKey, true).toBool(); }

void FileFollower::setOn(bool on)
{
    QSettings().setValue(settingKey, on);
    follow();
}

void FileFollower::follow()
{
    using Paths = std::vector<std::string>;
    const bool on = isOn(), ownModel = !m_bench.model.files().empty();  // not one that comes with the program
    m_ofScenario.watch(on ? filesOf(m_bench.document.scenario()) : Paths());
    m_ofModel.watch(on && ownModel ? Paths{m_bench.model.folder()} : Paths());
}

void FileFollower::readTensorsAgain()
{
    const Scenario& now = m_bench.document.scenario();
    m_bench.pins.readAgain();
    if (!now.ofFile())
        return m_bench.analyser.request();  // a network of a method, or biases
    m_before = m_bench.offers.current();
    m_reading = true;
    m_bench.offers.readAgain();
    if (std::exchange(m_told, now.tensors.path) != now.tensors.path)
        m_messages.say(MessageBar::Kind::Done,
                       u"%1 was written again and is read again, now and whenever it is (File, Follow files)"_s.arg(
                           nameOf(m_told)));
}

/// What its file offers is known again, or why it cannot be read.
void FileFollower::refit()
{
    const auto& after = m_bench.offers.current();
    if (!m_reading || (after && after == m_before))
        return;
    m_reading = false;
    const auto before = std::exchange(m_before, nullptr);
    const Scenario& now = m_bench.document.scenario();
    Scenario next = before && after && before->file.path() == after->file.path() ? refitted(now, *before, *after) : now;
    if (next != now)
        m_bench.document.edit(u"File written again"_s, [&next](Scenario& scenario) { scenario = next; });
    else
        m_bench.analyser.request();
}

void FileFollower::offerModel()
{
    m_messages.say(
        MessageBar::Kind::Note,
        u"The files of %1 were written again since it was opened"_s.arg(nameOf(m_bench.model.folder())),
        {{u"Open again"_s, u"The model as it is in its files now; what was measured of it is measured anew"_s,
          [this] { m_bench.model.openAgain(); }}});
}

}  // namespace attnscope

#include "moc_file_follower.cpp"
