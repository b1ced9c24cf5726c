// Eigen, whose assertions are exceptions in this project's own programs: what strangers send may be wrong in ways that nobody has thought of,
// and then one file cannot be judged, and a class of them still can.
#pragma once

#ifdef ATTEST_EIGEN_THROWS
#include <stdexcept>
#define eigen_assert(condition) \
  ((condition) ? static_cast<void>(0) : throw std::logic_error("Eigen asserts that " #condition))
#endif

#include <Eigen/Dense>
