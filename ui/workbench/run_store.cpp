#include "ui/workbench/run_store.h"

#include "core/base/file_stamp.h"
#include "core/base/replace_file.h"
#include "core/labs/lab_text.h"
#include "ui/figure/labels.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/typeset.h"
#include "ui/widgets/theme.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QStringList>
#include <QWidget>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <tuple>
#include <utility>

namespace attnscope {

QString nameOfRun(const Choice& choice, const QString& folder)
{
    const QString id = text(choice.id);
    const auto lab = findRow(labs(), choice.id, "lab");
    return lab && folder.startsWith(id + QLatin1Char(' ')) ? text((*lab)->label) + folder.mid(id.size()) : folder;
}

int roomForName(const QString& name, const QWidget& list)
{
    constexpr int padding = 26, most = 190;
    return std::min(list.fontMetrics().horizontalAdvance(name) + padding, withText(most));
}

namespace {

const QString highestName = u"highest numbers"_s;  // in the root: lines of a lab's id and the number of its last run

QFileInfoList runFolders(const QString& root)
{
    return QDir(root).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Time);
}

/// Of the folder "eie 3" of the lab eie 3; 0: it is of another lab, or has another name.
int numberIn(const QString& folder, const QString& lab)
{
    return folder.startsWith(lab + QLatin1Char(' ')) ? folder.mid(lab.size() + 1).toInt() : 0;
}

}  // namespace

struct RunStore::Known {
    struct Read {
        FileStamp stamp;
        std::shared_ptr<const LabRecord> record;  ///< null: it does not read
    };
    std::mutex reading, numbers;
    std::map<std::string, Read> read;  ///< by folder
};

RunStore::RunStore(QString root) : m_root(std::move(root)), m_known(std::make_shared<Known>()) {}

std::vector<StoredRun> RunStore::runs() const
{
    const QFileInfoList folders = runFolders(m_root);
    std::map<std::string, Known::Read> read;
    std::vector<std::string> news;
    const std::scoped_lock lock(m_known->reading);  // who asks meanwhile waits, and has all of it
    for (const QFileInfo& folder : folders) {
        const std::string path = folder.filePath().toStdString();
        const FileStamp stamp = stampOf(path + '/' + recordName);
        const auto known = m_known->read.find(path);
        if (known != m_known->read.end() && known->second.stamp == stamp)
            read.insert(*known);
        else if (read[path].stamp = stamp; stamp.exists)
            news.push_back(path);
    }
    auto records = readRecords(news);
    for (std::size_t i = 0; i < news.size(); ++i)
        if (records[i])
            read[news[i]].record = std::make_shared<const LabRecord>(std::move(*records[i]));
    std::vector<StoredRun> runs;
    for (const QFileInfo& folder : folders)
        if (const auto& record = read[folder.filePath().toStdString()].record)
            runs.push_back({nameOfRun(record->choice, folder.fileName()), folder.filePath(), *record});
    m_known->read = std::move(read);
    return runs;
}

bool RunStore::isEmpty() const
{
    return std::ranges::none_of(runFolders(m_root), [](const QFileInfo& folder) {
        return QFileInfo::exists(folder.filePath() + QLatin1Char('/') + QString::fromLatin1(recordName));
    });
}

int RunStore::highestOf(const QString& lab) const
{
    int highest = 0;
    for (const QFileInfo& folder : runFolders(m_root))
        highest = std::max(highest, numberIn(folder.fileName(), lab));
    QFile kept(QDir(m_root).filePath(highestName));
    if (kept.open(QIODevice::ReadOnly))
        for (const QString& line : QString::fromUtf8(kept.read(1 << 16)).split(QLatin1Char('\n')))
            highest = std::max(highest, numberIn(line, lab));
    return highest;
}

/// Where it cannot be written the folders that are there are all that is known.
void RunStore::keepHighest(const QString& lab, int number) const
{
    const QString path = QDir(m_root).filePath(highestName);
    QStringList lines;
    if (QFile kept(path); kept.open(QIODevice::ReadOnly))
        for (const QString& line : QString::fromUtf8(kept.read(1 << 16)).split(QLatin1Char('\n'), Qt::SkipEmptyParts))
            if (numberIn(line, lab) == 0)
                lines << line;
    lines << u"%1 %2"_s.arg(lab).arg(number);
    if (makeFolder(m_root.toStdString()))
        (void)replaceFile(path.toStdString(), lines.join(QLatin1Char('\n')).toStdString() + '\n');
}

