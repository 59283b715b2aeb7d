#pragma once
// Whether the desktop is dark, as it says itself: the setting "color-scheme" of its portal (org.freedesktop.appearance
// of xdg-desktop-portal, which GNOME, KDE and others answer), now and whenever it is changed. Where nobody answers,
// nothing is told.

#include <QDBusVariant>
#include <QObject>
#include <QString>

#include <optional>

class QDBusConnection;

namespace attnscope {

class DesktopColours : public QObject {
    Q_OBJECT
public:
    explicit DesktopColours(QObject* parent = nullptr);

signals:
    void told(bool dark);

private slots:
    void take(const QString& part, const QString& key, const QDBusVariant& value);

private:
    void ask(QDBusConnection& bus);
};

/// 1: dark, 2: light, however often it is wrapped; nothing: it does not care.
std::optional<bool> isDarkScheme(QVariant value);

}  // namespace attnscope
