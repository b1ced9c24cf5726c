#include "grader/submission/text.hpp"

#include <algorithm>
#include <cctype>

namespace attest {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// Length of the valid UTF-8 sequence at the start of `text`, 0 when there is none (RFC 3629: no overlong forms, no
// surrogates, nothing above U+10FFFF).
std::size_t sequence(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xC2 && lead <= 0xDF   ? 2
                             : lead >= 0xE0 && lead <= 0xEF ? 3
                             : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                            : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  if (lead == 0xE0 && byte(1) < 0xA0) return 0;
  if (lead == 0xED && byte(1) > 0x9F) return 0;
  if (lead == 0xF0 && byte(1) < 0x90) return 0;
  if (lead == 0xF4 && byte(1) > 0x8F) return 0;
  return length;
}

// Of more than one byte: U+0080 ... U+009F; and what turns the direction of writing, and with it the meaning of a line (Unicode's
// Bidi_Control: U+061C, U+200E, U+200F, U+202A ... U+202E, U+2066 ... U+2069).
bool is_control(std::string_view sign) {
  return (sign >= "\xC2\x80" && sign <= "\xC2\x9F") || sign == "\xD8\x9C" || sign == "\xE2\x80\x8E" ||
         sign == "\xE2\x80\x8F" || (sign >= "\xE2\x80\xAA" && sign <= "\xE2\x80\xAE") ||
         (sign >= "\xE2\x81\xA6" && sign <= "\xE2\x81\xA9");
}

bool in_path(unsigned char c) {
  return std::isalnum(c) != 0 || c == '/' || c == '.' || c == '_' || c == '-' || c == '+' || c == '~' ||
         c >= 0x80;
}

// Absolute paths keep their last part only. A path starts with '/' where no path character stands before it, so that
// "a/b" (a division, a fraction) stays.
std::string without_folders(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const bool starts = text[i] == '/' && i + 1 < text.size() && text[i + 1] != '/' &&
                        in_path(static_cast<unsigned char>(text[i + 1])) &&
                        (i == 0 || !in_path(static_cast<unsigned char>(text[i - 1])));
    if (!starts) {
      out.push_back(text[i++]);
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && in_path(static_cast<unsigned char>(text[end]))) ++end;
    const std::string_view path = text.substr(i, end - i);
    const std::size_t slash = path.find_last_of('/');
    out += slash == 0 || slash + 1 == path.size() ? path : path.substr(slash + 1);
    i = end;
  }
  return out;
}

// Addresses are others in every run, and a report is the same in all: 0x7f52c0a1d2c0 becomes 0x... .
std::string without_addresses(const std::string& text) {
  constexpr std::size_t kLeastDigits = 8;  // shorter ones are somebody's numbers
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 2;
    if (text.compare(i, 2, "0x") == 0) {
      while (end < text.size() && std::isxdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    }
    if (end - i >= 2 + kLeastDigits) {
      out += "0x...";
      i = end;
    } else {
      out.push_back(text[i++]);
    }
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  const std::size_t head = limit / 4, tail = limit - head;
  return std::string(text.substr(0, head)) + "\n[... " + std::to_string(text.size() - limit) +
         " bytes left out ...]\n" + std::string(text.substr(text.size() - tail));
}

}  // namespace

std::string visible(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t length = sequence(rest);
    const auto first = static_cast<unsigned char>(rest[0]);
    if (length == 0) {
      clean += kReplacement;
    } else if (length == 1) {
      if ((first >= 0x20 && first != 0x7F) || first == '\n' || first == '\t') clean.push_back(rest[0]);
    } else if (!is_control(rest.substr(0, length))) {
      clean += rest.substr(0, length);
    }
    rest.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return clean;
}

std::string printable(std::string_view text, std::size_t limit) {
  return without_addresses(without_folders(visible(shortened(text, limit))));
}

std::string printable_line(std::string_view text, std::size_t limit) {
  std::string line = printable(text, limit);
  std::replace(line.begin(), line.end(), '\n', ' ');
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

}  // namespace attest
