#include "grader/worker/python.hpp"

#include "grader/submission/text.hpp"
#include "grader/worker/files.hpp"
#include "grader/worker/signature.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <sstream>
#include <string>

namespace attest {
namespace {

namespace fs = std::filesystem;

// Prints the folders of its standard library, of NumPy and of the packages named as arguments, a line each; status 1: there is no NumPy.
constexpr const char* kProbe = R"(
import importlib.util, os, sys, sysconfig
folders = [sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")]
for name in ["numpy", *sys.argv[1:]]:
    spec = importlib.util.find_spec(name)
    if name == "numpy" and spec is None:
        sys.exit(1)
    for place in spec and (spec.submodule_search_locations or [spec.origin]) or []:
        folders += [place, place + ".libs"]
print(*dict.fromkeys(map(os.path.realpath, folders)), sep="\n")
)";

std::optional<Interpreter> probe(const std::string& python, const std::vector<std::string>& packages) {
  const PrivateFolder folder;
  Policy policy;
  policy.argv = {python, "-I", "-c", kProbe};
  policy.argv.insert(policy.argv.end(), packages.begin(), packages.end());
  policy.folder = folder.path();
  policy.environment = clean_environment(policy.folder);
  try {
    const Finished finished = run_to_end(policy, 20);
    if (finished.timed_out || finished.exit.signal != 0 || finished.exit.status != 0) return std::nullopt;
    Interpreter found{python, system_libraries()};
    std::istringstream lines(finished.output);
    for (std::string line; std::getline(lines, line);) {
      // Where packages lie inside the standard library's folder, they stay out of sight.
      const bool mixed =
          fs::exists(fs::path(line) / "site-packages") || fs::exists(fs::path(line) / "dist-packages");
      if (!mixed) {
        found.reach.read.push_back(line);
        continue;
      }
      for (const fs::path& entry : entries_without(line, {"site-packages", "dist-packages"}))
        found.reach.read.push_back(entry);
    }
    return found;
  } catch (const std::system_error&) {
    return std::nullopt;
  }
}

std::vector<std::string> candidates() {
  std::vector<std::string> all;
  const auto add = [&](const fs::path& path) {
    const bool new_one = std::find(all.begin(), all.end(), path.string()) == all.end();
    if (new_one && access(path.c_str(), X_OK) == 0) all.push_back(path.string());
  };
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    if (const char* prefix = std::getenv(name); prefix != nullptr && *prefix == '/')
      add(fs::path(prefix) / "bin" / "python3");
  }
  add("/usr/bin/python3");
  if (const char* path = std::getenv("PATH")) {
    std::istringstream folders(path);
    for (std::string folder; std::getline(folders, folder, ':');) {
      if (!folder.empty() && folder[0] == '/') add(fs::path(folder) / "python3");
    }
  }
  return all;
}

std::optional<Interpreter> search(const std::vector<std::string>& packages) {
  if (const char* chosen = std::getenv("ATTEST_PYTHON"); chosen != nullptr && *chosen != '\0') {
    if (!fs::path(chosen).is_absolute())
      throw UsageError("ATTEST_PYTHON must be an absolute path; it is " + std::string(chosen));
    // Checked like any other: an interpreter that is none must not be taken for a submission that ends at once.
    return probe(chosen, packages);
  }
  for (const std::string& python : candidates()) {
    if (auto found = probe(python, packages)) return found;
  }
  return std::nullopt;
}

// The line of a crash: the interpreter's own report names the innermost frame first.
void locate(Fault& fault, const std::string& name, const std::string& printed) {
  const std::size_t report = printed.rfind("Fatal Python error: ");
  if (fault.line != 0 || report == std::string::npos) return;
  const std::string mark = "File \"" + name + "\", line ";
  const std::size_t at = printed.find(mark, report);
  if (at == std::string::npos) return;
  fault.file = name;
  fault.line = std::atoi(printed.c_str() + at + mark.size());
}

}  // namespace

std::optional<Interpreter> find_python(const std::vector<std::string>& packages) {
  static std::mutex mutex;
  static std::map<std::vector<std::string>, Interpreter> found;
  const std::lock_guard lock(mutex);
  if (const auto known = found.find(packages); known != found.end()) return known->second;
  const std::optional<Interpreter> python = search(packages);
  if (python) found.emplace(packages, *python);
  return python;
}

const Imports& imports_of(const Submission& submission, const std::vector<const Spec*>& specs) {
  const std::vector<Definition> found = definitions(submission);
  for (const Spec* spec : specs) {
    if (std::any_of(found.begin(), found.end(), [&](const Definition& d) { return d.name == spec->entry; }))
      return spec->imports;
  }
  return specs.front()->imports;
}

std::optional<Problem> refused_import(const Submission& submission, const Imports& policy) {
  for (const Import& import : imports(submission)) {
    if (std::find(policy.refused.begin(), policy.refused.end(), import.module) == policy.refused.end())
      continue;
    Problem problem;
    problem.outcome = Outcome::rejected;
    problem.fault = {"it imports " + printable_line(import.module) +
                         ". Rule: this exercise is solved without (exercises.toml, imports)",
                     printable_line(submission.name), import.line, ""};
    return problem;
  }
  return std::nullopt;
}

Program python_program(const Interpreter& python, const Submission& submission, const fs::path& source,
                       const std::vector<const Spec*>& specs, const Imports& imports, Dtype dtype) {
  Program program;
  program.name = submission.name;
  program.is_zygote = true;
  program.reach = python.reach;
  program.argv = {python.path,
                  "-I",
                  "-B",
                  (data_folder() / "grader" / "worker" / "runtime" / "worker.py").string(),
                  source.string(),
                  submission.name,
                  std::string(to_string(dtype)),
                  fmt::format("{}", fmt::join(imports.packages, ",")),
                  fmt::format("{}", fmt::join(imports.refused, ","))};
  for (const Spec* spec : specs) {
    // Exercises that share an entry are ways of calling the same function: the first that fits is taken.
    std::string calls = spec->slug + "/";
    for (std::size_t k = 0; k <= spec->also.size(); ++k) {
      const Spec& call = spec->call(k);
      calls += (k > 0 ? "+" : "") + call.entry + ":";
      const std::vector<std::string> names = parameters(call);
      for (const std::string& name : names) calls += (&name == &names.front() ? "" : ",") + name;
      for (const ResultSpec& result : call.results)
        calls += (&result == &call.results.front() ? ":" : ",") + result.name;
    }
    if (!spec->calling.plan.empty()) calls += "|" + spec->calling.plan;
    program.argv.push_back(calls);
  }
  program.locate = [name = submission.name](Fault& fault, const std::string& printed) {
    locate(fault, name, printed);
  };
  return program;
}

}  // namespace attest
