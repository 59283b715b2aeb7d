#pragma once
// The models that other programs keep on this computer, in a menu (core/model/found_models.h).

#include <QString>

#include <functional>

class QMenu;

namespace attnscope {

/// After what the menu has, whenever it opens: a section a program, and in it an action a model with its size and what
/// its weights are in, which hands its path on.
void addFoundModels(QMenu& menu, const std::function<void(const QString& path)>& chosen);

}  // namespace attnscope
