#pragma once
// Sessions (core/document/session.h) as files of the window.

#include "core/document/session.h"

#include <QString>

namespace attnscope {

/// Where the window keeps its state from one start to the next.
QString stateFolder();

/// Errors: those of files and of readSession, and UnknownName for colours or charts that there are not; with the file's
/// name.
Result<Session> loadSession(const QString& path);

/// Whole or not at all, and only what loadSession would give back. Errors: NotWritable, and those of readSession.
Result<void> saveSession(const Session& session, const QString& path);

}  // namespace attnscope
