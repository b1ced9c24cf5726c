#include "grader/worker/compiler.hpp"

#include "grader/submission/sha256.hpp"
#include "grader/submission/text.hpp"
#include "grader/worker/diagnostics.hpp"
#include "grader/worker/files.hpp"
#include "grader/worker/program_cache.hpp"
#include "grader/worker/signature.hpp"

#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <system_error>

namespace attest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSourceName = "submission.cpp";

// A file's name inside a #line directive.
std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  }
  return text + "\"";
}

// The submission's text as it stands, under its own name and line numbers.
std::string pasted(const Submission& submission) {
  return "#line 1 " + quoted(submission.name) + "\n" + submission.text + "\n#line 1 \"" + kAdapterName +
         "\"\n";
}

// The call of one function, as a case of a switch.
std::string call_of(const Spec& spec, std::size_t number) {
  std::string values, types;
  for (std::size_t i = 0; i < spec.arguments.size(); ++i) {
    const ArgumentSpec& argument = spec.arguments[i];
    const bool heads = !argument.integer && argument.dims.size() == 3;
    values += std::string(i > 0 ? ", " : "") + "attest_arguments[" + std::to_string(i) + "]." +
              (argument.integer ? "integer"
               : heads          ? "heads"
                                : "matrix");
    types += (i > 0 ? ", " : "") + std::string(argument.integer ? "::attest::Index&"
                                               : heads          ? "::attest::Heads&"
                                                                : "::attest::Matrix&");
  }
  const std::string concept_name = "AttestCallable" + std::to_string(number) + "<" + types + ">";
  std::ostringstream text;
  text << "  static_assert(" << concept_name << ", \"" << kSignatureMark << " " << spec.entry << "\");\n"
       << "  if constexpr (" << concept_name << ") {\n    if (attest_call == " << number
       << ") attest_results.put(::" << spec.entry << "(" << values << "));\n  }\n";
  return text.str();
}

std::string adapter(const Spec& spec) {
  std::ostringstream text;
  for (std::size_t k = 0; k <= spec.also.size(); ++k) {
    text << "template <class... AttestTypes>\n"
         << "concept AttestCallable" << k
         << " = requires(::attest_worker::Results attest_results, AttestTypes... "
         << "attest_values) {\n  attest_results.put(::" << spec.call(k).entry << "(attest_values...));\n};\n";
  }
  text << "void attest_worker::call_entry(int attest_call, ::std::vector<::attest_worker::Argument>& "
          "attest_arguments,\n"
       << "                               ::attest_worker::Results& attest_results) {\n";
  for (std::size_t k = 0; k <= spec.also.size(); ++k) text << call_of(spec.call(k), k);
  const auto rank = [&](std::size_t i) {
    return std::to_string(i < spec.results.size() ? spec.results[i].dims.size() : 0);
  };
  text << "}\nconst int attest_worker::kResultRanks[2] = {" << rank(0) << ", " << rank(1) << "};\n";
  return text.str();
}

struct Run {
  Finished finished;
  bool ok = false;
  bool used_all_time = false;  // clang turns the limit's signal into a crash of its own
};

Run run_compiler(const Toolchain& chain, const std::string& text, const fs::path& folder,
                 const Limits& limits, const std::vector<std::string>& more) {
  write_file(folder / kSourceName, text);
  Policy policy;
  policy.argv = {chain.compiler};
  policy.argv.insert(policy.argv.end(), chain.flags.begin(), chain.flags.end());
  policy.argv.insert(policy.argv.end(), {"-DATTEST", kSourceName});
  policy.argv.insert(policy.argv.end(), more.begin(), more.end());
  policy.folder = folder;
  policy.environment = clean_environment(folder);
  policy.cpu_s = limits.compile_cpu_s;
  policy.memory_bytes = std::size_t{4} << 30;
  policy.file_bytes = std::size_t{256} << 20;
  policy.open_files = 256;
  policy.walls = walls_for(limits.isolation);
  policy.role = Role::compiler;
  policy.reach = chain.reach;
  Run run;
  run.finished = run_to_end(policy, limits.compile_cpu_s * limits.wall_factor);
  run.ok = !run.finished.timed_out && run.finished.exit.signal == 0 && run.finished.exit.status == 0;
  run.used_all_time = run.finished.timed_out || run.finished.exit.cpu_s >= limits.compile_cpu_s;
  if (!run.ok && is_full(folder))
    throw std::system_error(ENOSPC, std::generic_category(), "cannot compile in " + folder.string());
  return run;
}

