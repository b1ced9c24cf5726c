// What somebody probably meant: the known names closest to the one they wrote.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attest {

// The names of `known` that are nearest to `written`, best first, at most `limit`; none when nothing is close (more than
// half of the letters would have to change, and neither contains the other).
std::vector<std::string> nearest(std::string_view written, const std::vector<std::string>& known,
                                 std::size_t limit = 3);

// "; did you mean 'mask' or 'maps'?", or nothing.
std::string did_you_mean(std::string_view written, const std::vector<std::string>& known);

}  // namespace attest
