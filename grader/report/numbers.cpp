#include "grader/report/numbers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace attest {
namespace {

// Length of the valid UTF-8 sequence at the front of `text`, 0 if there is none, and its code point.
std::size_t decode(std::string_view text, char32_t& code) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  std::size_t length = 0;
  char32_t least = 0;   // shorter encodings of the same code point are not allowed
  if (first < 0x80) { code = first; return 1; }
  if (first >= 0xC2 && first < 0xE0) { length = 2; code = first & 0x1Fu; least = 0x80; }
  else if (first >= 0xE0 && first < 0xF0) { length = 3; code = first & 0x0Fu; least = 0x800; }
  else if (first >= 0xF0 && first < 0xF5) { length = 4; code = first & 0x07u; least = 0x10000; }
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) return 0;
    code = (code << 6) | (byte(i) & 0x3Fu);
  }
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  return code < least || code > 0x10FFFF || surrogate ? 0 : length;
}

// C0 and C1 controls, DEL, and the marks that change a line's direction: a file must not be able to repaint a terminal.
bool is_control(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x200E && code <= 0x200F) ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF;
}

}  // namespace

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
  for (int digits = 5; pair.expected == pair.actual && expected != actual && digits <= 17; ++digits) {
    pair = {fmt::format("{:.{}g}", expected, digits), fmt::format("{:.{}g}", actual, digits)};
  }
  return pair;
}

std::string clean_text(std::string_view text, bool lines) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    char32_t code = 0;
    const std::size_t length = decode(text, code);
    if (length == 0) {
      clean += "\xEF\xBF\xBD";
      text.remove_prefix(1);
      continue;
    }
    if (code == '\n' || code == '\t') {
      clean += lines ? text[0] : ' ';
    } else if (!is_control(code)) {
      clean += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return clean;
}

std::string shell_word(const std::string& word) {
  const std::string_view harmless = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-/:=@%+,";
  if (!word.empty() && word.find_first_not_of(harmless) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') quoted += "'\\''";
    else quoted += c;
  }
  return quoted + "'";
}

std::size_t width(std::string_view utf8) {
  std::size_t columns = 0;
  for (const char c : utf8) columns += (static_cast<unsigned char>(c) & 0xC0u) != 0x80u;
  return columns;
}

}  // namespace attest