// "mine.cpp:12:5: error: ...", which has a line's number, and not "clang: error: ...".
bool has_error_in_a_line(const std::string& said) {
  for (const std::string_view mark : {": error: ", ": fatal error: "}) {
    for (std::size_t at = said.find(mark); at != std::string::npos; at = said.find(mark, at + 1)) {
      if (at > 0 && said[at - 1] >= '0' && said[at - 1] <= '9') return true;
    }
  }
  return false;
}

// What ends a compilation from outside. Compilers report a child's signal, or an allocation that failed, in words of their own.
std::optional<Problem> limit_of(const Run& run) {
  const std::string& said = run.finished.output;
  // With an ordinary error, what else is there may be the learner's own words.
  const bool is_ordinary = has_error_in_a_line(said);
  const auto says = [&](std::initializer_list<const char*> words) {
    return !is_ordinary && std::any_of(words.begin(), words.end(), [&](const char* word) {
      return said.find(word) != std::string::npos;
    });
  };
  const int signal = run.finished.exit.signal;
  Problem problem;
  problem.outcome = Outcome::compile_error;
  if (run.used_all_time || signal == SIGXCPU || says({"CPU time limit"})) {
    problem.outcome = Outcome::timed_out;
    problem.fault.message =
        "compiling takes too long: templates, constants or macros that unfold without an end";
  } else if (signal == SIGXFSZ || says({"File size limit exceeded", "File too large"})) {
    problem.fault.message =
        "what it compiles to is larger than 256 MB: a very large array with values, or assembler that "
        "repeats";
  } else if (says({"out of memory", "memory exhausted", "annot allocate memory", "bad_alloc", "bad alloc"})) {
    problem.fault.message =
        "compiling needs more than 4 GB of memory: a very large array, or templates, constants or macros "
        "that unfold "
        "without an end";
  } else if (signal != 0 ||
             says({"PLEASE submit a bug report", "internal compiler error", "nable to execute command"})) {
    problem.fault.message =
        "the compiler itself crashed: a very large array, or templates, constants or macros that unfold "
        "without an end";
  } else {
    return std::nullopt;
  }
  return problem;
}

std::optional<Problem> problem_of(const Run& run, const Submission& submission, const Spec* spec) {
  if (run.ok) return std::nullopt;
  if (auto problem = limit_of(run)) {
    problem->fault.file = printable_line(submission.name);
    return problem;
  }
  return explain_compile_error(run.finished.output, submission, spec);
}

// Whether the compiler read nothing but the submission and headers that come with it or with the system: what else an absolute
// path brought in may change while the text stays. `list` is what -MMD wrote, "program: file file \ file ...".
bool is_all_in_the_key(const Toolchain& chain, const fs::path& list) {
  std::ifstream file(list);
  std::string word;
  if (!(file >> word)) return false;
  while (file >> word) {
    const bool ours = std::any_of(chain.folders.begin(), chain.folders.end(), [&](const fs::path& folder) {
      return word.starts_with(folder.string() + "/") && word.find("/../") == std::string::npos;
    });
    if (word != "\\" && word != kSourceName && !ours) return false;
  }
  return true;
}

// Return addresses -> the innermost line inside the submission. The same places come again and again while a failure is
// being shrunk, so answers are kept.
class Lines {
 public:
  Lines(fs::path program, std::string name, Walls walls)
      : program_(std::move(program)), name_(std::move(name)), walls_(walls) {}

  void locate(Fault& fault) {
    if (fault.traceback.rfind("@", 0) != 0) return;
    const auto [known, is_new] = known_.try_emplace(fault.traceback);
    if (is_new) known->second = look_up(fault.traceback);
    fault.traceback = known->second.trace;
    fault.line = known->second.line;
    fault.file = fault.line > 0 ? name_ : "";
  }

