#pragma once
// QCustomPlot without all of Qt. Its header asks for the module header of QtPrintSupport, and that for all of QtCore
// and QtGui: a third of what a compiler reads for a file of the window. Of the module it names QPrinter.

#define QT_QTPRINTSUPPORT_MODULE_H
#include <QPrinter>
#include <qcustomplot.h>
