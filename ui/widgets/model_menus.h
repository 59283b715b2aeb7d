#pragma once
// Models as a menu: those that come with the program, and those that other programs keep on this computer
// (core/model/found_models.h).

#include <QString>

#include <functional>

class QMenu;

namespace attnscope {

/// After what the menu has, whenever it opens: a section a program, and in it an action a model with its size and what
/// its weights are in, which hands its path on.
void addFoundModels(QMenu& menu, const std::function<void(const QString& path)>& chosen);
/// An action a model, which says what it is and hands its id on.
void fillShippedModels(QMenu& menu, const std::function<void(const QString& id)>& chosen);

}  // namespace attnscope
