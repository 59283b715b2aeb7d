#pragma once
// Short ways to write a parameter of a registry's row.

#include "core/base/choice.h"

#include <string>
#include <utility>

namespace attnscope {

inline Parameter real(std::string id, std::string label, double byDefault, double minimum, double maximum,
                      std::string help)
{
    return {std::move(id), std::move(label), byDefault, minimum, maximum, Parameter::Kind::Real, std::move(help)};
}

inline Parameter whole(std::string id, std::string label, double byDefault, double minimum, double maximum,
                       std::string help)
{
    return {std::move(id), std::move(label), byDefault, minimum, maximum, Parameter::Kind::Integer, std::move(help)};
}

/// The training length: the setting's N, unless it is given.
inline Parameter followingN(Parameter parameter)
{
    parameter.followsN = true;
    return parameter;
}

inline Parameter sharedByAll(Parameter parameter)
{
    parameter.shared = true;
    return parameter;
}

inline Parameter toggle(std::string id, std::string label, bool byDefault, std::string help)
{
    return {std::move(id), std::move(label), byDefault ? 1.0 : 0.0, 0, 1, Parameter::Kind::Switch, std::move(help)};
}

}  // namespace attnscope
