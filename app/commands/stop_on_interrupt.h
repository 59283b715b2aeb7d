#pragma once
// While it lives, Ctrl-C asks for a stop; a second Ctrl-C ends the program at once.

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
    void (*m_before)(int);
    std::jthread m_watch;
};

}  // namespace attnscope
