# attest_warnings: link it PRIVATE, so that nothing of it reaches whoever uses the installed libraries. An
# installed static library links it as $<BUILD_INTERFACE:attest_warnings>, or the export would name a target that stays here.
add_library(attest_warnings INTERFACE)

target_compile_options(
  attest_warnings
  INTERFACE
    -Wall
    -Wextra
    -Wpedantic
    -Wshadow
    -Wconversion
    # An Index (signed) that becomes a std::size_t: indexing a std::vector of heads does it on every line, and the value was
    # checked where the shape was.
    -Wno-sign-conversion
    # GCC 12 at -O2 reports uninitialised and out-of-bounds members inside Eigen's inlined packets although they are written
    # first; system headers do not silence warnings that the optimiser raises.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
    $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds>
    $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>
    $<$<BOOL:${ATTEST_WERROR}>:-Werror>)

# What Eigen finds wrong is an exception here (reference/eigen.hpp).
target_compile_definitions(attest_warnings INTERFACE ATTEST_EIGEN_THROWS)
