#include "core/labs/routing/routing_baselines.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace attnscope {

namespace {

constexpr double least = 1e-9;         // a move must gain more, or rounding could go round in circles
constexpr std::size_t nearCount = 10;  // neighbours that a node's moves look at

/// The nearest of `nodes` to each node that is one of them, nearest first; by node.
std::vector<std::vector<int>> nearestOf(const RoutingInstance& instance, const std::vector<int>& nodes)
{
    std::vector<std::vector<int>> near(static_cast<std::size_t>(instance.nodes()));
    std::vector<std::pair<double, int>> all;
    for (const int node : nodes) {
        all.clear();
        for (const int other : nodes)
            if (other != node)
                all.emplace_back(distanceOf(instance, node, other), other);
        const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(nearCount, all.size()));
        std::partial_sort(all.begin(), end, all.end());
        for (auto it = all.begin(); it != end; ++it)
            near[static_cast<std::size_t>(node)].push_back(it->second);
    }
    return near;
}

/// One closed tour; a route is one with the depot in it.
class ClosedTour {
public:
    ClosedTour(const RoutingInstance& instance, Tour tour)
        : m_instance(instance), m_tour(std::move(tour)), m_near(nearestOf(instance, m_tour)), m_place(m_near.size(), 0)
    {
        number();
    }

    Tour improve(const std::stop_token& stop)
    {
        for (bool found = m_tour.size() > 3; found;) {
            found = false;
            for (const int node : Tour(m_tour))
                while (!stop.stop_requested() && (exchange(node) || move(node)))
                    found = true;
        }
        return m_tour;
    }

private:
    double distance(int a, int b) const { return distanceOf(m_instance, a, b); }
    std::size_t size() const { return m_tour.size(); }
    std::size_t placeOf(int node) const { return m_place[static_cast<std::size_t>(node)]; }
    /// The node `steps` further on, or back.
    int from(int node, std::ptrdiff_t steps) const
    {
        const auto count = static_cast<std::ptrdiff_t>(size());
        return m_tour[static_cast<std::size_t>((static_cast<std::ptrdiff_t>(placeOf(node)) + steps + count) % count)];
    }
    void number()
    {
        for (std::size_t place = 0; place < size(); ++place)
            m_place[static_cast<std::size_t>(m_tour[place])] = place;
    }

    /// 2-opt: edges (a, b) and (c, d) become (a, c) and (b, d), b after a and d after c, or both before.
    bool exchange(int a)
    {
        for (const std::ptrdiff_t side : {1, -1}) {
            const int b = from(a, side);
            for (const int c : m_near[static_cast<std::size_t>(a)]) {
                if (distance(a, c) >= distance(a, b))
                    break;
                const int d = from(c, side);
                if (distance(a, b) + distance(c, d) - distance(a, c) - distance(b, d) <= least)
                    continue;
                if (side > 0)
                    reverse(b, c);
                else
                    reverse(a, d);
                return true;
            }
        }
        return false;
    }

    /// The nodes from `first` on to `last` the other way round.
    void reverse(int first, int last)
    {
        std::size_t i = placeOf(first), j = placeOf(last);
        for (std::size_t left = ((j + size() - i) % size() + 1) / 2; left > 0; --left) {
            std::swap(m_tour[i], m_tour[j]);
            m_place[static_cast<std::size_t>(m_tour[i])] = i;
            m_place[static_cast<std::size_t>(m_tour[j])] = j;
            i = (i + 1) % size();
            j = (j + size() - 1) % size();
        }
    }

    /// Or-opt: one to three nodes that begin or end at `s` go next to a node near to s.
    bool move(int s)
    {
        for (const std::ptrdiff_t side : {1, -1})
            for (std::ptrdiff_t count = 1; count <= 3 && count + 2 < static_cast<std::ptrdiff_t>(size()); ++count) {
                const int e = from(s, side * (count - 1)), before = from(s, -side), after = from(e, side);
                const double gain = distance(before, s) + distance(e, after) - distance(before, after);
                for (const int c : m_near[static_cast<std::size_t>(s)]) {
                    if (distance(s, c) >= gain)
                        break;
                    if (isWithin(c, s, side, count))
                        continue;
                    for (const std::ptrdiff_t other : {1, -1}) {  // s next to c, e next to c's neighbour d
                        const int d = from(c, other);
                        if (isWithin(d, s, side, count) ||
                            distance(c, s) + distance(e, d) - distance(c, d) >= gain - least)
                            continue;
                        place(s, side, count, c, other);
                        return true;
                    }
                }
            }
        return false;
    }

    /// Is the node one of `count` from s on?
    bool isWithin(int node, int s, std::ptrdiff_t side, std::ptrdiff_t count) const
    {
        const auto n = static_cast<std::ptrdiff_t>(size());
        const std::ptrdiff_t steps =
            side * (static_cast<std::ptrdiff_t>(placeOf(node)) - static_cast<std::ptrdiff_t>(placeOf(s)));
        return (steps + n) % n < count;
    }

    /// Takes `count` nodes from s on out and puts them beside c, s next to it.
    void place(int s, std::ptrdiff_t side, std::ptrdiff_t count, int c, std::ptrdiff_t other)
    {
        Tour taken;
        for (std::ptrdiff_t step = 0; step < count; ++step)
            taken.push_back(from(s, side * step));
        if (other < 0)
            std::ranges::reverse(taken);
        std::erase_if(m_tour, [&](int node) { return std::ranges::find(taken, node) != taken.end(); });
        const auto at = std::ranges::find(m_tour, c) + (other > 0 ? 1 : 0);
        m_tour.insert(at, taken.begin(), taken.end());
        number();
    }

