#include "ui/window/labs/tours_page.h"

#include "core/labs/policy_networks.h"
#include "core/scaling/scale_method.h"
#include "ui/figure/tours_recipe.h"
#include "ui/plot/qt_text.h"
#include "ui/window/controls/building.h"
#include "ui/window/controls/choice_control.h"
#include "ui/window/controls/elided.h"
#include "ui/window/controls/number_control.h"
#include "ui/window/labs/lab_tours.h"
#include "ui/window/labs/tour_steps.h"

#include <QElapsedTimer>
#include <QFileDialog>
#include <QFileInfo>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attnscope {

namespace {

constexpr int widestRedecoded = 720;
const NumberScale factorScale{.minimum = 0.25, .maximum = 4, .logarithmic = true, .digits = 3};
const QString otherNetwork = QStringLiteral("other");

/// In the list of networks: its place among those that come with the program.
int placeOfShipped(const RedecodingRequest& request)
{
    const auto all = shippedRoutings();
    return static_cast<int>(std::ranges::find_if(all, [&](const ShippedRouting& one) { return one.depot == request.vehicles && one.length == request.learned; }) - all.begin());
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

}  // namespace

ToursPage::ToursPage(LabShelf shelf, QWidget* parent)
    : QWidget(parent), m_shelf(std::move(shelf)), m_side(new QWidget), m_network(new ElidedList), m_where(new ElidedList),
      m_size(new NumberControl(tr("Cities"), {.minimum = 5, .maximum = 400, .logarithmic = true, .whole = true}, tr("How many cities or customers, n"))),
      m_number(new NumberControl(tr("Instance"), {.minimum = 0, .maximum = 999, .whole = true}, tr("Which of the instances of that size: the one that the lab's tests count so"))),
      m_factor(new NumberControl(tr("Factor \u03b1"), factorScale, tr("A factor on the method's multiplier, with vanilla the multiplier itself; the tour at the right is made anew while you drag"))),
      m_method(new ChoiceControl(tr("Method"), entriesOf(scaleMethods()), tr("The scale of the tour at the right"))), m_words(paragraph(nullptr)), m_tours(new LabTourView), m_steps(new TourSteps(*m_tours)), m_redecoder(std::make_shared<Redecoder>()),
      m_job([this](Answer answer) { take(std::move(answer)); }, [](const Error& error) { return Answer{{}, 0, error.message}; })
{
    m_tours->setWidest(widestRedecoded);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_words->setAccessibleDescription(tr("The two tours in words"));
    auto* page = new QWidget;
    QVBoxLayout* below = inColumn({m_steps, m_words}, 6);
    below->setContentsMargins(LabTourView::gap, 0, LabTourView::gap, 0);
    inColumn(page, {m_tours, below, stretch()}, 4, {4, 0, 8, 0});
    inColumn(this, {scrolled(page)});
    buildSide();
    listNetworks();
    showRequest();
}

void ToursPage::buildSide()
{
    listPlaces(0);
    QPushButton* asFigure = pushButton(tr("As a figure\u2026"), tr("What is shown here as a page in mm, to be saved as PDF, SVG or PNG"));
    connect(asFigure, &QPushButton::clicked, this, [this] { emit figureAsked(figure()); });
    inColumn(m_side, {captionedLine(tr("Network"), m_network, tr("Which network makes the tours: one that comes with the program, one of your runs of the lab routing, or a file of the published layout")),
                      m_size, m_number, m_method,
                      captionedLine(tr("Acts in"), m_where, tr("Where the scale acts: in the encoder's heads, in the decoder's glimpse, in both, or in one layer of the encoder")),
                      m_factor, inRow({asFigure, stretch()}), stretch()}, 8);
    connect(m_network, &QComboBox::activated, this, &ToursPage::chooseNetwork);
    const auto change = [this](auto set) {
        return [this, set](const auto& value) {
            RedecodingRequest request = m_request;
            set(request, value);
            setRequest(request);
        };
    };
    connect(m_size, &NumberControl::edited, this, change([](RedecodingRequest& request, double value) { request.size = static_cast<std::int64_t>(value); }));
    connect(m_number, &NumberControl::edited, this, change([](RedecodingRequest& request, double value) { request.number = static_cast<std::int64_t>(value); }));
    connect(m_method, &ChoiceControl::edited, this, change([](RedecodingRequest& request, const Choice& method) { request.method = method; }));
    connect(m_factor, &NumberControl::edited, this, change([](RedecodingRequest& request, double value) {
        const double alpha = std::round(1000 * value) / 1000;   // as the field says it
        if (alpha == 1)
            request.method.values.erase("alpha");
        else
            request.method.values["alpha"] = alpha;
    }));
    connect(m_where, &QComboBox::activated, this, change([this](RedecodingRequest& request, int index) { request.where = m_where->itemText(index).toStdString(); }));
}

/// Both parts of a network, one of them, or one of the encoder's `layers`.
void ToursPage::listPlaces(Index layers)
{
    QStringList places;
    for (const std::string_view place : placesOfScale())
        places << QLatin1String(place.data(), static_cast<qsizetype>(place.size()));
    for (Index layer = 0; layer < layers; ++layer)
        places << QString::fromStdString(nameOfLayer(layer));
    refill(*m_where, places);
    m_where->setCurrentText(QString::fromStdString(m_request.where));
}

/// Those that come with the program, those of finished runs, and the file that is open.
void ToursPage::listNetworks()
{
    const QSignalBlocker blocker(m_network);
    m_network->clear();
    for (int place = 0; const ShippedRouting& network : shippedRoutings())
        m_network->addItem((network.depot ? tr("%1 customers (with the program)") : tr("%1 cities (with the program)")).arg(network.length), place++);
    for (const ShelvedRun& run : m_shelf.runs())
        for (const LabFile& file : makesTours(run.record.choice) ? run.record.files : std::vector<LabFile>())
            m_network->addItem(tr("%1: %2").arg(run.name, QFileInfo(QString::fromStdString(file.path)).fileName()), QString::fromStdString(file.path));
    const QString open = QString::fromStdString(m_request.model);
    if (!open.isEmpty() && m_network->findData(open) < 0)
        m_network->addItem(QFileInfo(open).fileName(), open);
    m_network->addItem(tr("A file\u2026"), otherNetwork);
    m_network->setCurrentIndex(open.isEmpty() ? placeOfShipped(m_request) : m_network->findData(open));
}

void ToursPage::chooseNetwork(int index)
{
    RedecodingRequest request = m_request;
    const QString chosen = m_network->itemData(index).toString();
    request.model.clear();
    if (index < std::ssize(shippedRoutings())) {
        const ShippedRouting& network = shippedRoutings()[static_cast<std::size_t>(index)];
        request.vehicles = network.depot;
        request.learned = network.length;
    } else {
        request.vehicles = false;
        request.model = (chosen == otherNetwork ? QFileDialog::getOpenFileName(this, tr("An Attention Model"), {}, tr("Tensors (*.safetensors);;All files (*)")) : chosen).toStdString();
        if (request.model.empty())
            return listNetworks();
    }
    setRequest(request);
    listNetworks();
}

void ToursPage::setRequest(const RedecodingRequest& request)
{
    if (request == m_request)
        return;
    m_request = request;
    showRequest();
    if (m_begun)
        ask();
}

void ToursPage::showRequest()
{
    m_size->setValue(static_cast<double>(m_request.size));
    m_number->setValue(static_cast<double>(m_request.number));
    m_factor->setValue(factorScale.clamped(alphaOf(m_request.method)));
    if (m_method->choice() != m_request.method)
        m_method->setChoice(m_request.method);
    m_where->setCurrentText(QString::fromStdString(m_request.where));
}

/// Nothing is computed before the page is looked at.
void ToursPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    listNetworks();
    if (!std::exchange(m_begun, true))
        ask();
}

