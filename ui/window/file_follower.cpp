#include "ui/window/file_follower.h"

#include "core/analysis/source.h"
#include "core/base/text.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/message_bar.h"
#include "ui/workbench/workbench.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

namespace attnscope {

namespace {

const QString settingKey = u"followFiles"_s;

QString nameOf(const std::string& path) { return QFileInfo(text(path)).fileName(); }

/// "checkpoint-300/heads.npz" where the files are called alike.
QString nameInRun(const OfferedFile& file, int place)
{
    const std::string& path = file.run[static_cast<std::size_t>(place)].path;
    const QString name = nameOf(path);
    return name == nameOf(file.file.path()) ? QFileInfo(text(path)).dir().dirName() + u'/' + name : name;
}

/// What a scenario reads besides tensors.
std::vector<std::string> restOf(Scenario scenario)
{
    scenario.source = {"local", {}, {}};
    return filesOf(scenario);
}

/// A run may have thousands of files.
constexpr std::chrono::milliseconds betweenLooksAtRuns(2000);

FileWatch::Stamps stampsOf(const std::vector<NumberedFile>& run)
{
    FileWatch::Stamps stamps;
    std::ranges::transform(run, std::back_inserter(stamps), &NumberedFile::stamp);
    return stamps;
}

FileWatch::Stamps stampsOf(const std::vector<std::string>& paths)
{
    FileWatch::Stamps stamps;
    for (const std::string& path : paths)
        stamps.push_back(stampOf(path));
    return stamps;
}

/// A .gguf file, or what of a folder is the model's: a training run keeps its logs there too.
FileWatch::Stamps stampsOfModel(const std::string& path)
{
    std::error_code failed;
    if (!std::filesystem::is_directory(path, failed))
        return stampsIn(path);
    std::vector<std::string> files;
    for (std::filesystem::directory_iterator at(path, failed), end; !failed && at != end; at.increment(failed)) {
        const std::string name = at->path().filename().string();
        if (name == "config.json" || name.starts_with("tokenizer") || at->path().extension() == ".safetensors")
            files.push_back(at->path().string());
    }
    std::ranges::sort(files);
    return stampsOf(files);
}

}  // namespace

FileFollower::FileFollower(Workbench& bench, MessageBar& messages, QObject* parent)
    : QObject(parent), m_bench(bench), m_messages(messages), m_ofRun(nullptr, betweenLooksAtRuns)
{
    connect(&bench.document, &Document::changed, this, &FileFollower::follow);
    connect(&bench.model, &ModelRunner::opened, this, &FileFollower::follow);
    connect(&bench.offers, &FileOffers::changed, this, &FileFollower::refit);
    connect(&m_ofTensors, &FileWatch::written, this, &FileFollower::readTensorsAgain);
    connect(&m_ofRest, &FileWatch::written, this, [this] {
        m_bench.pins.readAgain([](const Scenario& pin) { return !restOf(pin).empty(); });
        m_bench.analyser.request();
    });
    connect(&m_ofRun, &FileWatch::written, &bench.offers, &FileOffers::listRunAgain);
    connect(&m_ofModel, &FileWatch::written, this, [this] {
        m_offered = m_bench.model.folder();
        m_offerWaits = true;
        offerModel();
    });
    connect(&messages, &MessageBar::covers, this, &FileFollower::offerModel, Qt::QueuedConnection);  // when it is free
    follow();
}

bool FileFollower::isOn() { return QSettings().value(settingKey, true).toBool(); }

void FileFollower::setOn(bool on)
{
    QSettings().setValue(settingKey, on);
    if (!on)
        forgetOffer();
    follow();
}

void FileFollower::follow()
{
    const Scenario& now = m_bench.document.scenario();
    const OfferedFilePtr& file = m_bench.offers.current();
    if (file && now.ofFile() && file->file.path() == now.tensors.path)
        m_before = file;
    const std::string& model = m_bench.model.folder();
    if (!m_offered.empty() && model != m_offered)
        forgetOffer();
    const auto watch = [on = isOn()](FileWatch& one, const std::string& what, FileWatch::Look look,
                                     const std::optional<FileWatch::Stamps>& asRead = {}) {
        if (on && !what.empty())
            one.watch(what, std::move(look), asRead);
        else
            one.rest();
    };
    const std::string tensors = now.ofFile() ? now.tensors.path : std::string();
    watch(
        m_ofTensors, tensors, [tensors] { return stampsOfTensors(tensors); },
        m_before && m_before->file.path() == tensors ? std::optional(m_before->asRead) : std::nullopt);
    watch(
        m_ofRun, tensors, [tensors] { return stampsOf(numberedFiles(tensors)); },
        m_before && m_before->file.path() == tensors ? std::optional(stampsOf(m_before->run)) : std::nullopt);
    const std::vector<std::string> rest = restOf(now);
    watch(m_ofRest, joined(rest, "\n"), [rest] { return stampsOf(rest); });
    const bool own = !m_bench.model.files().empty();  // not one that comes with the program
    watch(m_ofModel, own ? model : std::string(), [model] { return stampsOfModel(model); });
}

void FileFollower::readTensorsAgain()
{
    m_reading = true;
    m_bench.offers.readAgain();
}

/// What its file offers is known again. Where it cannot be read, as one that is being written, the picture stays.
void FileFollower::refit()
{
    const OfferedFilePtr before = m_before, &after = m_bench.offers.current();
    if (!after || after == before)
        return;
    if (before && before->file.path() == after->file.path() && before->run != after->run)
        offerNewest(*before, *after);
    if (!std::exchange(m_reading, false) || !before || before->file.path() != after->file.path())
        return follow();
    const std::string path = after->file.path();
    const auto reads = [&path](const Scenario& one) { return one.ofFile() && one.tensors.path == path; };
    const Scenario was = m_bench.document.scenario();
    m_bench.document.amend([&](const Scenario& one) { return reads(one) ? refitted(one, *before, *after) : one; });
    m_bench.pins.readAgain(reads);
    if (m_bench.document.scenario() == was)
        m_bench.analyser.request();
    follow();
    if (!m_messages.isVisible() && std::exchange(m_told, path) != path)
        m_messages.say(MessageBar::Kind::Done,
                       u"%1 was written again and is read again, now and whenever it is (File, Follow files)"_s.arg(
                           nameOf(m_told)));
}

/// Where the newest file of the run was looked at and another has come.
void FileFollower::offerNewest(const OfferedFile& before, const OfferedFile& after)
{
    const int last = static_cast<int>(after.run.size()) - 1, place = placeInRun(after);
    const bool wasNewest = before.run.empty() || before.run.back().path == before.file.path();
    if (place < 0 || place == last || !wasNewest || m_messages.showsError())
        return;
    m_messages.say(
        MessageBar::Kind::Note, u"%1 has come, file %2 of the run"_s.arg(nameInRun(after, last)).arg(last + 1),
        {{u"Look at it"_s, u"The same head there (Alt+Shift+Page Down goes through the files of a run)"_s, [this] {
              if (const OfferedFilePtr& file = m_bench.offers.current())
                  m_bench.document.replace(u"File of a run"_s, inRun(m_bench.document.scenario(), *file,
                                                                     static_cast<int>(file->run.size())));
          }}});
}

/// Where nothing else is said; else when that is gone.
void FileFollower::offerModel()
{
    if (!m_offerWaits || m_messages.isVisible())
        return;
    m_offerWaits = false;
    m_offer = u"The files of %1 were written again since it was opened"_s.arg(nameOf(m_offered));
    m_messages.say(
        MessageBar::Kind::Note, m_offer,
        {{u"Open again"_s, u"The model as it is in its files now; what was measured of it is measured anew"_s,
          [this] { m_bench.model.openAgain(); }}});
}

/// Another model is open.
void FileFollower::forgetOffer()
{
    m_offered.clear();
    m_offerWaits = false;
    if (!m_offer.isEmpty() && m_messages.message() == std::exchange(m_offer, {}))
        m_messages.hide();
}

}  // namespace attnscope

#include "moc_file_follower.cpp"
