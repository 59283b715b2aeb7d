#include "ui/widgets/shipped_menu.h"

#include "core/model/shipped_models.h"
#include "ui/plot/qt_text.h"

#include <QMenu>

namespace attnscope {

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
