#pragma once
// While it lives, Ctrl-C asks for a stop, and so does the signal with which batch systems end a program (SIGTERM); the
// second of them ends the program at once.

#include <stop_token>
#include <thread>

namespace attnscope {

class StopOnInterrupt {
public:
    StopOnInterrupt();
    ~StopOnInterrupt();
    StopOnInterrupt(const StopOnInterrupt&) = delete;
    StopOnInterrupt& operator=(const StopOnInterrupt&) = delete;

    std::stop_token token() const { return m_stop.get_token(); }

private:
    std::stop_source m_stop;
    void (*m_beforeInterrupt)(int);
    void (*m_beforeTermination)(int);
    std::jthread m_watch;
};

}  // namespace attnscope