QString RunStore::newFolder(const Choice& choice) const
{
    const QString lab = text(choice.id);
    const std::scoped_lock lock(m_known->numbers);
    const int number = highestOf(lab) + 1;
    keepHighest(lab, number);
    return QDir(m_root).filePath(u"%1 %2"_s.arg(lab).arg(number));
}

/// In a home that has no folder for data yet Qt (6.4) takes the working directory for the trash: it is made before.
Result<QString> RunStore::remove(const StoredRun& run) const
{
    QString inTrash;
    const QString lab = text(run.record.choice.id);
    {
        const std::scoped_lock lock(m_known->numbers);
        keepHighest(lab, highestOf(lab));
    }
    if (QDir().mkpath(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)) &&
        QFile::moveToTrash(run.folder, &inTrash))
        return inTrash;
    return failure(ErrorKind::NotWritable,
                   run.folder.toStdString() +
                       " cannot be moved to the trash; it is where it was, to be removed by hand");
}

Result<void> RunStore::putBack(const StoredRun& run, const QString& inTrash) const
{
    if (QFileInfo::exists(run.folder) || !QDir().rename(inTrash, run.folder))
        return failure(ErrorKind::NotWritable, run.folder.toStdString() +
                                                   " cannot be put back; the run is in the trash, " +
                                                   inTrash.toStdString());
    const QFileInfo was(inTrash);  // TRASH/files/NAME, of which TRASH/info/NAME.trashinfo tells
    QFile::remove(was.dir().filePath(u"../info/%1.trashinfo"_s.arg(was.fileName())));
    return {};
}

Result<void> RunStore::copy(const StoredRun& run, const QString& into) const
{
    namespace files = std::filesystem;
    std::error_code error;
    const files::path from = run.folder.toStdString(), to = files::path(into.toStdString()) / from.filename();
    if (files::exists(to, error))
        return failure(ErrorKind::NotWritable, to.string() + " is there already; choose another folder, or rename it");
    // whole or not at all
    const files::path unfinished = to.parent_path() / ("." + to.filename().string() + " unfinished");
    files::remove_all(unfinished, error);
    files::copy(from, unfinished, files::copy_options::recursive, error);
    if (!error)
        files::rename(unfinished, to, error);
    if (!error)
        return {};
    const std::string why = error.message();
    files::remove_all(unfinished, error);
    return failure(ErrorKind::NotWritable, to.string() + " cannot be written: " + why + "; nothing was copied");
}

namespace {

/// Of one entry of a lab's text, "softmax_plus:B=64", "vanilla|adaptive", "both".
QString entryLabel(const QString& entry)
{
    return entry == "both"_L1 ? u"encoder and decoder"_s : plainText(policyLabel(entry));
}

/// {"methods: Vanilla; Log n", "where: encoder"}: a lab's text, its parts by their names.
QStringList textInWords(const Lab& lab, const std::string& kept)
{
    const std::vector<std::string> parts = textPartsOf(lab, kept);
    QStringList said;
    for (std::size_t part = 0; part < parts.size(); ++part) {
        QStringList entries;
        for (const std::string& entry : entriesOfPart(parts[part]))
            entries << entryLabel(text(entry));
        const QString name =
            text(parts.size() < 2 || part >= lab.textParts.size() ? lab.textKey : lab.textParts[part].name);
        if (!entries.isEmpty())
            said << u"%1: %2"_s.arg(name, entries.join(u"; "_s));
    }
    return said;
}

double valueOf(const Choice& run, const Parameter& parameter)
{
    const auto given = run.values.find(parameter.id);
    return given == run.values.end() ? parameter.byDefault : given->second;
}

constexpr auto byDefault = ": default"_L1;

/// "steps = 5000"; "copied: on"; "training length: default" of a 0 that is the default: of many parameters it stands
/// for another number, or for none.
QString inWords(const Parameter& parameter, double value)
{
    const QString label = text(parameter.label);
    if (parameter.kind != Parameter::Kind::Switch && value == 0 && parameter.byDefault == 0)
        return label + byDefault;
    return parameter.kind == Parameter::Kind::Switch ? u"%1: %2"_s.arg(label, value != 0 ? u"on"_s : u"off"_s)
                                                     : u"%1 = %2"_s.arg(label, text(formatNumber(value, 6)));
}

/// A run's parameters and texts, those that are its lab's defaults too.
QStringList everythingOf(const Choice& run)
{
    const Lab& lab = **findRow(labs(), run.id, "lab");
    QStringList all;
    for (const Parameter& parameter : lab.parameters)
        all << inWords(parameter, valueOf(run, parameter));
    return all << textInWords(lab, run.text.empty() ? lab.textByDefault : run.text);
}

constexpr qsizetype manyEntries = 3;  // separators: of a list that has no room in a line

/// What `run` does not have as all others do: first what it takes to tell it from them, then the rest. Where several
/// would do, a number of training steps says least, and a parameter of many values (a seed) most.
QStringList partsThatDiffer(const QStringList& run, const std::vector<const QStringList*>& others)
{
    struct Part {
        qsizetype at = 0;
        bool effort = false, spare = false, isList = false;
        std::size_t kinds = 0;
    };
    std::vector<Part> parts;
    for (qsizetype at = 0; at < run.size(); ++at) {
        std::set<QString> kinds{run[at]};
        for (const QStringList* other : others)
            kinds.insert(other->value(at));
        if (kinds.size() > 1)
            parts.push_back({at, run[at].startsWith(u"training steps"_s), false, run[at].count(u"; "_s) >= manyEntries,
                             kinds.size()});
    }
    const auto toldApart = [&] {
        return std::ranges::none_of(others, [&](const QStringList* other) {
            return std::ranges::all_of(
                parts, [&](const Part& part) { return part.spare || other->value(part.at) == run[part.at]; });
        });
    };
    std::ranges::sort(parts, std::less(),
                      [](const Part& part) { return std::tuple(!part.effort, part.kinds, -part.at); });
    for (Part& part : parts) {
        part.spare = true;
        part.spare = toldApart();
    }
    std::ranges::sort(parts, std::less(), [](const Part& part) {
        return std::tuple(part.spare, part.effort, -static_cast<qsizetype>(part.kinds), part.at);
    });
    QStringList words;
    for (const bool usual : {false, true})  // that a run has a default says something where it says nothing else
        for (const Part& part : parts)
            if (!(part.spare && part.isList) && run[part.at].endsWith(byDefault) == usual && (!usual || words.empty()))
                words << run[part.at];
    return words;
}

}  // namespace

