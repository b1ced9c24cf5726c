// The numbers of a case, remembered: most properties ask about the same cases.
#pragma once

#include "properties/case.hpp"

#include <memory>

namespace attest {

// What materialise() copies. Each thread remembers the latest 8 MB.
std::shared_ptr<const Arguments> drawn(const Spec& spec, const Case& c, Dtype dtype);

}  // namespace attest
