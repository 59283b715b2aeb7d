// A desktop that says whether it is dark, and changes its mind: a portal of the test's own, on a bus of its own.

#include "tests/ui/window_support.h"
#include "ui/window/desktop_colours.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QProcess>
#include <QSignalSpy>

using namespace attnscope;
using namespace attnscope::testing;

namespace {

class Portal : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.portal.Settings")
public:
    uint scheme = 0;
public slots:
    QDBusVariant Read(const QString& part, const QString& key)
    {
        return QDBusVariant(QVariant::fromValue(QDBusVariant(
            part == QLatin1String("org.freedesktop.appearance") && key == QLatin1String("color-scheme") ? scheme
                                                                                                        : 9U)));
    }
};

const QString path = QStringLiteral("/org/freedesktop/portal/desktop"),
              appearance = QStringLiteral("org.freedesktop.appearance");

}  // namespace

class DesktopColoursTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanupTestCase();
    void whatASettingMeans_data();
    void whatASettingMeans();
    void theDesktopIsAskedAndListenedTo();
    void theWindowFollowsUnlessSomebodyChose();

private:
    void set(uint scheme, const QString& part = appearance)
    {
        m_portal.scheme = scheme;
        QDBusMessage signal = QDBusMessage::createSignal(path, QStringLiteral("org.freedesktop.portal.Settings"),
                                                         QStringLiteral("SettingChanged"));
        signal << part << QStringLiteral("color-scheme") << QVariant::fromValue(QDBusVariant(scheme));
        QVERIFY(QDBusConnection(QStringLiteral("portal")).send(signal));
    }
    QProcess m_daemon;
    Portal m_portal;
    bool m_hasBus = false;
};

void DesktopColoursTest::initTestCase()
{
    prepareApplication();
    m_daemon.start(QStringLiteral("dbus-daemon"),
                   {QStringLiteral("--session"), QStringLiteral("--nofork"), QStringLiteral("--print-address")});
    if (!m_daemon.waitForStarted() || !m_daemon.waitForReadyRead())
        return;  // no such program
    const QByteArray address = m_daemon.readLine().trimmed();
    qputenv("DBUS_SESSION_BUS_ADDRESS", address);
    QDBusConnection bus = QDBusConnection::connectToBus(QString::fromLatin1(address), QStringLiteral("portal"));
    m_hasBus = bus.isConnected() && bus.registerService(QStringLiteral("org.freedesktop.portal.Desktop")) &&
               bus.registerObject(path, &m_portal, QDBusConnection::ExportAllSlots);
}

void DesktopColoursTest::cleanupTestCase()
{
    QDBusConnection::disconnectFromBus(QStringLiteral("portal"));
    m_daemon.kill();
    m_daemon.waitForFinished();
}

void DesktopColoursTest::whatASettingMeans_data()
{
    QTest::addColumn<QVariant>("value");
    QTest::addColumn<int>("dark");  // -1: nothing
    const auto wrapped = [](const QVariant& value) { return QVariant::fromValue(QDBusVariant(value)); };
    QTest::addRow("dark") << QVariant(1U) << 1;
    QTest::addRow("light") << QVariant(2U) << 0;
    QTest::addRow("no preference") << QVariant(0U) << -1;
    QTest::addRow("of a later version") << QVariant(3U) << -1;
    QTest::addRow("a word") << QVariant(QStringLiteral("dark")) << -1;
    QTest::addRow("nothing") << QVariant() << -1;
    QTest::addRow("wrapped") << wrapped(1U) << 1;
    QTest::addRow("wrapped twice") << wrapped(wrapped(2U)) << 0;
}

void DesktopColoursTest::whatASettingMeans()
{
    QFETCH(QVariant, value);
    const auto dark = isDarkScheme(value);
    QTEST(dark ? int(*dark) : -1, "dark");
}

void DesktopColoursTest::theDesktopIsAskedAndListenedTo()
{
    if (!m_hasBus)
        QSKIP("there is no dbus-daemon here (package dbus)");
    m_portal.scheme = 1;
    const DesktopColours desktop;
    QSignalSpy told(&desktop, &DesktopColours::told);
    QTRY_COMPARE(told.size(), 1);
    QCOMPARE(told.takeFirst().front().toBool(), true);
    set(2, QStringLiteral("org.gnome.desktop.interface"));  // another part's
    set(0);
    set(2);
    QTRY_COMPARE(told.size(), 1);
    QCOMPARE(told.takeFirst().front().toBool(), false);
}

void DesktopColoursTest::theWindowFollowsUnlessSomebodyChose()
{
    if (!m_hasBus)
        QSKIP("there is no dbus-daemon here (package dbus)");
    keepChosenTheme(ThemeChoice::System);
    const auto window = smallWindow();
    QVERIFY(window);
    QVERIFY(!currentTheme().dark);
    set(2);
    const DesktopColours desktop;
    connect(&desktop, &DesktopColours::told, window.get(), &MainWindow::followDesktop);
    set(1);
    QTRY_VERIFY(currentTheme().dark);
    set(2);
    QTRY_VERIFY(!currentTheme().dark);
    keepChosenTheme(ThemeChoice::Light);
    QSignalSpy told(&desktop, &DesktopColours::told);
    set(1);
    QTRY_COMPARE(told.size(), 1);
    QVERIFY(!currentTheme().dark);
    keepChosenTheme(ThemeChoice::System);  // what System is, is known by now
    window->setTheme(ThemeChoice::System);
    QVERIFY(currentTheme().dark);
    window->followDesktop(false);
    QVERIFY(!currentTheme().dark);
}

QTEST_MAIN(DesktopColoursTest)
#include "desktop_colours_test.moc"
