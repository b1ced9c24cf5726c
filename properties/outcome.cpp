#include "properties/outcome.hpp"

#include <array>

namespace attest {
namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, 18> kNames = {
    "internal_error", "rejected",          "compile_error", "import_error", "no_entry",   "crashed",
    "exited",         "out_of_memory",     "timed_out",     "raised",       "unfinished", "wrong_type",
    "wrong_shape",    "non_deterministic", "falsified",     "fragile",      "skipped",    "passed"};
static_assert(kNames.size() == static_cast<std::size_t>(Outcome::passed) + 1);

}  // namespace

std::string_view to_string(Outcome outcome) { return kNames[static_cast<std::size_t>(outcome)]; }

std::optional<Outcome> parse_outcome(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Outcome>(i);
  }
  return std::nullopt;
}

}  // namespace attest
