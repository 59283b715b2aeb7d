#pragma once
// The window as a program: what app/main.cpp calls when there is no subcommand.

#include "core/analysis/scenario.h"

#include <QSize>
#include <QString>

#include <optional>

class QApplication;

namespace attnscope {

class MainWindow;

/// What the window opens with: local structure under a causal mask, and three methods that differ visibly. With a file
/// of tensors or a session that can be opened it is that file's scenario, so that nothing else is computed before it.
Scenario firstScenario(const QString& fileToOpen = {});

/// Of the first window, without its frame: it fits into what the screen has free with any usual title bar.
QSize firstSize(const QSize& available);

/// The first start says what to do first, until it is done.
void welcome(MainWindow& window);

/// Shows the window, with a file of tensors or a session if `fileToOpen` is not empty, or with the scenario given, and
/// runs until it is closed. Returns the exit status.
int runWindow(QApplication& application, const QString& fileToOpen, const std::optional<Scenario>& given = {});

}  // namespace attnscope
