// Where a command's result goes.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

namespace attest {

// A file, or standard output when the path is empty or "-". A write that fails throws UsageError with the reason; a reader
// of standard output that has gone away (a closed pager) is no failure: the rest is not written.
class Sink {
 public:
  // Throws UsageError when the file cannot be written: before any work is done. What the file holds stays until write().
  explicit Sink(const std::string& path);
  void write(const std::string& text);
  bool is_standard_output() const { return path_.empty(); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{nullptr, std::fclose};
  bool begun_ = false;
  bool reader_gone_ = false;
};

// To standard output.
void print(const std::string& text);

}  // namespace attest
