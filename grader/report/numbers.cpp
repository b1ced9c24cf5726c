#include "grader/report/numbers.hpp"

#include "grader/submission/text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace attest {

double shortest(double value, Dtype dtype) {
  if (dtype == Dtype::float64 || !std::isfinite(value)) return value;
  char text[64];
  const auto written = std::to_chars(text, text + sizeof text, static_cast<float>(value));
  double read = value;
  std::from_chars(text, written.ptr, read);
  return read;
}

std::string number_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  if (value == std::trunc(value) && std::abs(value) < 1e6) return fmt::format("{}", static_cast<long>(value));
  return fmt::format("{:.4g}", value);
}

NumberPair telling_apart(double expected, double actual) {
  NumberPair pair{number_text(expected), number_text(actual)};
  // Four digits, or as many as it takes; 0.7071 beside 0.707 looks like the same number cut short.
  const bool is_close = std::abs(expected - actual) < 1e-3 * std::abs(expected);
  if (is_close && pair.expected != pair.actual)
    pair = {fmt::format("{:.6g}", expected), fmt::format("{:.6g}", actual)};
  for (int digits = 5; pair.expected == pair.actual && expected != actual && digits <= 17; ++digits) {
    pair = {fmt::format("{:.{}g}", expected, digits), fmt::format("{:.{}g}", actual, digits)};
  }
  return pair;
}

std::string shell_word(const std::string& word) {
  const std::string_view harmless =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-/:=@%+,";
  if (!word.empty() && word.find_first_not_of(harmless) == std::string::npos) return word;
  // What a terminal would act on, or show in another order, is spelled out; $'...' is understood by bash, zsh and ksh.
  if (visible(word) != word || word.find_first_of("\n\t") != std::string::npos) {
    std::string spelled = "$'";
    for (const char c : word) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x20 || byte >= 0x7f || c == '\'' || c == '\\')
        spelled += fmt::format("\\x{:02x}", byte);
      else
        spelled += c;
    }
    return spelled + "'";
  }
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  }
  return quoted + "'";
}

std::size_t width(std::string_view utf8) {
  std::size_t columns = 0;
  for (const char c : utf8) columns += (static_cast<unsigned char>(c) & 0xC0u) != 0x80u;
  return columns;
}

}  // namespace attest
