// Ctrl-C, as an exception: so that every worker and temporary folder is cleared away on the way out.
#pragma once

#include <stdexcept>

namespace attest {

struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};

}  // namespace attest
