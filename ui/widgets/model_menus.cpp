#include "ui/widgets/model_menus.h"

#include "core/base/measured_text.h"
#include "core/model/found_models.h"
#include "core/model/shipped_models.h"
#include "ui/plot/qt_text.h"

#include <QDir>
#include <QMenu>

#include <memory>
#include <utility>

namespace attnscope {

namespace {

/// "llama3.2:1b, 1.32 GB, Q8_0"
QString nameOf(const FoundModel& model)
{
    QStringList parts{text(model.name)};
    if (model.bytes > 0)
        parts << text(inUnits(static_cast<double>(model.bytes), "B"));
    if (!model.quantisation.empty())
        parts << text(model.quantisation);
    return parts.join(u", "_s).replace(QLatin1Char('&'), u"&&"_s);
}

}  // namespace

void addFoundModels(QMenu& menu, const std::function<void(const QString& path)>& chosen)
{
    const auto added = std::make_shared<QList<QAction*>>();
    const auto fill = [&menu, chosen, added] {
        qDeleteAll(*added);
        added->clear();
        QString program;
        for (const FoundModel& model : foundModels()) {
            if (const QString of = text(model.program); of != std::exchange(program, of))
                added->append(menu.addSection(of));
            const QString path = text(model.path);
            QAction* action = menu.addAction(nameOf(model));
            action->setToolTip(QDir::toNativeSeparators(path));
            QObject::connect(action, &QAction::triggered, &menu, [chosen, path] { chosen(path); });
            added->append(action);
        }
        if (added->isEmpty()) {
            added->append(menu.addSeparator());
            QAction* none = menu.addAction(u"No models found of Ollama, LM Studio, llama.cpp or Hugging Face"_s);
            none->setEnabled(false);
            added->append(none);
        }
    };
    menu.setToolTipsVisible(true);
    added->append(menu.addSeparator());  // an empty menu would not open
    QObject::connect(&menu, &QMenu::aboutToShow, &menu, fill);
}

void fillShippedModels(QMenu& menu, const std::function<void(const QString& id)>& chosen)
{
    for (const ShippedModel& model : shippedModels()) {
        const QString id = QString::fromUtf8(model.id), about = QString::fromUtf8(model.about);
        QAction* action = menu.addAction(u"%1: %2"_s.arg(id, about));
        action->setData(id);
        QObject::connect(action, &QAction::triggered, &menu, [chosen, id] { chosen(id); });
    }
}

}  // namespace attnscope
