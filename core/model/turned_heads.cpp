#include "core/model/turned_heads.h"

#include "core/attention/masks.h"
#include "core/attention/positions.h"

#include <cassert>

namespace attnscope {

Result<void> turnTo(std::span<const std::int64_t> places, HeadSet& heads, AttentionSpec& spec)
{
    const auto position = TRY(findRow(positions(), spec.position.id, "position"));
    const auto mask = TRY(findRow(masks(), spec.mask.id, "mask"));
    if (position->hasBias() || position->distanceCap || mask->distanceCap)
        return failure(ErrorKind::InvalidArgument,
                       "{} under the mask {} counts distances from token to token, and these tokens have positions of "
                       "their own; choose rope, pi, ntk or yarn_rope, and the causal mask",
                       position->label, mask->label);
    assert(std::ssize(places) == heads.keyCount() && heads.queryCount() <= heads.keyCount());
    if (position->frequencies) {
        const Rotation by = rotationOf(*position, spec.position, heads.headSize());
        for (Matrix& key : heads.keys)
            rotate(key, places, by.frequencies, by.pairing, by.factor);
        for (Matrix& query : heads.queries)
            rotate(query, places.last(static_cast<size_t>(query.rows())), by.frequencies, by.pairing, by.factor);
    }
    spec.position = {"none", {}, {}};
    return {};
}

}  // namespace attnscope
