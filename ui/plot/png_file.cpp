#include "ui/plot/png_file.h"

#include "core/base/replace_file.h"

#include <QBuffer>
#include <QImage>

#include <cstdlib>

namespace attnscope {

bool hasRoomFor(std::size_t bytes)
{
    void* volatile room =
        std::malloc(bytes);  // volatile: else the compiler sees that nobody uses it, and asks for none
    std::free(room);
    return room != nullptr;
}

Result<void> savePng(const QImage& image, const std::string& path)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!hasRoomFor(writersNeed) || !image.save(&buffer, "PNG"))
        return failure(ErrorKind::NotWritable, path + ": a picture of " + std::to_string(image.width()) + " x " +
                                                   std::to_string(image.height()) +
                                                   " pixels cannot be made; choose a smaller one");
    return replaceFile(path, std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

}  // namespace attnscope
