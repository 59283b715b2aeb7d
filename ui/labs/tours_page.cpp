#include "ui/labs/tours_page.h"

#include "ui/widgets/file_to_save.h"
#include "core/labs/policies/policy_networks.h"
#include "core/scaling/scale_method.h"
#include "ui/figure/tours_recipe.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/widgets/building.h"
#include "ui/widgets/choice_control.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/length_scrubber.h"
#include "ui/widgets/number_control.h"
#include "ui/workbench/document.h"
#include "ui/labs/lab_tours.h"
#include "ui/labs/tour_steps.h"

#include <QFileInfo>
#include <QScrollArea>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attnscope {

namespace {

constexpr int widestRedecoded = 720;
constexpr int patience = 300;  ///< milliseconds
constexpr double drawnInstances = 1000;
const NumberScale sizeScale{.minimum = 5, .maximum = RedecodingRequest::mostCities, .logarithmic = true, .whole = true};
const NumberScale factorScale{.minimum = 0.25, .maximum = 4, .logarithmic = true, .digits = 3};
const QString otherFile = u"other"_s;

/// In the list of networks: its place among those that come with the program.
int placeOfShipped(const RedecodingRequest& request)
{
    const auto all = shippedRoutings();
    return static_cast<int>(std::ranges::find_if(all,
                                                 [&](const ShippedRouting& one) {
                                                     return one.depot == request.vehicles &&
                                                            one.length == request.learned;
                                                 }) -
                            all.begin());
}

bool makesTours(const Choice& lab)
{
    const auto row = findRow(labs(), lab.id, "lab");
    return row && (*row)->tours;
}

double alphaOf(const Choice& method)
{
    const auto alpha = method.values.find("alpha");
    return alpha == method.values.end() ? 1 : alpha->second;
}

/// Of the same network and instance, but for the factor that is dragged?
bool differInFactorAlone(RedecodingRequest a, RedecodingRequest b)
{
    a.method.values.erase("alpha");
    b.method.values.erase("alpha");
    return a == b;
}

QString nameOfFile(const std::string& path) { return QFileInfo(text(path)).fileName(); }

}  // namespace

ToursPage::ToursPage(Document& document, RunStore store, QWidget* parent)
    : QWidget(parent), m_document(document), m_store(std::move(store)), m_request(document.look().labs.tours),
      m_side(new QWidget), m_sizeLine(new QWidget), m_network(new ElidedList), m_instances(new ElidedList),
      m_sizes(new ElidedList), m_where(new ElidedList),
      m_trained(new NumberControl(
          u"Trained at N"_s,
          {.minimum = 2, .maximum = RedecodingRequest::mostTrained, .logarithmic = true, .whole = true},
          u"N, among how many cities or customers the network learned: what its file says, or what you set. Methods "
          "that depend on N use it, and customers' demands are parts of the load that is usual at N"_s)),
      m_size(new NumberControl(u"Cities"_s, sizeScale, u"How many cities or customers, n"_s)),
      m_number(new NumberControl(
          u"Instance"_s, {.minimum = 0, .maximum = drawnInstances - 1, .whole = true},
          u"Which of the instances of that size: as the lab's tests count them, or of the file the first is 0"_s)),
      m_factor(new NumberControl(u"Factor \u03b1"_s, factorScale,
                                 u"A factor on the method's multiplier, with Vanilla the multiplier itself; the tour "
                                 "at the right is made anew while you drag"_s)),
      m_method(new ChoiceControl(u"Method"_s, entriesOf(scaleMethods()), u"The scale of the tour at the right"_s)),
      m_scrubber(new LengthScrubber(u"Cities, n"_s, u"n"_s,
                                    u"How many cities or customers: drag it. It stops at powers of two and at N; in "
                                    "a file of instances at the sizes that it has."_s)),
      m_answer(selectableParagraph(nullptr)), m_words(selectableParagraph("caption")), m_tours(new LabTourView),
      m_steps(new TourSteps(*m_tours)),
      m_made(
          [redecoder = std::make_shared<Redecoder>()](const RedecodingRequest& request, const auto&,
                                                      const std::stop_token& stop, const auto&) {
              return std::optional(madeOf(*redecoder, request, stop));
          },
          [](const Error& error) { return Answer{.nearest = {}, .counts = {}, .found = {}, .error = error.message}; },
          [this] {
              if (m_made.value() && !m_made.isComputing())
                  take(*m_made.value());
          }),
      m_reading(
          [this](std::vector<StoredRun> runs) {
              m_runs = std::move(runs);
              listNetworks();
          },
          [](const Error&) { return std::vector<StoredRun>(); })
{
    for (QLabel* label : {m_answer, m_words})
        label->setAccessibleDescription(u"The two tours in words"_s);
    m_answer->setContentsMargins(4, 0, 8, 0);
    auto* page = new QWidget;
    inColumn(page, {m_tours, inColumn({m_steps, m_words}, 6), stretch()}, 4, {4, 0, 8, 0});
    m_scroll = scrolled(page);
    m_scroll->installEventFilter(this);
    inColumn(this, {m_scrubber, m_answer, {m_scroll, 1}}, 4);
    buildSide();
    listNetworks();
    listInstances();
    showRequest();
    m_patience.setSingleShot(true);
    m_patience.setInterval(patience);
    connect(&m_patience, &QTimer::timeout, this, &ToursPage::hurry);
    connect(&m_document, &Document::lookChanged, this, &ToursPage::follow);
}

