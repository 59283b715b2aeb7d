// The forward pass of a Llama of SmolLM-135M's shape, with random weights in bfloat16, beside OpenBLAS's time for the
// same products on float32 matrices, in turns.
//
//   bench_model [n]           2048 tokens, all cores
//   bench_model n FOLDER      another model: its pass, and how soon a stop ends it
//
// The products: queries, keys, values and output, the gated feed-forward, q·k and the weighted values below the
// diagonal, the logits of all tokens; exponentials, norms, positions and the widening of weights are the program's own
// to add. Memory is what the process had at most before OpenBLAS was asked for anything.
// tests/benchmarks/model_forward.py is the same pass in PyTorch.

#include "tests/benchmarks/bound.h"

#include "core/model/evaluation.h"
#include "core/tensor/tensor_writer.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

using namespace attnscope;

namespace {

constexpr int layers = 30, width = 576, inner = 1536, heads = 9, keyHeads = 3, headSize = 64, vocabulary = 49152;

/// The upper halves of floats of standard deviation 0.02.
std::vector<std::uint16_t> randomBfloat16(std::uint64_t seed, std::int64_t count)
{
    std::vector<std::uint16_t> values(static_cast<size_t>(count));
    std::vector<float> row(4096);
    for (std::int64_t at = 0; at < count; at += std::ssize(row)) {
        Random(seed, Stream::Other).normals(static_cast<std::uint64_t>(at), std::span(row));
        for (std::int64_t i = at; i < std::min(count, at + std::ssize(row)); ++i)
            values[static_cast<size_t>(i)] = static_cast<std::uint16_t>(
                std::bit_cast<std::uint32_t>(0.02F * row[static_cast<size_t>(i - at)]) >> 16);
    }
    return values;
}

void writeModel(const std::string& folder)
{
    std::ofstream(folder + "/config.json")
        << R"({"model_type": "llama", "hidden_act": "silu", "hidden_size": 576, "intermediate_size": 1536, "num_hidden_layers": 30,
 "num_attention_heads": 9, "num_key_value_heads": 3, "head_dim": 64, "rms_norm_eps": 1e-05, "rope_theta": 10000.0, "max_position_embeddings": 2048, "vocab_size": 49152, "tie_word_embeddings": true})";
    std::vector<std::vector<std::uint16_t>> held;
    std::vector<TensorView> tensors;
    const auto add = [&](const std::string& name, std::vector<std::int64_t> shape) {
        std::int64_t count = 1;
        for (const std::int64_t extent : shape)
            count *= extent;
        held.push_back(shape.size() == 1 ? std::vector<std::uint16_t>(static_cast<size_t>(count), 0x3f80)
                                         : randomBfloat16(held.size(), count));
        tensors.push_back({name, Dtype::BF16, std::move(shape), std::as_bytes(std::span(held.back()))});
    };
    held.reserve(layers * 9 + 2);
    add("model.embed_tokens.weight", {vocabulary, width});
    add("model.norm.weight", {width});
    for (int layer = 0; layer < layers; ++layer) {
        const std::string start = "model.layers." + std::to_string(layer) + ".";
        add(start + "input_layernorm.weight", {width});
        add(start + "post_attention_layernorm.weight", {width});
        add(start + "self_attn.q_proj.weight", {heads * headSize, width});
        add(start + "self_attn.k_proj.weight", {keyHeads * headSize, width});
        add(start + "self_attn.v_proj.weight", {keyHeads * headSize, width});
        add(start + "self_attn.o_proj.weight", {width, heads * headSize});
        add(start + "mlp.gate_proj.weight", {inner, width});
        add(start + "mlp.up_proj.weight", {inner, width});
        add(start + "mlp.down_proj.weight", {width, inner});
    }
    if (const auto written = writeSafetensors(folder + "/model.safetensors", tensors); !written)
        std::fprintf(stderr, "%s\n", written.error().message.c_str());
}

/// Kilobytes that the process had in memory at most so far.
long mostMemory()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:"))
            return std::atol(line.c_str() + 6);
    return 0;
}

/// OpenBLAS's products of the whole pass, on the same few matrices for every layer.
class Products {
public:
    Products(const Libraries& libraries, int n)
        : m_libraries(libraries), m_n(n), m_x(normals(1, n, inner)), m_weights(normals(2, vocabulary, width)),
          m_y(n, inner), m_logits(rows, vocabulary), m_query(normals(3, n, headSize)), m_z(rows, n),
          m_mixed(rows, headSize)
    {
    }
    void operator()()
    {
        for (int layer = 0; layer < layers; ++layer) {
            for (const auto& [outputs, inputs] : {std::pair{width, width},
                                                  {keyHeads * headSize, width},
                                                  {keyHeads * headSize, width},
                                                  {width, width},
                                                  {inner, width},
                                                  {inner, width},
                                                  {width, inner}})
                m_libraries.sgemm(101, 111, 112, m_n, outputs, inputs, 1, m_x.data(), inner, m_weights.data(), inputs,
                                  0, m_y.data(), inner);
            for (int head = 0; head < heads; ++head)
                for (int row = 0; row < m_n; row += rows) {
                    const int keys = row + rows;
                    m_libraries.sgemm(101, 111, 112, rows, keys, headSize, 1, m_query.row(row).data(), headSize,
                                      m_query.data(), headSize, 0, m_z.data(), m_n);
                    m_libraries.sgemm(101, 111, 111, rows, headSize, keys, 1, m_z.data(), m_n, m_query.data(), headSize,
                                      0, m_mixed.data(), headSize);
                }
        }
        for (int row = 0; row < m_n; row += rows)
            m_libraries.sgemm(101, 111, 112, rows, vocabulary, width, 1, m_x.row(row).data(), inner, m_weights.data(),
                              width, 0, m_logits.data(), vocabulary);
    }

private:
    static constexpr int rows = 256;
    const Libraries& m_libraries;
    int m_n;
    Matrix m_x, m_weights, m_y, m_logits, m_query, m_z, m_mixed;
};

