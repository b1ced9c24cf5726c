#include "grader/submission/submission.hpp"

#include "grader/submission/sha256.hpp"
#include "grader/submission/text.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace attest {
namespace {

// A file with more is not an answer to an interview question; reading it would only cost memory.
constexpr std::uintmax_t kMaxBytes = 4u << 20;

std::optional<Language> language_of(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (extension == ".py") return Language::python;
  if (extension == ".cpp" || extension == ".cc" || extension == ".cxx") return Language::cpp;
  return std::nullopt;
}

// A link that was handed in would be read with the rights of who grades, and its lines quoted in a report.
bool leads_elsewhere(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return false;
  const auto folder = std::filesystem::canonical(path.has_parent_path() ? path.parent_path() : ".", error);
  const auto target = std::filesystem::canonical(path, error);
  return error ||
         std::mismatch(folder.begin(), folder.end(), target.begin(), target.end()).first != folder.end();
}

}  // namespace

std::string_view to_string(Language language) { return language == Language::python ? "python" : "cpp"; }

Submission load(const std::filesystem::path& path) {
  if (path.empty()) throw UsageError("the name of a file is empty");
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    throw UsageError(path.string() + ": no such file");
  }
  if (error) throw UsageError(path.string() + ": " + error.message());
  if (status.type() == std::filesystem::file_type::directory) {
    throw UsageError(path.string() + ": this is a folder; name the file inside it");
  }
  if (status.type() != std::filesystem::file_type::regular) {
    throw UsageError(path.string() + ": not an ordinary file");
  }
  if (leads_elsewhere(path)) {
    throw UsageError(path.string() + ": a link that leads out of its folder; name the file itself");
  }
  const auto language = language_of(path);
  if (!language) {
    throw UsageError(path.string() + ": an answer is a .py file (NumPy) or a .cpp file (Eigen)");
  }
  if (const auto size = std::filesystem::file_size(path, error); !error && size > kMaxBytes) {
    throw UsageError(path.string() + ": larger than 4 MB; an answer is one source file");
  }

  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UsageError(path.string() + ": cannot be read: " + std::strerror(errno));
  Submission submission;
  submission.path = path;
  submission.name = path.filename().string();
  submission.language = *language;
  submission.text.assign(std::istreambuf_iterator<char>(file), {});
  if (file.bad()) throw UsageError(path.string() + ": cannot be read to its end");
  submission.sha256 = sha256(submission.text);
  return submission;
}

std::optional<Problem> check(const Submission& submission) {
  const std::string& text = submission.text;
  const auto blank = [](unsigned char c) { return std::isspace(c) != 0; };
  Problem problem;
  problem.fault.file = printable(submission.name);
  if (std::all_of(text.begin(), text.end(), blank)) {
    problem.outcome = Outcome::no_entry;
    problem.fault.message = "the file is empty";
    problem.advice = "Start from a stub: attest new writes one.";
    return problem;
  }
  if (const auto zero = text.find('\0'); zero != std::string::npos) {
    problem.outcome = Outcome::rejected;
    problem.fault.message =
        "byte " + std::to_string(zero) + " of the file is NUL. Rule: a submission is a text file";
    problem.advice = "Save it as UTF-8 text. (UTF-16, which some editors choose, looks like this too.)";
    return problem;
  }
  return std::nullopt;
}

}  // namespace attest