/// The tours leave the slider, and what it says, their room; the rest is below.
bool ToursPage::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_scroll && event->type() == QEvent::Resize)
        fitTours();
    return QWidget::eventFilter(watched, event);
}

void ToursPage::fitTours()
{
    constexpr int least = 240, air = 16;
    const QLayout& steps = *m_steps->layout();
    const int wide = m_scroll->width() - 12,  // as wide as they will be
        below = (steps.hasHeightForWidth() ? steps.heightForWidth(wide) : steps.sizeHint().height()) +
                m_words->heightForWidth(wide);
    m_tours->setHighest(std::clamp(m_scroll->height() - below - air, least, widestRedecoded));
}

void ToursPage::buildSide()
{
    listPlaces(0);
    QPushButton* asFigure =
        pushButton(u"As a figure\u2026"_s, u"What is shown here as a page in mm, to be saved as PDF, SVG or PNG"_s);
    connect(asFigure, &QPushButton::clicked, this, [this] { emit figureAsked(figure()); });
    inRow(m_sizeLine,
          {captionedLine(u"Cities"_s, m_sizes, u"How many cities or customers, n: the sizes that the file has"_s)});
    inColumn(m_side,
             {captionedLine(u"Network"_s, m_network,
                            u"Which network makes the tours: one that comes with the program, one of your runs of the "
                            "lab routing, or a file of the published layout"_s),
              m_trained,
              captionedLine(u"Instances"_s, m_instances,
                            u"Where cities and customers are from: drawn at random, as the lab's tests draw them, or "
                            "from a file of tensors: tsp.100.cities and so on"_s),
              m_sizeLine, m_size, m_number, m_method,
              captionedLine(u"Acts in"_s, m_where,
                            u"Where the scale acts: in the encoder's heads, in the decoder's glimpse, in both, or in "
                            "one layer of the encoder"_s),
              m_factor, inRow({asFigure, stretch()}), stretch()},
             6);
    connect(m_network, &QComboBox::activated, this, &ToursPage::chooseNetwork);
    connect(m_instances, &QComboBox::activated, this, &ToursPage::chooseInstances);
    const auto change = [this](auto set) {
        return [this, set](const auto& value) {
            RedecodingRequest request = m_request;
            set(request, value);
            setRequest(request);
        };
    };
    const auto changeWhole = [change](std::int64_t RedecodingRequest::*field) {
        return change(
            [field](RedecodingRequest& request, double value) { request.*field = static_cast<std::int64_t>(value); });
    };
    connect(m_trained, &NumberControl::edited, this, changeWhole(&RedecodingRequest::trainLength));
    connect(m_size, &NumberControl::edited, this, changeWhole(&RedecodingRequest::size));
    connect(m_scrubber, &LengthScrubber::edited, this, changeWhole(&RedecodingRequest::size));
    connect(m_scrubber, &LengthScrubber::finished, &m_document, &Document::endGesture);
    connect(m_sizes, &QComboBox::activated, this, change([this](RedecodingRequest& request, int index) {
                request.size = m_sizes->itemData(index).toLongLong();
            }));
    connect(m_number, &NumberControl::edited, this, changeWhole(&RedecodingRequest::number));
    connect(m_method, &ChoiceControl::edited, this,
            change([](RedecodingRequest& request, const Choice& method) { request.method = method; }));
    connect(m_factor, &NumberControl::edited, this, change([](RedecodingRequest& request, double value) {
                const double alpha = std::round(1000 * value) / 1000;  // as the field says it
                if (alpha == 1)
                    request.method.values.erase("alpha");
                else
                    request.method.values["alpha"] = alpha;
            }));
    connect(m_where, &QComboBox::activated, this, change([this](RedecodingRequest& request, int index) {
                request.where = m_where->itemData(index).toString().toStdString();
            }));
    for (NumberControl* each : {m_trained, m_size, m_number, m_factor})
        connect(each, &NumberControl::finished, &m_document, &Document::endGesture);
    connect(m_method, &ChoiceControl::finished, &m_document, &Document::endGesture);
    for (QComboBox* each : {m_network, m_instances, m_sizes, m_where})
        connect(each, &QComboBox::activated, &m_document, &Document::endGesture);
}

