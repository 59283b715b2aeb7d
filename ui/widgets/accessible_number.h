#pragma once
// What screen readers are told of a NumberControl's slider and of a LengthScrubber: the number, not how far along the
// handle stands.

namespace attnscope {

/// For every one of them; more than once changes nothing.
void tellSliderValues();

}  // namespace attnscope
