#pragma once
// What screen readers are told of a NumberControl's slider: the number, not how far along the handle stands.

namespace attnscope {

/// For every NumberControl; more than once changes nothing.
void tellSliderValues();

}  // namespace attnscope