/// Both parts of a network, one of them, or one of the encoder's `layers`.
void ToursPage::listPlaces(Index layers)
{
    ListItems places{{u"Encoder and decoder"_s, u"both"_s}, {u"Encoder"_s, u"encoder"_s}, {u"Decoder"_s, u"decoder"_s}};
    for (Index layer = 0; layer < layers; ++layer) {
        const QString name = text(nameOfLayer(layer));
        places.emplace_back(sentence(name), name);
    }
    refill(*m_where, places);
    m_where->setCurrentIndex(m_where->findData(text(m_request.where)));
}

/// Those that come with the program, those of finished runs, and the file that is open.
void ToursPage::listNetworks()
{
    const QSignalBlocker blocker(m_network);
    m_network->clear();
    for (int place = 0; const ShippedRouting& network : shippedRoutings())
        m_network->addItem((network.depot ? u"%1 customers (with the program)"_s : u"%1 cities (with the program)"_s)
                               .arg(network.length),
                           place++);
    for (const StoredRun& run : m_runs)
        for (const LabFile& file : makesTours(run.record.choice) ? run.record.files : std::vector<LabFile>())
            m_network->addItem(u"%1: %2"_s.arg(run.name, QFileInfo(text(file.path)).fileName()), text(file.path));
    const QString open = text(m_request.model);
    if (!open.isEmpty() && m_network->findData(open) < 0)
        m_network->addItem(nameOfFile(m_request.model), open);
    m_network->addItem(u"A file\u2026"_s, otherFile);
    m_network->setCurrentIndex(open.isEmpty() ? placeOfShipped(m_request) : m_network->findData(open));
}

void ToursPage::chooseNetwork(int index)
{
    RedecodingRequest request = m_request;
    const QString chosen = m_network->itemData(index).toString();
    request.model.clear();
    request.trainLength = 0;
    if (index < std::ssize(shippedRoutings())) {
        const ShippedRouting& network = shippedRoutings()[static_cast<std::size_t>(index)];
        request.vehicles = network.depot;
        request.learned = network.length;
    } else {
        request.vehicles = false;
        const QString tensors = u"Tensors (*.safetensors);;All files (*)"_s;
        request.model =
            (chosen == otherFile ? fileToOpen(*this, u"An Attention Model"_s, {}, tensors) : chosen).toStdString();
        if (request.model.empty())
            return listNetworks();
    }
    choose(request);
    listNetworks();
}

/// Drawn ones, the file that is open, and another.
void ToursPage::listInstances()
{
    const QSignalBlocker blocker(m_instances);
    m_instances->clear();
    m_instances->addItem(u"Drawn at random"_s, QString());
    if (!m_request.instances.empty())
        m_instances->addItem(nameOfFile(m_request.instances), text(m_request.instances));
    m_instances->addItem(u"A file\u2026"_s, otherFile);
    m_instances->setCurrentIndex(m_request.instances.empty() ? 0 : 1);
}

void ToursPage::chooseInstances(int index)
{
    RedecodingRequest request = m_request;
    const QString chosen = m_instances->itemData(index).toString();
    if (chosen == otherFile) {
        const QString tensors = u"Tensors (*.safetensors *.npz);;All files (*)"_s;
        const QString path = fileToOpen(*this, u"Instances"_s, text(request.instances), tensors);
        if (path.isEmpty())
            return listInstances();
        request.instances = path.toStdString();
    } else {
        request.instances = chosen.toStdString();
    }
    choose(request);
}