QString cellLabel(const std::string& column, const QString& word)
{
    if (column == "where")
        return entryLabel(word);
    const bool names =
        column == "method" || column == "policy" || column == "positions" || column == "trained" || column == "network";
    return names ? plainText(policyLabel(word)) : word;
}

namespace {

QStringList unlikeDefaults(const Choice& choice)
{
    const Lab& lab = **findRow(labs(), choice.id, "lab");
    QStringList parts;
    for (const Parameter& parameter : lab.parameters)
        if (const double value = valueOf(choice, parameter); value != parameter.byDefault)
            parts << inWords(parameter, value);
    if (!choice.text.empty() && choice.text != lab.textByDefault)
        parts << textInWords(lab, choice.text);
    return parts.isEmpty() ? QStringList(u"defaults"_s) : parts;
}

/// "methods: 16", "methods with Su κ": of a list of many that all the others have too, with some of its entries, no
/// more than is not in all of them.
QString withoutTheCommon(const QString& part, qsizetype at, const std::vector<const QStringList*>& others)
{
    constexpr qsizetype few = 3;
    const QString name = part.section(u": "_s, 0, 0);
    const auto entriesOf = [](const QString& list) { return list.section(u": "_s, 1).split(u"; "_s); };
    const QStringList entries = entriesOf(part);
    if (entries.size() <= few)
        return part;
    QStringList own;
    for (const QString& entry : entries)
        if (std::ranges::any_of(others,
                                [&](const QStringList* other) { return !entriesOf(other->value(at)).contains(entry); }))
            own << entry;
    return own.isEmpty() || own.size() > few ? u"%1: %2"_s.arg(name).arg(entries.size())
                                             : u"%1 with %2"_s.arg(name, own.join(u"; "_s));
}

}  // namespace

QString parametersOf(const Choice& choice) { return unlikeDefaults(choice).join(u", "_s); }

QStringList whatDiffers(const std::vector<Choice>& runs)
{
    std::vector<QStringList> all;
    std::ranges::transform(runs, std::back_inserter(all), everythingOf);
    QStringList differences;
    for (std::size_t run = 0; run < runs.size(); ++run) {
        std::vector<const QStringList*> others;  // of its lab that are not the same
        bool again = false;
        for (std::size_t other = 0; other < runs.size(); ++other)
            if (other != run && runs[other].id == runs[run].id)
                all[other] == all[run] ? void(again = true) : others.push_back(&all[other]);
        QStringList words = partsThatDiffer(all[run], others);
        if (words.empty())  // alone, or one of several that nothing tells apart
            words = again ? QStringList(u"same settings"_s) : unlikeDefaults(runs[run]);
        for (QString& word : words)
            word = withoutTheCommon(word, all[run].indexOf(word), others);
        differences << words.join(u", "_s);
    }
    return differences;
}

}  // namespace attnscope
