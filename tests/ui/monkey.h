#pragma once
// What the monkey can do (monkey_test.cpp). An action is a name and three numbers, which decide all that is random
// in it; it is printed before it is done.

#include "tests/ui/window_support.h"

#include <QTemporaryDir>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace attnscope::testing {

class Monkey {
public:
    static inline const QString mark = QStringLiteral("monkey: ");

    explicit Monkey(unsigned seed);
    ~Monkey();
    /// The exit status.
    int run(int actions);
    int replay(const QString& path);

private:
    using Numbers = std::array<unsigned, 3>;
    struct Action {
        const char* name;
        int weight;
        void (Monkey::*run)(const Numbers&);
    };
    static const std::vector<Action>& actions();
    void act(const Action& action, const Numbers& numbers);
    void makeWindow(const std::optional<Session>& resumed);
    void makeFiles();
    void answer();
    void check(bool good, const QString& what);
    QWidget* target(unsigned number, const std::function<bool(QWidget*)>& fits = {}) const;
    QString file(unsigned number) const;

    void click(const Numbers&);
    void doubleClick(const Numbers&);
    void contextMenu(const Numbers&);
    void drag(const Numbers&);
    void wheel(const Numbers&);
    void hover(const Numbers&);
    void key(const Numbers&);
    void type(const Numbers&);
    void workspace(const Numbers&);
    void shortcut(const Numbers&);
    void length(const Numbers&);
    void open(const Numbers&);
    void example(const Numbers&);
    void heads(const Numbers&);
    void model(const Numbers&);
    void stopModel(const Numbers&);
    void probe(const Numbers&);
    void restAtModel(const Numbers&);
    QString stateOfModel() const;
    void explore(const Numbers&);
    void lab(const Numbers&);
    void lesson(const Numbers&);
    void stage(const Numbers&);
    void present(const Numbers&);
    void pin(const Numbers&);
    void record(const Numbers&);
    void session(const Numbers&);
    void undo(const Numbers&);
    void resize(const Numbers&);
    void close(const Numbers&);
    void destroy(const Numbers&);
    void wait(const Numbers&);

    std::mt19937 m_random;
    QTemporaryDir m_folder;
    QStringList m_files;
    std::unique_ptr<Workbench> m_bench;
    std::unique_ptr<MainWindow> m_window;
    QTimer m_answering;
    std::mt19937 m_answers;  ///< what dialogs are told: of the action that opened them
    int m_answered = 0;      ///< ticks since the action began
    bool m_stopped = false;  ///< the model's runs, by hand
};

}  // namespace attnscope::testing
