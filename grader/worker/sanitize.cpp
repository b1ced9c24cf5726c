#include "grader/worker/sanitize.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <sstream>

namespace attest {
namespace {

using Kind = Finding::Kind;
using Access = Finding::Access;

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// What stands between two marks; the rest of the text where the second is missing.
std::string_view between(std::string_view text, std::string_view before, std::string_view behind) {
  const std::size_t at = text.find(before);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + before.size());
  return text.substr(0, text.find(behind));
}

// The number that a text begins with. A submission can print reports too: sums and differences of what it says must fit.
std::int64_t number(std::string_view text) {
  constexpr std::int64_t kMost = std::int64_t{1} << 50;
  const std::string copy(text.substr(0, 24));
  return std::clamp<std::int64_t>(std::strtoll(copy.c_str(), nullptr, 10), -kMost, kMost);
}

// "    #3 0x4022f0 ..." -> 4022f0. Sanitizers print the address before the one to return to; everybody else means that one.
std::optional<std::uint64_t> frame(std::string_view line) {
  const std::size_t at = line.find_first_not_of(' ');
  if (at == std::string_view::npos || line[at] != '#') return std::nullopt;
  const std::string_view hex = between(line, " 0x", " ");
  std::uint64_t address = 0;
  if (std::from_chars(hex.data(), hex.data() + hex.size(), address, 16).ec != std::errc())
    return std::nullopt;
  return address + 1;
}

constexpr std::size_t kMostFrames = 40;  // of a recursion the first are enough

// "mine.cpp:12:5" -> mine.cpp, 12.
void take_place(std::string_view place, Finding& finding) {
  place = place.substr(place.find_last_of('/') + 1);
  const std::size_t colon = place.find(':');
  if (colon == std::string_view::npos) return;
  finding.file = place.substr(0, colon);
  finding.line = static_cast<int>(number(place.substr(colon + 1)));
}

// The words behind "runtime error: ".
std::optional<Kind> kind_of_words(std::string_view words) {
  if (has(words, "null pointer")) return Kind::null;
  if (has(words, "misaligned address")) return Kind::misaligned;
  if (has(words, "out of bounds for type")) return Kind::index;
  if (has(words, "division by zero")) return Kind::division;
  if (words.starts_with("shift") || words.starts_with("left shift")) return Kind::shift;
  if (has(words, "cannot be represented") || has(words, "outside the range of representable"))
    return Kind::arithmetic;
  if (has(words, "without returning a value") || has(words, "unreachable")) return Kind::missing_return;
  if (has(words, "variable length array")) return Kind::bad_length;
  if (has(words, "not a valid value for type")) return Kind::bad_value;
  return std::nullopt;
}

// The words behind "AddressSanitizer: ".
std::optional<Kind> kind_of_error(std::string_view words) {
  const auto is = [&](std::string_view start) { return words.starts_with(start); };
  if (is("heap-buffer-overflow") || is("stack-buffer-") || is("global-buffer-overflow") ||
      is("dynamic-stack-buffer-overflow"))
    return Kind::overflow;
  if (is("container-overflow")) return Kind::container;
  if (is("heap-use-after-free")) return Kind::freed;
  if (is("stack-use-after-return")) return Kind::returned;
  if (is("stack-use-after-scope")) return Kind::out_of_scope;
  if (is("attempting double-free")) return Kind::freed_twice;
  if (is("attempting free") || is("alloc-dealloc-mismatch") || is("new-delete-type-mismatch") ||
      is("attempting to call malloc_usable_size"))
    return Kind::bad_free;
  if (is("SEGV on unknown address") || is("BUS on unknown address")) return Kind::wild;
  if (is("FPE")) return Kind::division;
  if (is("negative-size-param") || is("requested allocation size")) return Kind::bad_size;
  if (has(words.substr(0, 40), "param-overlap")) return Kind::overlap;
  return std::nullopt;
}

// "is located 8 bytes to the left of 32-byte region [", "... to the right of global variable 'table' defined in 'a.cpp:4:8' (0x1) of
// size 32", "... 40 bytes inside of 64-byte region". Newer ones say "before" and "after".
void take_region(std::string_view line, Finding& finding) {
  const std::int64_t bytes = number(between(line, "is located ", " "));
  if (finding.has_distance) return;  // the first is the nearest
  if (has(line, "global variable '")) {
    const std::string_view name = between(line, "global variable '", "'");
    if (has(name, "*")) return;  // the compiler's own
    finding.variable = name;
    finding.region = number(between(line, ") of size ", " "));
    std::string_view place = between(line, "defined in '", "'");
    if (const std::size_t colon = place.find(':'); colon != std::string_view::npos)
      finding.variable_line = static_cast<int>(number(place.substr(colon + 1)));
  } else {
    const std::size_t at = line.find("-byte region");
    if (at == std::string_view::npos) return;
    finding.region = number(line.substr(line.substr(0, at).find_last_of(' ') + 1));
  }
  const bool before = has(line, "to the left of") || has(line, "bytes before");
  const bool inside = has(line, "inside of");
  finding.distance = before ? -bytes : inside ? bytes : finding.region + bytes;
  finding.has_distance = true;
}

// "    [32, 64) 'scores' (line 23) <== Memory access at offset 64 overflows this variable"
void take_variable(std::string_view line, Finding& finding) {
  const std::int64_t begin = number(between(line, "[", ","));
  finding.region = number(between(line, ", ", ")")) - begin;
  finding.variable = between(line, "'", "'");
  finding.variable_line = static_cast<int>(number(between(line, "(line ", ")")));
  finding.distance = number(between(line, "at offset ", " ")) - begin;
  finding.has_distance = true;
}

// The lines behind the one that names the kind.
void read_details(std::istringstream& lines, bool is_address, Finding& finding) {
  std::vector<std::uint64_t>* stack = &finding.at;
  for (std::string text; std::getline(lines, text);) {
    const std::string_view line = text;
    if (const auto address = frame(line)) {
      if (stack != nullptr && stack->size() < kMostFrames) stack->push_back(*address);
      continue;
    }
    if (line.starts_with("SUMMARY:") || line.starts_with("==")) {
      if (has(line, "caused by a READ")) finding.access = Access::read;
      if (has(line, "caused by a WRITE")) finding.access = Access::write;
      if (line.starts_with("SUMMARY:")) return;
    } else if (!is_address) {
      continue;
    } else if (line.starts_with("READ of size ") || line.starts_with("WRITE of size ")) {
      finding.access = line[0] == 'R' ? Access::read : Access::write;
      finding.size = number(between(line, "of size ", " "));
    } else if (has(line, "freed by thread")) {
      stack = &finding.freed;
    } else if (has(line, "allocated by thread")) {
      stack = &finding.made;
    } else if (has(line, "is located in stack of")) {
      stack = nullptr;  // the frame's function: its variables say more
    } else if (has(line, " is located ")) {
      take_region(line, finding);
    } else if (has(line, "<== Memory access")) {
      take_variable(line, finding);
    } else if (has(line, "points to the zero page")) {
      finding.kind = Kind::null;
    }
  }
}

}  // namespace

std::optional<Finding> read_sanitizer_report(std::string_view text) {
  constexpr std::string_view kAddress = "ERROR: AddressSanitizer: ", kUndefined = ": runtime error: ";
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    Finding finding;
    std::optional<Kind> kind;
    const std::size_t address = line.find(kAddress), undefined = line.find(kUndefined);
    if (line.starts_with("==") && address != std::string::npos) {
      finding.words = line.substr(address + kAddress.size());
      kind = kind_of_error(finding.words);
    } else if (undefined != std::string::npos) {
      finding.words = line.substr(undefined + kUndefined.size());
      kind = kind_of_words(finding.words);
      take_place(std::string_view(line).substr(0, undefined), finding);
      if (finding.words.starts_with("load of")) finding.access = Access::read;
      if (finding.words.starts_with("store to")) finding.access = Access::write;
    } else {
      continue;
    }
    if (!kind) return std::nullopt;
    finding.kind = *kind;
    read_details(lines, undefined == std::string::npos, finding);
    return finding;
  }
  return std::nullopt;
}

}  // namespace attest
