#include "ui/plot/png_file.h"

#include "core/base/replace_file.h"

#include <QBuffer>
#include <QImage>

namespace attnscope {

Result<void> savePng(const QImage& image, const std::string& path)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, "PNG"))
        return failure(ErrorKind::NotWritable, path + ": a picture of " + std::to_string(image.width()) + " x " + std::to_string(image.height()) +
                                                   " pixels can't be made; choose a smaller one");
    return replaceFile(path, std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

}  // namespace attnscope