Window randomWindow(int n, int words)
{
    Window window;
    for (int t = 0; t <= n; ++t)
        window.inputs.push_back(
            static_cast<int>(Random(4, Stream::Other).uniform(static_cast<std::uint64_t>(t), 0) * words));
    window.targets.assign(window.inputs.begin() + 1, window.inputs.end());
    window.inputs.pop_back();
    return window;
}

/// How long after a stop a pass of about so many milliseconds ends: at nine places spread over it.
void stopAtNinePlaces(const Model& model, const Window& window, double pass)
{
    std::vector<double> waits;
    for (int part = 1; part <= 9; ++part) {
        std::stop_source stop;
        std::chrono::steady_clock::time_point asked;
        std::jthread stopper([&] {
            std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(part * pass / 10));
            asked = std::chrono::steady_clock::now();
            stop.request_stop();
        });
        (void)runWindow(model, window,
                        {.policy = {}, .pictures = {}, .observe = {}, .progress = {}, .stop = stop.get_token()});
        const auto ended = std::chrono::steady_clock::now();
        stopper.join();
        waits.push_back(std::chrono::duration<double, std::milli>(ended - asked).count());
    }
    std::printf("stopped at nine places: median %.1f ms, at most %.1f ms later\n", median(waits),
                std::ranges::max(waits));
}

int measureAnother(const std::string& folder, int n)
{
    const auto model = openModel(folder);
    if (!model) {
        std::fprintf(stderr, "%s\n", model.error().message.c_str());
        return 1;
    }
    const Window window = randomWindow(n, model->architecture.vocabulary);
    const double pass = milliseconds(true, [&] {
        (void)runWindow(*model, window, {.policy = {}, .pictures = {}, .observe = {}, .progress = {}, .stop = {}});
    });
    std::printf("n %d: forward %.0f ms, at most %.0f MB in memory\n", n, pass,
                static_cast<double>(mostMemory()) * 1024e-6);
    stopAtNinePlaces(*model, window, pass);
    return 0;
}

int measure(const std::string& folder, int n)
{
    const auto model = openModel(folder);
    if (!model) {
        std::fprintf(stderr, "%s\n", model.error().message.c_str());
        return 1;
    }
    const Window window = randomWindow(n, vocabulary);
    const auto forward = [&] {
        if (const auto result =
                runWindow(*model, window, {.policy = {}, .pictures = {}, .observe = {}, .progress = {}, .stop = {}});
            !result)
            std::fprintf(stderr, "%s\n", result.error().message.c_str());
    };
    forward();
    const double stored = static_cast<double>(std::filesystem::file_size(folder + "/model.safetensors")) / 1e6,
                 most = static_cast<double>(mostMemory()) * 1024e-6;
    std::printf("n %d: at most %.0f MB in memory, of which %.0f MB are the weights as stored\n", n, most, stored);
    const Libraries libraries;
    if (!libraries.complete()) {
        std::puts("The bound needs libopenblas.so.0 and the C library's libmvec.so.1 (package libopenblas0-pthread).");
        return 1;
    }
    libraries.setThreads(static_cast<int>(std::thread::hardware_concurrency()));
    Products products(libraries, n);
    std::vector<double> ours, theirs, ratios;
    for (int round = 0; round < 5; ++round) {
        theirs.push_back(milliseconds(true, [&] { products(); }));
        ours.push_back(milliseconds(true, forward));
        ratios.push_back(ours.back() / theirs.back());
        std::printf("  forward %7.0f ms, OpenBLAS's products %7.0f ms: %.2f times\n", ours.back(), theirs.back(),
                    ratios.back());
        std::fflush(stdout);
    }
    stopAtNinePlaces(*model, window, median(ours));
    std::printf("median: forward %.0f ms, products %.0f ms, ratio %.2f\n", median(ours), median(theirs),
                median(ratios));
    return 0;
}

}  // namespace

int main(int argc, char** argv)
{
    const int n = argc > 1 ? std::atoi(argv[1]) / 256 * 256 : 2048;
    if (argc > 2)
        return measureAnother(argv[2], n);
    std::string folder = (std::filesystem::temp_directory_path() / "attnscope_bench_XXXXXX").string();
    if (n < 256 || !mkdtemp(folder.data()))
        return 1;
    if (const pid_t writer = fork(); writer == 0) {  // so that its memory is not counted
        writeModel(folder);
        _exit(0);
    } else {
        waitpid(writer, nullptr, 0);
    }
    const int status = measure(folder, n);
    std::filesystem::remove_all(folder);
    return status;
}