 private:
  struct Place {
    int line = 0;
    std::string trace;
  };

  Place look_up(const std::string& addresses) const {
    Policy policy;
    policy.argv = {"/usr/bin/addr2line", "-f", "-C", "-i", "-e", program_.string()};
    std::istringstream hex(addresses.substr(1));
    for (std::string address; hex >> address;) {
      char call[20];  // one back: a return address may already belong to the next line
      std::snprintf(call, sizeof call, "%llx", std::strtoull(address.c_str(), nullptr, 16) - 1);
      policy.argv.push_back(call);
    }
    const PrivateFolder folder;
    policy.folder = folder.path();
    policy.environment = clean_environment(folder.path());
    policy.cpu_s = 10;
    policy.memory_bytes = std::size_t{1} << 30;
    policy.walls = walls_;  // it reads what a stranger has had a hand in
    policy.role = Role::compiler;
    policy.reach = system_libraries();
    policy.reach.run.push_back(policy.argv[0]);
    policy.reach.read.push_back(program_);
    Place place;
    std::string printed;
    try {
      printed = run_to_end(policy, 20).output;
    } catch (const std::system_error&) {
      return place;  // no addr2line: no lines
    }
    std::istringstream pairs(printed);
    for (std::string function, where; std::getline(pairs, function) && std::getline(pairs, where);) {
      const std::string base = where.substr(where.find_last_of('/') + 1);
      if (base.rfind(name_ + ":", 0) != 0) continue;
      const int line = std::atoi(base.c_str() + name_.size() + 1);
      if (line <= 0) continue;
      if (place.line == 0) place.line = line;
      const std::string step =
          "  " + name_ + ":" + std::to_string(line) + "  in " + function.substr(0, function.find('(')) + "\n";
      if (!place.trace.ends_with(step)) place.trace += step;  // a recursion is one line
    }
    return place;
  }

  fs::path program_;
  std::string name_;
  Walls walls_;
  std::map<std::string, Place> known_;
};

}  // namespace

std::variant<Program, Problem> compile(const Toolchain& chain, const Submission& submission, const Spec& spec,
                                       const fs::path& folder, const Limits& limits) {
  const fs::path program_path = folder / "program";
  const std::string text = pasted(submission) + adapter(spec);
  const ProgramCache cache(cache_folder() / "programs");
  // What the compiler could read may be in the program, and the assembler tells nobody what it read: behind other walls it is another one.
  std::string compiled_from = chain.key;
  for (const std::string& wall : names_of(walls_for(limits.isolation))) compiled_from += wall + '\n';
  const std::string key = sha256(compiled_from + text);
  if (chain.key.empty() || !cache.take(key, program_path)) {
    const fs::path read = folder / "read";
    std::vector<std::string> more = {"-o", program_path.string(), "-MMD", "-MF", read.string()};
    more.insert(more.end(), chain.link.begin(), chain.link.end());
    const Run run = run_compiler(chain, text, folder, limits, more);
    if (auto problem = problem_of(run, submission, &spec)) return *problem;
    if (!chain.key.empty() && is_all_in_the_key(chain, read)) cache.keep(key, program_path);
  }
  Program program;
  program.reach = system_libraries();
  program.reach.run.push_back(program_path);
  std::error_code error;
  fs::permissions(program_path, fs::perms::others_exec | fs::perms::others_read, fs::perm_options::add,
                  error);
  program.argv = {program_path.string()};
  program.name = submission.name;
  program.locate = [lines =
                        std::make_shared<Lines>(program_path, submission.name, walls_for(limits.isolation))](
                       Fault& fault, const std::string&) { lines->locate(fault); };
  return program;
}

std::optional<Problem> check_syntax(const Toolchain& chain, const Submission& submission,
                                    const fs::path& folder, const Limits& limits) {
  return problem_of(run_compiler(chain, pasted(submission), folder, limits, {"-fsyntax-only"}), submission,
                    nullptr);
}

}  // namespace attest
