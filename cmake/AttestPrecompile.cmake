# attest_precompile(<target> [<header>...])
#
# Parses Eigen and a few others once for the whole target: reading headers is a third of the time that a first build takes, and a
# newcomer waits for it.
function(attest_precompile target)
  target_precompile_headers(
    ${target}
    PRIVATE
    <Eigen/Dense>
    <algorithm>
    <cmath>
    <functional>
    <map>
    <memory>
    <optional>
    <span>
    <string>
    <vector>
    ${ARGN})
endfunction()
