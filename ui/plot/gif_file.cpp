#include "ui/plot/gif_file.h"

#include "core/base/replace_file.h"
#include "ui/plot/palette.h"

#include <QImage>

#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

namespace attnscope {

namespace {

constexpr int colours = 255;  // and one that is transparent
constexpr int asBefore = 255;

Result<QImage> readFrame(const std::string& path, QSize size)
{
    const QImage frame = QImage(QString::fromStdString(path)).convertToFormat(QImage::Format_RGB32);
    if (frame.isNull())
        return failure(ErrorKind::DataError, path + ": this frame cannot be read as a picture; record again");
    if (!size.isEmpty() && frame.size() != size)
        return failure(
            ErrorKind::DataError,
            path + ": this frame is of another size than the first; leave the window's size alone while it records");
    return frame;
}

int append(GifFileType* gif, const GifByteType* bytes, int count)
{
    static_cast<std::string*>(gif->UserData)
        ->append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(count));
    return count;
}

struct CloseGif {
    void operator()(GifFileType* gif) const
    {
        int error = 0;
        EGifCloseFile(gif, &error);
    }
};
using Gif = std::unique_ptr<GifFileType, CloseGif>;

std::unique_ptr<ColorMapObject, void (*)(ColorMapObject*)> colourTable(const std::vector<QRgb>& palette)
{
    std::array<GifColorType, 256> entries{};
    for (std::size_t i = 0; i < palette.size(); ++i)
        entries[i] = {static_cast<GifByteType>(qRed(palette[i])), static_cast<GifByteType>(qGreen(palette[i])),
                      static_cast<GifByteType>(qBlue(palette[i]))};
    return {GifMakeMapObject(256, entries.data()), GifFreeMapObject};
}

/// Forever: the application extension that browsers know as Netscape's.
bool repeatForever(GifFileType* gif)
{
    const GifByteType endless[] = {1, 0, 0};
    return EGifPutExtensionLeader(gif, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
           EGifPutExtensionBlock(gif, 11, "NETSCAPE2.0") == GIF_OK &&
           EGifPutExtensionBlock(gif, 3, endless) == GIF_OK && EGifPutExtensionTrailer(gif) == GIF_OK;
}

bool putFrame(GifFileType* gif, const std::vector<GifByteType>& pixels, QSize size, int hundredths)
{
    const GraphicsControlBlock control{DISPOSE_DO_NOT, false, hundredths, asBefore};
    std::array<GifByteType, 4> bytes{};
    EGifGCBToExtension(&control, bytes.data());
    bool good = EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, static_cast<int>(bytes.size()), bytes.data()) == GIF_OK &&
                EGifPutImageDesc(gif, 0, 0, size.width(), size.height(), false, nullptr) == GIF_OK;
    for (int y = 0; good && y < size.height(); ++y)
        good = EGifPutLine(gif, const_cast<GifByteType*>(pixels.data()) + static_cast<std::ptrdiff_t>(y) * size.width(),
                           size.width()) == GIF_OK;
    return good;
}

}  // namespace

Result<void> saveGif(std::span<const std::string> frames, double framesPerSecond, const std::string& path,
                     std::stop_token stop, const std::function<void(double)>& progress)
{
    const auto tell = [&](double done) {
        if (progress)
            progress(done);
    };
    QSize size;
    PaletteMaker colourCounts;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        if (stop.stop_requested())
            return failure(ErrorKind::Cancelled, "cancelled");
        const QImage frame = TRY(readFrame(frames[i], size));
        size = frame.size();
        colourCounts.add(frame);
        tell(0.5 * double(i + 1) / double(frames.size()));
    }
    if (frames.empty())
        return failure(ErrorKind::InvalidArgument, path + ": there is no frame; record at least one");

    const std::vector<QRgb> palette = colourCounts.palette(colours);
    PaletteIndex index(palette);
    const auto table = colourTable(palette);
    std::string bytes;
    int error = 0;
    Gif gif(EGifOpen(&bytes, append, &error));
    const auto refused = [&] {
        return failure(ErrorKind::NotWritable, path + ": the pictures cannot be made a GIF; choose a smaller window");
    };
    if (!gif)
        return refused();
    EGifSetGifVersion(gif.get(), true);
    if (EGifPutScreenDesc(gif.get(), size.width(), size.height(), 8, 0, table.get()) != GIF_OK ||
        !repeatForever(gif.get()))
        return refused();
    const int hundredths =
        std::max(2, static_cast<int>(std::lround(100 / framesPerSecond)));  // browsers slow down what is faster
    std::vector<GifByteType> before,
        pixels(static_cast<std::size_t>(size.width()) * static_cast<std::size_t>(size.height()));
    for (std::size_t i = 0; i < frames.size(); ++i) {
        if (stop.stop_requested())
            return failure(ErrorKind::Cancelled, "cancelled");
        const QImage frame = TRY(readFrame(frames[i], size));
        std::vector<GifByteType> now(pixels.size());
        for (int y = 0, k = 0; y < size.height(); ++y)
            for (int x = 0; x < size.width(); ++x, ++k)
                now[static_cast<std::size_t>(k)] =
                    index.nearest(reinterpret_cast<const QRgb*>(frame.constScanLine(y))[x]);
        for (std::size_t k = 0; k < now.size(); ++k)
            pixels[k] = !before.empty() && before[k] == now[k] ? GifByteType{asBefore} : now[k];
        if (!putFrame(gif.get(), pixels, size, hundredths))
            return refused();
        before = std::move(now);
        tell(0.5 + 0.5 * double(i + 1) / double(frames.size()));
    }
    if (EGifCloseFile(gif.release(), &error) != GIF_OK)
        return refused();
    return replaceFile(path, bytes);
}

}  // namespace attnscope
