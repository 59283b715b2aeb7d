#include "core/tensor/readers.h"

#include "core/tensor/byte_source.h"
#include "core/tensor/dtype.h"

#include <algorithm>

namespace attnscope {

namespace {

/// A window onto a source, at most a MiB: reads of a few bytes that follow one another become one.
class Window {
public:
    explicit Window(const ByteSource& source) : m_source(source) {}

    /// `length` bytes from `offset`; if they are not here already, as many as `ahead` are read (length <= ahead).
    Result<std::span<const std::byte>> bytes(std::uint64_t offset, std::size_t length, std::uint64_t ahead)
    {
        if (offset < m_begin || offset + length > m_begin + m_buffer.size()) {
            m_buffer.resize(
                static_cast<std::size_t>(std::min<std::uint64_t>(std::max<std::uint64_t>(ahead, length), largest)));
            m_begin = offset;
            if (const auto read = m_source.read(offset, m_buffer); !read) {
                m_buffer.clear();
                return tl::unexpected<Error>(read.error());
            }
        }
        return std::span<const std::byte>(m_buffer).subspan(static_cast<std::size_t>(offset - m_begin), length);
    }

    static constexpr std::size_t largest = 1 << 20;

private:
    const ByteSource& m_source;
    std::uint64_t m_begin = 0;
    std::vector<std::byte> m_buffer;
};

/// An axis in the order of the file: its extent there, the part that is wanted, and the steps in file and output.
struct StoredAxis {
    std::uint64_t extent, begin, count, fileStep, outStep;
};

std::vector<StoredAxis> storedAxes(const TensorInfo& tensor, const Box& box)
{
    const std::size_t rank = tensor.shape.size();
    std::vector<StoredAxis> axes(rank);
    std::uint64_t outStep = 1;
    for (std::size_t a = rank; a-- > 0;) {
        axes[a] = {static_cast<std::uint64_t>(tensor.shape[a]), static_cast<std::uint64_t>(box.begin[a]),
                   static_cast<std::uint64_t>(box.count[a]), 0, outStep};
        outStep *= axes[a].count;
    }
    if (tensor.fortranOrder)
        std::reverse(axes.begin(), axes.end());
    std::uint64_t fileStep = 1;
    for (std::size_t a = rank; a-- > 0;) {
        axes[a].fileStep = fileStep;
        fileStep *= axes[a].extent;
    }
    return axes;
}

/// The next index of `axes`, last fastest; false after the last.
bool nextIndex(std::span<const StoredAxis> axes, std::span<std::uint64_t> index)
{
    for (std::size_t a = axes.size(); a-- > 0;) {
        if (++index[a] < axes[a].count)
            return true;
        index[a] = 0;
    }
    return false;
}

/// Copies a box: runs of elements that follow one another in the file, in the order of the file.
template <class Float>
class BoxReader {
public:
    BoxReader(const TensorInfo& tensor, std::vector<StoredAxis> axes)
        : m_tensor(tensor), m_axes(std::move(axes)), m_window(*tensor.source), m_split(m_axes.size())
    {
        while (m_split > 0) {  // axes from m_split on are contiguous
            const StoredAxis& axis = m_axes[--m_split];
            m_run *= axis.count;
            if (axis.count != axis.extent)
                break;
        }
        for (const StoredAxis& axis : m_axes) {
            m_first += axis.begin * axis.fileStep;
            m_end += (axis.begin + axis.count - 1) * axis.fileStep;
        }
        m_end += 1;
    }

    Result<void> read(std::span<Float> out)
    {
        const auto outer = std::span<const StoredAxis>(m_axes).first(m_split);
        std::vector<std::uint64_t> index(m_split, 0);
        do {
            std::uint64_t file = m_first, to = 0;
            for (std::size_t a = 0; a < m_split; ++a) {
                file += index[a] * outer[a].fileStep;
                to += index[a] * outer[a].outStep;
            }
            TRY(readRun(file, to, out));
        } while (nextIndex(outer, index));
        return {};
    }

private:
    Result<void> readRun(std::uint64_t file, std::uint64_t to, std::span<Float> out)
    {
        const auto inner = std::span<const StoredAxis>(m_axes).subspan(m_split);
        const std::size_t size = dtypeSize(m_tensor.dtype), block = numbersOfBlock(m_tensor.dtype);
        // where runs lie close to each other the window may take in what is between them
        const bool close = m_split > 0 && (m_axes[m_split - 1].fileStep - m_run) * size / block < 4096;
        std::vector<std::uint64_t> index(inner.size(), 0);
        for (std::uint64_t done = 0; done < m_run;) {
            const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(m_run - done, Window::largest / size));
            // from the block that holds the first number to the one that holds the last
            const std::uint64_t from = (file + done) / block * block, lead = file + done - from;
            const std::uint64_t ahead = bytesOf(m_tensor.dtype, (close ? m_end : file + m_run) - from),
                                there = bytesOf(m_tensor.dtype, lead + count);
            const auto bytes = TRY(m_window.bytes(m_tensor.offset + from / block * size, there, ahead));
            if (m_tensor.dtype == Dtype::Bool &&
                std::ranges::any_of(bytes, [](std::byte value) { return std::to_integer<int>(value) > 1; }))
                return failure(ErrorKind::DataError,
                               "tensor {}: a truth value that is neither 0 nor 1; save it as U8, or write it again",
                               inQuotes(m_tensor.name));
            if (block > 1) {
                m_decoded.resize(there / size * block);
                decode<Float>(m_tensor.dtype, m_tensor.bigEndian, bytes, m_decoded);
                std::copy_n(m_decoded.begin() + static_cast<std::ptrdiff_t>(lead), count,
                            out.begin() + static_cast<std::ptrdiff_t>(to + done));
            } else if (!m_tensor.fortranOrder) {
                decode<Float>(m_tensor.dtype, m_tensor.bigEndian, bytes,
                              out.subspan(static_cast<std::size_t>(to + done), count));
            } else {
                m_decoded.resize(count);
                decode<Float>(m_tensor.dtype, m_tensor.bigEndian, bytes, m_decoded);
                for (const Float value : m_decoded) {
                    std::uint64_t at = to;
                    for (std::size_t a = 0; a < inner.size(); ++a)
                        at += index[a] * inner[a].outStep;
                    out[static_cast<std::size_t>(at)] = value;
                    nextIndex(inner, index);
                }
            }
            done += count;
        }
        return {};
    }

    const TensorInfo& m_tensor;
    std::vector<StoredAxis> m_axes;
    Window m_window;
    std::vector<Float> m_decoded;
    std::size_t m_split;
    std::uint64_t m_run = 1, m_first = 0, m_end = 0;  ///< elements
};

}  // namespace

template <class Float>
Result<void> readBox(const TensorInfo& tensor, const Box& box, std::span<Float> out)
{
    return BoxReader<Float>(tensor, storedAxes(tensor, box)).read(out);
}

template Result<void> readBox<float>(const TensorInfo&, const Box&, std::span<float>);
template Result<void> readBox<double>(const TensorInfo&, const Box&, std::span<double>);

}  // namespace attnscope
