#pragma once
// The files in which *Explore it* keeps queries and keys, named by what is in them: the same heads are the same file,
// and a file never comes to hold others, so that a pin, a session, an undo and a second window go on meaning what they
// meant. What nobody refers to any more goes when there is too much of it.

#include "core/model/captured_heads.h"
#include "core/model/model.h"

#include <QString>
#include <QStringList>

namespace attnscope {

/// Writes FOLDER/stories_256_1f0c9a3b7d2e4c55.safetensors: the model's name, the tokens, and the beginning of a SHA-256
/// over the file's bytes. Where it is there already it stays, as the newest. Errors: those of HeadRecorder and of
/// replaceFile.
Result<QString> keepHeadsIn(const QString& folder, const Model& model, const CapturedHeads& heads);

/// Removes the oldest files of the folder until those that stay take at most `most` bytes; but none younger than a day,
/// which may be a step of some window's history, and none whose name is in one of `mentions`: texts of sessions, names
/// of recent files.
void pruneKeptHeads(const QString& folder, qint64 most, const QStringList& mentions);

/// Of this state: what its windows and their sessions say, the recent files, and the sessions among those.
QStringList mentionsInState(const QString& stateFolder, const QStringList& recent);

}  // namespace attnscope