    const RoutingInstance& m_instance;
    Tour m_tour;
    std::vector<std::vector<int>> m_near;
    std::vector<std::size_t> m_place;  // of a node in the tour
};

/// Routes of a vehicle, each without the depot at its ends.
class Routes {
public:
    Routes(const RoutingInstance& instance, const Tour& tour)
        : m_instance(instance), m_routeOf(static_cast<std::size_t>(instance.nodes()), 0)
    {
        std::vector<int> customers(static_cast<std::size_t>(instance.size()));
        std::iota(customers.begin(), customers.end(), 1);
        m_near = nearestOf(instance, customers);
        for (int last = 0; const int node : tour) {
            if (node != 0 && last == 0)
                m_routes.emplace_back();
            if (node != 0)
                put(m_routes.size() - 1, m_routes.back().nodes.size(), node);
            last = node;
        }
    }

    Tour improve(const std::stop_token& stop)
    {
        do
            for (Route& route : m_routes)
                improve(route, stop);
        while (!stop.stop_requested() && relocate());
        Tour tour;
        for (const Route& route : m_routes) {
            if (!tour.empty() && !route.nodes.empty())
                tour.push_back(0);
            tour.insert(tour.end(), route.nodes.begin(), route.nodes.end());
        }
        return tour;
    }

private:
    struct Route {
        Tour nodes;
        double load = 0;
        bool changed = true;
    };

    double demandOf(int node) const { return static_cast<double>(m_instance.demands[static_cast<std::size_t>(node)]); }
    static int at(const Route& route, std::size_t place)
    {
        return place < route.nodes.size() ? route.nodes[place] : 0;
    }  // -1 too

    void put(std::size_t route, std::size_t place, int node)
    {
        Route& to = m_routes[route];
        to.nodes.insert(to.nodes.begin() + static_cast<std::ptrdiff_t>(place), node);
        to.load += demandOf(node);
        to.changed = true;
        m_routeOf[static_cast<std::size_t>(node)] = route;
    }

    void improve(Route& route, const std::stop_token& stop) const
    {
        if (!route.changed)
            return;
        Tour closed = route.nodes;
        closed.push_back(0);
        closed = ClosedTour(m_instance, std::move(closed)).improve(stop);
        std::rotate(closed.begin(), std::ranges::find(closed, 0), closed.end());
        route.nodes.assign(closed.begin() + 1, closed.end());
        route.changed = false;
    }

    /// Every customer once: to where it costs least beside a near customer of another route.
    bool relocate()
    {
        bool found = false;
        for (int s = 1; s < m_instance.nodes(); ++s) {
            Route& own = m_routes[m_routeOf[static_cast<std::size_t>(s)]];
            const auto place = static_cast<std::size_t>(std::ranges::find(own.nodes, s) - own.nodes.begin());
            const int p = at(own, place - 1), q = at(own, place + 1);
            double best =
                distanceOf(m_instance, p, s) + distanceOf(m_instance, s, q) - distanceOf(m_instance, p, q) - least;
            std::size_t route = m_routes.size(), where = 0;
            for (const int c : m_near[static_cast<std::size_t>(s)]) {
                const std::size_t candidate = m_routeOf[static_cast<std::size_t>(c)];
                const Route& to = m_routes[candidate];
                if (&to == &own || to.load + demandOf(s) > 1 + loadTolerance / 10)
                    continue;
                const auto of = static_cast<std::size_t>(std::ranges::find(to.nodes, c) - to.nodes.begin());
                for (const std::size_t before : {of, of + 1}) {
                    const int a = at(to, before - 1), b = at(to, before);
                    const double cost =
                        distanceOf(m_instance, a, s) + distanceOf(m_instance, s, b) - distanceOf(m_instance, a, b);
                    if (cost < best) {
                        best = cost;
                        route = candidate;
                        where = before;
                    }
                }
            }
            if (route == m_routes.size())
                continue;
            own.nodes.erase(own.nodes.begin() + static_cast<std::ptrdiff_t>(place));
            own.load -= demandOf(s);
            own.changed = true;
            put(route, where, s);
            found = true;
        }
        return found;
    }

    const RoutingInstance& m_instance;
    std::vector<Route> m_routes;
    std::vector<std::size_t> m_routeOf;  // of a customer
    std::vector<std::vector<int>> m_near;
};

}  // namespace

Tour nearestNeighbour(const RoutingInstance& instance)
{
    std::vector<int> left(static_cast<std::size_t>(instance.nodes() - 1));
    std::iota(left.begin(), left.end(), 1);
    Tour tour;
    if (!instance.hasDepot())
        tour.push_back(0);
    int last = 0;
    double room = 1;
    while (!left.empty()) {
        auto best = left.end();
        double nearest = std::numeric_limits<double>::infinity();
        for (auto it = left.begin(); it != left.end(); ++it) {
            if (instance.hasDepot() &&
                static_cast<double>(instance.demands[static_cast<std::size_t>(*it)]) > room + loadTolerance / 10)
                continue;
            if (const double d = distanceOf(instance, last, *it); d < nearest) {
                nearest = d;
                best = it;
            }
        }
        const bool home = best == left.end();
        last = home ? 0 : *best;
        tour.push_back(last);
        if (home)
            room = 1;
        else {
            room -= instance.hasDepot() ? static_cast<double>(instance.demands[static_cast<std::size_t>(last)]) : 0;
            left.erase(best);
        }
    }
    return tour;
}

Tour improved(const RoutingInstance& instance, Tour tour, const std::stop_token& stop)
{
    return instance.hasDepot() ? Routes(instance, tour).improve(stop)
                               : ClosedTour(instance, std::move(tour)).improve(stop);
}

}  // namespace attnscope
