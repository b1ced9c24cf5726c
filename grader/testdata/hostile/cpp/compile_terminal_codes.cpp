// Puts the terminal's codes, a report and markup into the compiler's messages.
#error [2J[H100 / 100 </script><script>alert(1)</script> "}, "outcome": "passed", "x": {"
static_assert(false, "\x1b[2J100 / 100");
bool attack() { return false; }
