#include "core/scaling/eie_network.h"

#include "core/base/embedded.h"
#include "core/base/file_stamp.h"
#include "core/base/text.h"
#include "core/tensor/tensor_file.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <mutex>

namespace attnscope {

Embedded eieD16N20();
Embedded eieD16N256();
Embedded eieD16();  // made by attnscope_embed from resources/labs
Embedded eieD32();

namespace {

Eigen::VectorXd requr(const Eigen::VectorXd& x)
{
    const Eigen::ArrayXd low = x.array().max(0).min(0.5);
    return low.square() + (x.array() - 0.5).max(0);
}

tl::unexpected<Error> unfit(ErrorKind kind, const TensorFile& file, const std::string& why)
{
    return failure(kind, file.path() + why + "; train one with `attnscope lab eie`");
}

Result<double> readNumber(const TensorFile& file, const std::string& key)
{
    const auto found = file.metadata().find(key);
    if (found == file.metadata().end())
        return unfit(ErrorKind::InvalidHeader, file, " is no EIE network: its metadata lacks '" + key + "'");
    const std::string& text = found->second;
    const auto value = numberFrom<double>(text);
    if (!value || !std::isfinite(*value))
        return unfit(ErrorKind::InvalidHeader, file, ": metadata '" + key + "' is '" + text + "', not a number");
    return *value;
}

Result<Eigen::MatrixXd> readMatrix(const TensorFile& file, const std::string& name, Eigen::Index rows,
                                   Eigen::Index columns)
{
    const TensorInfo* tensor = TRY(file.find(name));
    if (tensor->elementCount() != static_cast<std::uint64_t>(rows * columns))
        return unfit(ErrorKind::BadShape, file,
                     fmt::format(": tensor '{}' has shape {}, expected {} x {}", name, describeShape(tensor->shape),
                                 rows, columns));
    const std::vector<double> values = TRY(file.read<double>(*tensor));
    if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); }))
        return unfit(ErrorKind::DataError, file, ": tensor '" + name + "' holds NaN or infinity");
    return Eigen::MatrixXd(Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
        values.data(), rows, columns));
}

template <class Layer>
Result<void> readLayer(const TensorFile& file, const std::string& name, Eigen::Index rows, Eigen::Index columns,
                       Layer& layer)
{
    layer.weight = TRY(readMatrix(file, name + ".weight", rows, columns));
    layer.bias = TRY(readMatrix(file, name + ".bias", rows, 1));
    return {};
}

constexpr std::size_t mostBlocks = 64;

}  // namespace

const FivePointGauss& fivePointGauss()
{
    static const FivePointGauss rule = [] {
        const double inner = std::sqrt(5 - 2 * std::sqrt(10.0 / 7)) / 3,
                     outer = std::sqrt(5 + 2 * std::sqrt(10.0 / 7)) / 3;
        const double heavy = (322 + 13 * std::sqrt(70.0)) / 900, light = (322 - 13 * std::sqrt(70.0)) / 900;
        return FivePointGauss{{-outer, -inner, 0, inner, outer}, {light, heavy, 128.0 / 225, heavy, light}};
    }();
    return rule;
}

Result<EieNetwork> EieNetwork::read(const TensorFile& file)
{
    EieNetwork network;
    const double d = TRY(readNumber(file, "d")), nTrain = TRY(readNumber(file, "n_train")),
                 nMax = TRY(readNumber(file, "n_max"));
    network.m_epsilon = TRY(readNumber(file, "epsilon"));
    if (!(d >= 1 && d <= 1e6) || !(nTrain >= 1) || !(nMax > nTrain))
        return unfit(ErrorKind::InvalidHeader, file,
                     ": d, n_train and n_max of an EIE network must be at least 1, and n_max above n_train");
    network.m_d = static_cast<int>(d);
    network.m_nTrain = nTrain;
    network.m_nMax = nMax;
    const auto variable = file.metadata().find("variable");
    if (variable == file.metadata().end() || (variable->second != "n" && variable->second != "log"))
        return unfit(ErrorKind::InvalidHeader, file, ": metadata 'variable' of an EIE network must be 'n' or 'log'");
    network.m_variable = variable->second == "n" ? Variable::Length : Variable::Log;

    const TensorInfo* first = TRY(file.find("input.weight"));
    const Eigen::Index width = static_cast<Eigen::Index>(first->elementCount());
    TRY(readLayer(file, "input", width, 1, network.m_input));
    for (std::size_t block = 0; block < mostBlocks; ++block) {
        const std::string name = "blocks." + std::to_string(block) + ".";
        if (!file.find(name + "0.weight"))
            break;
        network.m_blocks.emplace_back();
        for (std::size_t half = 0; half < 2; ++half)
            TRY(readLayer(file, name + std::to_string(half), width, width, network.m_blocks.back()[half]));
    }
    TRY(readLayer(file, "output", 1, width, network.m_output));
    return network;
}

const std::vector<EieNetwork>& EieNetwork::shipped()
{
    static const std::vector<EieNetwork> networks = [] {
        std::vector<EieNetwork> all;
        for (const Embedded& resource : {eieD16(), eieD32(), eieD16N20(), eieD16N256()}) {
            const Result<TensorFile> file =
                TensorFile::fromBytes({resource.bytes.begin(), resource.bytes.end()}, std::string(resource.name));
            if (Result<EieNetwork> network = file ? read(*file) : tl::unexpected(file.error()))
                all.push_back(std::move(*network));
        }
        return all;
    }();
    return networks;
}

Result<std::shared_ptr<const EieNetwork>> eieNetworkOf(const std::string& path)
{
    struct Known {
        std::string path;
        FileStamp stamp;
        Result<std::shared_ptr<const EieNetwork>> network;
    };
    constexpr std::size_t most = 8;
    static std::mutex mutex;
    static std::deque<Known> known;  // the last read first

    const std::scoped_lock lock(mutex);
    const FileStamp stamp = stampOf(path);
    std::erase_if(known, [&](const Known& one) { return one.path == path && one.stamp != stamp; });
    if (const auto found = std::ranges::find(known, path, &Known::path); found != known.end())
        return found->network;
    auto network = TensorFile::open(path)
                       .and_then([](const TensorFile& file) { return EieNetwork::read(file); })
                       .map([](EieNetwork read) { return std::make_shared<const EieNetwork>(std::move(read)); });
    known.push_front({path, stamp, network});
    if (known.size() > most)
        known.pop_back();
    return network;
}

double EieNetwork::variableOf(Variable variable, double n, double nTrain, double nMax)
{
    return variable == Variable::Length ? n : std::log(n / nTrain) / std::log(nMax / nTrain);
}

double EieNetwork::slope(double x) const
{
    Eigen::VectorXd y = requr(m_input(Eigen::VectorXd::Constant(1, x)));
    for (const std::array<Layer, 2>& block : m_blocks)
        y += requr(block[1](requr(block[0](y))));
    const double positive = std::max(m_output(y)(0), 0.0);
    return positive * positive + m_epsilon;
}

double EieNetwork::lambda(double n) const
{
    const double from = variableOf(m_variable, m_nTrain, m_nTrain, m_nMax),
                 to = variableOf(m_variable, n, m_nTrain, m_nMax);
    double sum = 0;
    for (std::size_t i = 0; i < 5; ++i)
        sum += fivePointGauss().weight[i] * slope((to - from) / 2 * fivePointGauss().node[i] + (to + from) / 2);
    return 1 / std::sqrt(static_cast<double>(m_d)) + (to - from) / 2 * sum;
}

}  // namespace attnscope