/// Of a file of instances; of drawn ones n is any number.
void ToursPage::listSizes()
{
    ListItems sizes;
    for (const auto& [size, count] : m_counts)
        sizes.emplace_back(QString::number(size), QVariant::fromValue(static_cast<qlonglong>(size)));
    refill(*m_sizes, sizes);
    m_sizes->setCurrentIndex(m_sizes->findData(QVariant::fromValue(static_cast<qlonglong>(m_request.size))));
    m_sizeLine->setVisible(!m_request.instances.empty());
    m_size->setVisible(m_request.instances.empty());
    const auto held = m_counts.find(m_request.size);
    const double most =
        m_request.instances.empty() || held == m_counts.end() ? drawnInstances : static_cast<double>(held->second);
    if (m_number->scale().maximum != most - 1)
        m_number->setScale({.minimum = 0, .maximum = most - 1, .whole = true});
}

/// On the scrubber: drawn instances have any size, those of a file the file's.
void ToursPage::showSizes()
{
    const bool drawn = m_request.instances.empty();
    std::vector<LengthScrubber::Mark> marks;
    if (drawn && m_trained->value() >= sizeScale.minimum)
        marks.push_back({m_trained->value(), u"N = %1"_s.arg(lengthText(m_trained->value()))});
    for (const auto& [size, count] : drawn ? decltype(m_counts)() : m_counts)
        marks.push_back({double(size), lengthText(double(size))});
    NumberScale scale = sizeScale;
    if (!drawn && !m_counts.empty()) {
        scale.minimum = double(m_counts.begin()->first);
        scale.maximum = double(std::max(m_counts.rbegin()->first, m_counts.begin()->first + 1));
    }
    m_scrubber->setNamedStopsOnly(!drawn);
    m_scrubber->setEnabled(drawn || m_counts.size() > 1);
    m_scrubber->setScale(scale);
    m_scrubber->setMarks(std::move(marks));
    m_scrubber->setValue(double(m_request.size));
}

const RedecodingRequest& ToursPage::request() const { return m_document.look().labs.tours; }

void ToursPage::setRequest(const RedecodingRequest& request)
{
    m_document.editLook([&](Look& look) { look.labs.tours = request; });
}

/// A file that is chosen again is read again.
void ToursPage::choose(const RedecodingRequest& request)
{
    if (request != m_request)
        return setRequest(request);
    m_made.cancel();
    ask();
}

/// The document asks for something else.
void ToursPage::follow()
{
    if (request() == m_request)
        return;
    const RedecodingRequest before = std::exchange(m_request, request());
    if (before.model != m_request.model || before.vehicles != m_request.vehicles || before.learned != m_request.learned)
        listNetworks();
    if (before.instances != m_request.instances) {
        m_counts.clear();
        listInstances();
    }
    showRequest();
    if (m_begun)
        ask();
}

void ToursPage::showRequest()
{
    listSizes();
    if (m_request.trainLength > 0)
        m_trained->setValue(static_cast<double>(m_request.trainLength));
    else if (m_request.model.empty())
        m_trained->setValue(static_cast<double>(m_request.learned));
    m_size->setValue(static_cast<double>(m_request.size));
    showSizes();
    m_number->setValue(static_cast<double>(m_request.number));
    m_factor->setValue(factorScale.clamped(alphaOf(m_request.method)));
    if (m_method->choice() != m_request.method)
        m_method->setChoice(m_request.method);
    m_where->setCurrentIndex(m_where->findData(text(m_request.where)));
}

/// Nothing is computed before the page is looked at.
void ToursPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_reading.start([store = m_store](const std::stop_token&, const auto& publish) { publish(store.runs()); });
    if (!std::exchange(m_begun, true))
        ask();
}

/// The question as it stands once the one before it is answered: a drag asks faster than tours are made, and each of
/// them is to be seen.
void ToursPage::ask()
{
    m_settled = false;
    if (!m_made.isComputing())
        begin();
    else if (!m_patience.isActive())
        hurry();
}

void ToursPage::begin()
{
    m_patience.start();
    m_made.ask(m_request);
}

