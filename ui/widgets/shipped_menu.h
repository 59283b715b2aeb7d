#pragma once
// The models that come with the program, as a menu.

#include <QString>

#include <functional>

class QMenu;

namespace attnscope {

/// An action a model, which says what it is and hands its id on.
void fillShippedModels(QMenu& menu, const std::function<void(const QString& id)>& chosen);

}  // namespace attnscope
