// Animated pictures: what is saved is read back by Qt's own reader.

#include "ui/plot/gif_file.h"
#include "ui/plot/palette.h"

#include <QColor>
#include <QImage>
#include <QImageReader>
#include <QTemporaryDir>
#include <QTest>

#include <set>

using namespace attnscope;

namespace {

/// A ground with a square that moves with the frame.
QImage frame(int place)
{
    QImage picture(40, 30, QImage::Format_RGB32);
    picture.fill(QColor(255, 255, 255));
    for (int y = 10; y < 20; ++y)
        for (int x = 0; x < 10; ++x)
            picture.setPixel(place + x, y, qRgb(0, 114, 178));
    return picture;
}

}  // namespace

class TestGif : public QObject {
    Q_OBJECT
private slots:
    void framesComeBackAsTheyWere()
    {
        QTemporaryDir folder;
        std::vector<std::string> frames;
        for (int place = 0; place < 3; ++place) {
            frames.push_back(folder.filePath(QString::number(place) + ".png").toStdString());
            QVERIFY(frame(place).save(QString::fromStdString(frames.back())));
        }
        const QString path = folder.filePath("moving.gif");
        QVERIFY(saveGif(frames, 20, path.toStdString(), {}));
        QImageReader reader(path);
        QCOMPARE(reader.imageCount(), 3);
        QCOMPARE(reader.loopCount(), -1);  // for ever
        for (int place = 0; place < 3; ++place) {
            QCOMPARE(reader.read().convertToFormat(QImage::Format_RGB32), frame(place));
            QCOMPARE(reader.nextImageDelay(), 50);
        }
    }

    void whatIsWrongIsSaidAndTheOldFileStays()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("old.gif"), good = folder.filePath("good.png"),
                      other = folder.filePath("other.png");
        QVERIFY(frame(0).save(path, "PNG") && frame(0).save(good) && frame(0).copy(0, 0, 20, 20).save(other));
        const QImage before(path);
        const auto refused = [&](std::vector<std::string> frames, ErrorKind kind) {
            const auto saved = saveGif(frames, 20, path.toStdString(), {});
            return !saved && saved.error().kind == kind && QImage(path) == before;
        };
        QVERIFY(refused({}, ErrorKind::InvalidArgument));
        QVERIFY(refused({folder.filePath("gone.png").toStdString()}, ErrorKind::DataError));
        QVERIFY(refused({good.toStdString(), other.toStdString()}, ErrorKind::DataError));
        std::stop_source stop;
        stop.request_stop();
        const std::vector<std::string> one{good.toStdString()};
        QCOMPARE(saveGif(one, 20, path.toStdString(), stop.get_token()).error().kind, ErrorKind::Cancelled);
        QCOMPARE(QImage(path), before);
    }

    void fewColoursAreKeptExactly()
    {
        PaletteMaker maker;
        maker.add(frame(0));
        const std::vector<QRgb> palette = maker.palette(255);
        const std::set<QRgb> colours(palette.begin(), palette.end()), expected{qRgb(255, 255, 255), qRgb(0, 114, 178)};
        QVERIFY(colours == expected);
    }

    /// A ramp of 256 greys in 16 colours: at most half a step of 16 away, and one grey more for where the bins of 8
    /// begin.
    void manyColoursAreNearTheirOwn()
    {
        QImage ramp(256, 1, QImage::Format_RGB32);
        for (int x = 0; x < 256; ++x)
            ramp.setPixel(x, 0, qRgb(x, x, x));
        PaletteMaker maker;
        maker.add(ramp);
        const std::vector<QRgb> palette = maker.palette(16);
        QCOMPARE(palette.size(), size_t(16));
        PaletteIndex index(palette);
        for (int x = 0; x < 256; ++x)
            QVERIFY(std::abs(qRed(palette[index.nearest(qRgb(x, x, x))]) - x) <= 16);
        QCOMPARE(index.nearest(palette[3]), std::uint8_t(3));
    }
};

QTEST_GUILESS_MAIN(TestGif)
#include "test_gif.moc"