ToursPage::Answer ToursPage::madeOf(Redecoder& redecoder, const RedecodingRequest& request, const std::stop_token& stop)
{
    QElapsedTimer clock;
    clock.start();
    Answer answer;
    const auto found = redecoder.nearest(request).and_then([&](const RedecodingRequest& nearest) {
        answer.nearest = nearest;
        answer.counts = redecoder.counts();
        return redecoder(nearest, stop);
    });
    if (found)
        answer.found = std::make_shared<const Redecoded>(*found);
    else
        answer.error = found.error().message;
    answer.milliseconds = static_cast<double>(clock.nsecsElapsed()) / 1e6;
    return answer;
}

/// It takes long: says so, and gives up on tours of what is not asked for any more. Those of a drag of the factor are
/// made all the same.
void ToursPage::hurry()
{
    if (!m_made.isComputing())
        return;
    if (!differInFactorAlone(*m_made.asked(), m_request))
        begin();
    m_answer->setText(u"Making tours among %1\u2026"_s.arg(m_request.size));
}

void ToursPage::take(const Answer& answer)
{
    m_patience.stop();
    const RedecodingRequest asked = *m_made.asked(), made = answer.nearest.value_or(asked);
    m_counts = answer.counts;
    if (asked == m_request && made != asked) {  // its file has no such instance, but another
        m_request = made;
        Look look = m_document.look();
        look.labs.tours = made;
        m_document.setLook(look);  // of the step that asked: undo goes back behind it
        showRequest();
    }
    m_settled = made == m_request;
    m_shown = answer.found;
    if (m_shown && m_settled)
        m_trained->setValue(static_cast<double>(m_shown->trainLength));
    listSizes();
    showSizes();
    m_tours->show(m_shown ? std::vector{m_shown->tours} : std::vector<LabTours>());
    m_steps->show(m_shown);
    if (m_shown) {
        const Redecoded& found = *m_shown;
        listPlaces(found.layers);
        const double change = 100 * (found.scaled.length / found.vanilla.length - 1);
        const auto fixed = [](double value, int digits) { return QString::number(value, 'f', digits); };
        const QString beside = u"%1 % %2"_s.arg(fixed(std::abs(change), 2), change > 0 ? u"longer"_s : u"shorter"_s);
        m_answer->setText(u"Length %1, against %2 with the scale that was trained with: %3. %4 of %5 edges differ."_s
                              .arg(fixed(found.scaled.length, 3), fixed(found.vanilla.length, 3),
                                   found.differing > 0 ? beside : u"the same tour"_s)
                              .arg(found.differing)
                              .arg(found.edges));
        m_words->setText(u"Multiplier %1 at n = %2; %3. Entropy of the encoder's heads %4 nats, with Vanilla %5; of "
                         "the glimpse %6, with Vanilla %7. Made in %8 ms."_s.arg(number(found.multiplier))
                             .arg(countText(double(found.n)))
                             .arg(trainedWords())
                             .arg(fixed(found.scaled.encoderEntropy, 3), fixed(found.vanilla.encoderEntropy, 3),
                                  fixed(found.scaled.decoderEntropy, 3), fixed(found.vanilla.decoderEntropy, 3))
                             .arg(answer.milliseconds, 0, 'f', 0));
    } else {
        m_answer->setText(text(answer.error));
        m_words->clear();
    }
    fitTours();
    m_tours->setAccessibleDescription(words());
    if (m_settled)
        emit settled();
    else
        ask();
}

/// Where N is from.
QString ToursPage::trainedWords() const
{
    const QString n = countText(double(m_shown->trainLength));
    if (m_shown->trained == Redecoded::Trained::Given)
        return u"N = %1 as you set it"_s.arg(n);
    if (m_shown->trained == Redecoded::Trained::Supposed)
        return u"N taken to be %1: the file does not say among how many the network learned; set Trained at N if you "
               "know"_s.arg(n);
    return m_request.model.empty() ? u"trained at N = %1"_s.arg(n) : u"trained at N = %1, as its file says"_s.arg(n);
}

/// With the N of what is shown: the file may say none.
Recipe ToursPage::figure() const
{
    RedecodingRequest shown = m_request;
    if (m_shown && m_shown->trained == Redecoded::Trained::Supposed)
        shown.trainLength = m_shown->trainLength;
    return toursRecipe(shown,
                       m_steps->isMade() ? std::vector<std::int64_t>() : std::vector<std::int64_t>{m_steps->choice()});
}

QString ToursPage::words() const { return m_answer->text() + u'\n' + m_words->text(); }

}  // namespace attnscope

#include "moc_tours_page.cpp"
