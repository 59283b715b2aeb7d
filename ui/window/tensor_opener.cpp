#include "ui/window/tensor_opener.h"

#include "ui/widgets/file_to_save.h"
#include "core/model/shipped_heads.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/widgets/message_bar.h"
#include "ui/workbench/document.h"
#include "ui/explore/empty_maps.h"
#include "ui/explore/explore_page.h"
#include "ui/explore/heatmap_panel.h"
#include "ui/explore/tensors_panel.h"

#include <QFileInfo>

#include <algorithm>

namespace attnscope {

namespace {

/// What was taken from the file, and what was taken for granted.
QString openedWith(const HeadFacts& facts, const HeadCandidate& candidate, const Scenario& scenario)
{
    const QString mask = text(scenario.attention.mask.id);
    const QString n = countText(scenario.nTrain);
    QStringList said;
    said << (facts.trainedLength ? u"trained at N = %1, as the file says"_s.arg(n)
                                 : u"N = %1, as the file does not say what it was trained at"_s.arg(n));
    said << (facts.causal ? u"mask: %1, as the file says"_s.arg(mask)
                          : u"mask: %1, as the file does not say"_s.arg(mask));
    if (!facts.rotated && candidate.holds.empty())
        said << u"positions: taken to be in q and k, as the file does not say"_s;
    if (candidate.projection)
        said.prepend(
            u"these look like the weights of a layer, not what it makes of tokens: a row is a dimension of the model"_s);
    return u"Opened; "_s + said.join(u"; "_s);
}

}  // namespace

TensorOpener::TensorOpener(QWidget& window, ExplorePage& explore, Document& document, FileOffers& offers,
                           MessageBar& messages)
    : QObject(&window), m_window(window), m_explore(explore), m_document(document), m_offers(offers),
      m_messages(messages)
{
    connect(&document, &Document::changed, this, &TensorOpener::forgetNotice);
    connect(&offers, &FileOffers::opened, this, &TensorOpener::show);
    connect(&offers, &FileOffers::located, this, &TensorOpener::showLocated);
    connect(&offers, &FileOffers::failed, this, [this](const Error& error) {
        m_askedHead = {-1, -1};
        m_messages.sayOfFile(MessageBar::Kind::Error, text(error.message));
    });
    const EmptyMaps* empty = explore.heatmaps().nothing();
    connect(empty, &EmptyMaps::locationAsked, this,
            [this] { chooseLocation(text(m_document.scenario().tensors.path)); });
    connect(empty, &EmptyMaps::withoutAsked, this, &TensorOpener::useWithout);
}

void TensorOpener::open(const QString& path)
{
    m_askedHead = {-1, -1};
    m_offers.open(path);
}

void TensorOpener::openHead(const QString& path, int layer, int head)
{
    m_askedHead = {layer, head};
    m_offers.open(path);
}

void TensorOpener::relocate(const QString& path) { m_offers.locate(path); }

/// What was said of a file goes with it.
void TensorOpener::forgetNotice()
{
    const auto& file = m_offers.current();
    const Scenario& now = m_document.scenario();
    if (!m_notice.isEmpty() && (!now.ofFile() || !file || now.tensors.path != file->file.path() ||
                                now.nTrain != m_openedAs.nTrain || now.attention != m_openedAs.attention))
        if (m_messages.message() == std::exchange(m_notice, {}))
            m_messages.hide();
}

/// Shows the first pair at once; what the file leaves open is asked beside it.
void TensorOpener::show(const OfferedFilePtr& file)
{
    const QString path = text(file->file.path());
    if (const auto weights = file->offers.empty() ? weightsOfModel(file->file) : std::nullopt) {
        if (const auto folder = modelFolderOf(file->file.path()))
            emit modelFound(text(*folder), path);
        else
            m_messages.sayOfFile(MessageBar::Kind::Error, text(weights->message),
                                 {{u"Tensors…"_s, u"Choose two of its tensors all the same"_s, [this, file] {
                                       m_explore.tensors().choose(file);
                                       m_explore.showDock(u"tensors"_s);
                                   }}});
        return;
    }
    if (file->offers.empty()) {
        m_explore.tensors().choose(file);
        m_messages.sayOfFile(
            MessageBar::Kind::Note,
            u"No tensors of %1 are named like queries and keys; choose them in the list of its tensors"_s.arg(path));
        m_explore.showDock(u"tensors"_s);
        return;
    }
    Scenario before = m_document.scenario();
    before.tensors = {};  // a file that is opened again is new
    const auto [layer, head] = std::exchange(m_askedHead, {-1, -1});
    const auto offer = layer >= 0 && layer < std::ssize(file->offers) ? static_cast<std::size_t>(layer) : 0;
    Scenario first = scenarioFor(std::move(before), *file, offer);
    if (head >= 0)
        first.tensors.head = head;
    m_document.bring(u"Open"_s, {first, m_document.look()});
    const HeadFacts facts = factsOf(file->file, m_document.scenario().tensors.query);
    m_messages.sayOfFile(
        MessageBar::Kind::Note, openedWith(facts, file->offers.front().candidate, m_document.scenario()),
        {{u"Tensors…"_s,
          u"Which tensors are queries and keys, in what order their axes stand, and what the file does "
          "not say about mask and positions"_s,
          [this] { m_explore.showDock(u"tensors"_s); }}});
    m_notice = m_messages.message();
    m_openedAs = m_document.scenario();
    m_explore.showHeads(file->offers.size() > 1);
    if (!namesShippedHeads(file->file.path()))  // a name in the list of recent files is a path
        emit opened(path);
}

/// The same layer and head of the same tensors in another place; or what that file offers, where it has other tensors.
void TensorOpener::showLocated(const OfferedFilePtr& file)
{
    const std::string& query = m_document.scenario().tensors.query;
    if (std::none_of(file->offers.begin(), file->offers.end(),
                     [&](const TensorOffer& offer) { return offer.candidate.query == query; }))
        return show(file);
    m_document.editOnce(u"Locate"_s, [&](Scenario& scenario) { scenario.tensors.path = file->file.path(); });
    m_messages.hide();
    emit opened(text(file->file.path()));
}

bool TensorOpener::askForMissing()
{
    const Scenario& scenario = m_document.scenario();
    const QString path = text(scenario.tensors.path);
    if (!isFileMissing(scenario))
        return false;
    m_messages.say(MessageBar::Kind::Error, u"This session looks at %1, which is not there any more."_s.arg(path),
                   {{locatingWords().first, locatingWords().second, [this, path] { chooseLocation(path); }},
                    {doingWithoutWords().first, doingWithoutWords().second, [this] { useWithout(); }}});
    return true;
}

void TensorOpener::useWithout()
{
    m_document.replaceOnce(u"Source"_s, withSource(m_document.scenario(), {"local", {}, {}}));
}

void TensorOpener::chooseLocation(const QString& missing)
{
    const QString path = fileToOpen(m_window, u"Where is %1 now?"_s.arg(QFileInfo(missing).fileName()),
                                    QFileInfo(missing).path(), u"Tensors (*.safetensors *.npy *.npz);;All files (*)"_s);
    if (path.isEmpty())
        askForMissing();
    else
        relocate(path);
}

}  // namespace attnscope

#include "moc_tensor_opener.cpp"
