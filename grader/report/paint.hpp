// Colour, or none.
#pragma once

#include <string>

namespace attest {

class Paint {
 public:
  explicit Paint(bool colour) : colour_(colour) {}
  std::string red(const std::string& text) const { return with("31", text); }
  std::string green(const std::string& text) const { return with("32", text); }
  std::string yellow(const std::string& text) const { return with("33", text); }
  std::string bold(const std::string& text) const { return with("1", text); }
  std::string faint(const std::string& text) const { return with("2", text); }

 private:
  std::string with(const char* code, const std::string& text) const {
    return colour_ ? std::string("\x1b[") + code + "m" + text + "\x1b[0m" : text;
  }
  bool colour_;
};

}  // namespace attest
