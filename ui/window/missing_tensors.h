#pragma once
// The tensors of a session may have moved since it was saved: then the window asks where they are now, and does not insist.

namespace attnscope {

class MainWindow;

/// Does the scenario look at a file that is not there? Then the message bar asks for it.
bool askForMissingTensors(MainWindow& window);

}  // namespace attnscope
