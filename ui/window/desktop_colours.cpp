#include "ui/window/desktop_colours.h"

#include "ui/plot/qt_text.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QFile>

namespace attnscope {

namespace {

const QString service = u"org.freedesktop.portal.Desktop"_s, path = u"/org/freedesktop/portal/desktop"_s,
              settings = u"org.freedesktop.portal.Settings"_s, appearance = u"org.freedesktop.appearance"_s,
              colourScheme = u"color-scheme"_s;

/// Where there is none, asking for it may start one.
bool hasBus()
{
    return qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS") ||
           (qEnvironmentVariableIsSet("XDG_RUNTIME_DIR") &&
            QFile::exists(qEnvironmentVariable("XDG_RUNTIME_DIR") + u"/bus"_s));
}

}  // namespace

DesktopColours::DesktopColours(QObject* parent) : QObject(parent)
{
    if (!hasBus())
        return;
    QDBusConnection bus = QDBusConnection::sessionBus();
    bus.connect(service, path, settings, u"SettingChanged"_s, this, SLOT(take(QString, QString, QDBusVariant)));
    ask(bus);
}

void DesktopColours::ask(QDBusConnection& bus)
{
    QDBusMessage call = QDBusMessage::createMethodCall(service, path, settings, u"Read"_s);
    call << appearance << colourScheme;
    auto* answer = new QDBusPendingCallWatcher(bus.asyncCall(call), this);
    connect(answer, &QDBusPendingCallWatcher::finished, this, [this, answer] {
        if (const QDBusPendingReply<QDBusVariant> reply = *answer; reply.isValid())
            take(appearance, colourScheme, reply.value());
        answer->deleteLater();
    });
}

void DesktopColours::take(const QString& part, const QString& key, const QDBusVariant& value)
{
    if (part != appearance || key != colourScheme)
        return;
    if (const auto dark = isDarkScheme(value.variant()))
        emit told(*dark);
}

std::optional<bool> isDarkScheme(QVariant value)
{
    while (value.canConvert<QDBusVariant>())
        value = value.value<QDBusVariant>().variant();
    bool isNumber = false;
    const uint scheme = value.toUInt(&isNumber);
    return isNumber && (scheme == 1 || scheme == 2) ? std::optional(scheme == 1) : std::nullopt;
}

}  // namespace attnscope

#include "moc_desktop_colours.cpp"
