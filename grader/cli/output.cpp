#include "grader/cli/output.hpp"

#include "grader/submission/submission.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace attest {

Sink::Sink(const std::string& path) : path_(path == "-" ? "" : path) {
  if (path_.empty()) return;
  std::error_code ignored;
  if (std::filesystem::is_directory(path_, ignored))
    throw UsageError(path_ + ": this is a folder; name a file to write to");
  file_.reset(
      std::fopen(path_.c_str(), "ab"));  // "a": an older report is not lost before there is a newer one
  if (!file_) throw UsageError(path_ + ": cannot be written: " + std::strerror(errno));
}

void Sink::write(const std::string& text) {
  if (reader_gone_) return;
  if (!path_.empty() && !begun_) file_.reset(std::freopen(path_.c_str(), "wb", file_.release()));
  begun_ = true;
  std::FILE* file = path_.empty() ? stdout : file_.get();
  errno = 0;
  if (file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size() &&
      std::fflush(file) == 0)
    return;
  if (path_.empty() && errno == EPIPE) {
    reader_gone_ = true;
    return;
  }
  throw UsageError((path_.empty() ? std::string("standard output") : path_) +
                   ": cannot be written: " + std::strerror(errno));
}

void print(const std::string& text) {
  Sink standard_output("");
  standard_output.write(text);
}

}  // namespace attest
