#include "core/labs/routing/tour_step.h"

#include <algorithm>

namespace attnscope {

TourStep stepOf(const LabTours::Panel& tour, const Matrix& glimpses, std::int64_t choice)
{
    TourStep step{.made = tour.edges.size()};
    if (choice >= glimpses.rows() || tour.edges.empty())
        return step;
    // the choices end one edge before the tour does, whatever they began with
    const std::int64_t made = choice + std::ssize(tour.edges) - glimpses.rows() - 1;
    step.made = static_cast<std::size_t>(std::max<std::int64_t>(0, made));
    const LabTours::Edge& coming = tour.edges[step.made];
    if (made >= 0)
        step.at = coming.from;
    step.next = made >= 0 ? coming.to : coming.from;
    for (const float weight : glimpses.row(choice))
        step.weights.push_back(weight);
    return step;
}

std::vector<int> mostLookedAt(const TourStep& step, std::size_t most)
{
    std::vector<int> places;
    for (std::size_t place = 0; place < step.weights.size(); ++place)
        if (step.weights[place] > 0)
            places.push_back(static_cast<int>(place));
    const auto shown = places.begin() + static_cast<std::ptrdiff_t>(std::min(most, places.size()));
    std::ranges::partial_sort(places, shown, std::ranges::greater(),
                              [&](int place) { return step.weights[static_cast<std::size_t>(place)]; });
    places.erase(shown, places.end());
    return places;
}

}  // namespace attnscope