/// The question as it stands once the one before it is answered: a drag asks faster than tours are made, and each of them is to be seen.
void ToursPage::ask()
{
    m_settled = false;
    if (m_asked)
        return;
    m_asked = m_request;
    m_job.start([request = m_request, redecoder = m_redecoder](std::stop_token stop, const auto& publish) {
        QElapsedTimer clock;
        clock.start();
        auto found = (*redecoder)(request, stop);
        publish(found ? Answer{std::make_shared<const Redecoded>(std::move(*found)), static_cast<double>(clock.nsecsElapsed()) / 1e6, {}} : Answer{{}, 0, found.error().message});
    });
}

void ToursPage::take(Answer answer)
{
    m_settled = *std::exchange(m_asked, std::nullopt) == m_request;
    m_shown = std::move(answer.found);
    m_tours->show(m_shown ? std::vector{m_shown->tours} : std::vector<LabTours>());
    m_steps->show(m_shown);
    if (m_shown) {
        const Redecoded& found = *m_shown;
        listPlaces(found.layers);
        const double change = 100 * (found.scaled.length / found.vanilla.length - 1);
        const auto fixed = [](double value, int digits) { return QString::number(value, 'f', digits); };
        m_words->setText(tr("%1 against %2 with the scale that was trained with: %3 % %4. %5 of %6 edges differ.\n"
                            "Multiplier %7 at n = %8, trained at N = %9. Entropy of the encoder's heads %10 nats, with vanilla %11; of the glimpse %12, with vanilla %13. Made in %14 ms.")
                             .arg(fixed(found.scaled.length, 3), fixed(found.vanilla.length, 3), fixed(std::abs(change), 2), change > 0 ? tr("longer") : tr("shorter"))
                             .arg(found.differing)
                             .arg(found.edges)
                             .arg(number(found.multiplier))
                             .arg(found.n)
                             .arg(found.trainLength)
                             .arg(fixed(found.scaled.encoderEntropy, 3), fixed(found.vanilla.encoderEntropy, 3), fixed(found.scaled.decoderEntropy, 3), fixed(found.vanilla.decoderEntropy, 3))
                             .arg(answer.milliseconds, 0, 'f', 0));
    } else {
        m_words->setText(QString::fromStdString(answer.error));
    }
    m_tours->setAccessibleDescription(m_words->text());
    if (m_settled)
        emit settled();
    else
        ask();
}

Recipe ToursPage::figure() const
{
    return toursRecipe(m_request, m_steps->isMade() ? std::vector<std::int64_t>() : std::vector<std::int64_t>{m_steps->choice()});
}

QString ToursPage::words() const { return m_words->text(); }

}  // namespace attnscope

#include "moc_tours_page.cpp"
