// Text that came from a submission, made safe to show.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace attest {

// Valid UTF-8 (what is not becomes U+FFFD), control characters other than newline and tab and what turns the direction of writing
// left out (terminal escape sequences die with their ESC), folders cut from paths: "/home/ann/mine.py" becomes "mine.py". At most about `limit`
// bytes; what is left out is replaced by "[... n bytes left out ...]" in the middle: nothing is cut silently.
std::string printable(std::string_view text, std::size_t limit = 1u << 16);

// The same on one line: newlines become blanks.
std::string printable_line(std::string_view text, std::size_t limit = 500);

// Valid UTF-8 without what a terminal acts on, as above, and nothing else changed: for names that the caller gave.
std::string visible(std::string_view text);

}  // namespace attest
