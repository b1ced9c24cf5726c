// Finds the compiler and builds, once, what every submission needs of it.
#include "grader/submission/sha256.hpp"
#include "grader/submission/text.hpp"
#include "grader/worker/compiler.hpp"
#include "grader/worker/eigen.hpp"
#include "grader/worker/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

namespace attest {
namespace {

namespace fs = std::filesystem;

std::string on_path(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? name : "";
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder) / name;
    if (!folder.empty() && access(candidate.c_str(), X_OK) == 0) return candidate.string();
  }
  return "";
}

std::string find_compiler() {
  for (const char* variable : {"ATTEST_CXX", "CXX"}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0') {
      if (const std::string found = on_path(value); !found.empty()) return found;
      if (std::string_view(variable) == "ATTEST_CXX")
        throw UsageError("ATTEST_CXX names no program: " + printable_line(value));
    }
  }
  for (const char* name : {"clang++", "g++"}) {
    if (const std::string found = on_path(name); !found.empty()) return found;
  }
  return "";
}

Finished run(std::vector<std::string> argv, const fs::path& folder, double cpu_s, double wall_factor) {
  Policy policy;
  policy.argv = std::move(argv);
  policy.folder = folder;
  policy.environment = clean_environment(folder);
  policy.cpu_s = cpu_s;
  policy.file_bytes = std::size_t{1} << 30;
  policy.open_files = 256;
  return run_to_end(policy, cpu_s * wall_factor);
}

std::string first_line(const std::string& text) { return printable_line(text.substr(0, text.find('\n'))); }

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Problem ours(std::string message, std::string advice, const std::string& output = "") {
  Problem problem;
  problem.outcome = Outcome::internal_error;
  problem.fault.message = std::move(message);
  problem.fault.traceback = printable(output, 8000);
  problem.advice = std::move(advice);
  return problem;
}

// What the compiler itself needs, and the headers that a submission may include. Not this project's own, where they are installed.
Reach reach_of(const Toolchain& chain) {
  Reach reach = system_libraries();
  const auto add = [](std::vector<fs::path>& to, const std::vector<fs::path>& paths) {
    to.insert(to.end(), paths.begin(), paths.end());
  };
  for (const char* headers : {"/usr/include", "/usr/local/include"})
    add(reach.read, entries_without(headers, {"attest"}));
  add(reach.read, {ATTEST_EIGEN_FOLDER, "/etc/alternatives"});
  add(reach.read, chain.folders);
  add(reach.run, {"/usr/bin", "/bin", "/usr/libexec", "/usr/local/bin"});
  for (const char* libraries : {"/usr/lib", "/usr/lib64", "/usr/local/lib"})
    add(reach.run, entries_without(libraries, {"attest", "python3"}));
  std::error_code error;
  const fs::path compiler = fs::canonical(chain.compiler, error);
  const fs::path prefix =
      compiler.parent_path().parent_path();  // one that was installed elsewhere: its own folders
  if (!error && prefix != "/usr" && prefix != "/") reach.run.push_back(prefix);
  return reach;
}

std::vector<const char*> flags_of(Build build) {
  // An index out of range of a std::vector ends the process.
  if (build == Build::usual) return {"-O1", "-D_GLIBCXX_ASSERTIONS"};
  // -O0: an optimiser leaves out accesses whose values nobody needs, wrong ones too. Only what means an error in a learner's file:
  // Eigen itself does not hold to all that the sanitizers can ask for.
  return {"-O0", "-D_GLIBCXX_SANITIZE_VECTOR=1", "-DATTEST_SANITIZED", "-fno-sanitize-recover=all",
          "-fsanitize=address,signed-integer-overflow,float-cast-overflow,shift,integer-divide-by-zero,"
          "bounds,null,"
          "alignment,return,unreachable,vla-bound,bool,enum"};
}

// Held while the parts are built; released by the kernel whatever happens to us.
class Lock {
 public:
  explicit Lock(const fs::path& path) : file_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    if (file_) flock(file_.get(), LOCK_EX);
  }

 private:
  Descriptor file_;
};

}  // namespace

std::variant<Toolchain, Problem> find_toolchain(Dtype dtype, const Limits& limits, Build build) {
  Toolchain chain;
  chain.compiler = find_compiler();
  if (chain.compiler.empty()) {
    return ours("no C++ compiler was found",
                "Install one (apt install clang or g++), or name it: ATTEST_CXX=/path/to/clang++");
  }
  const PrivateFolder folder;
  chain.version = first_line(run({chain.compiler, "--version"}, folder.path(), 10, 10).output);
  const bool clang = chain.version.find("clang") != std::string::npos;

  const fs::path data = data_folder();
  const fs::path runtime = data / "grader" / "worker" / "runtime";
  // DWARF 4: addr2line (binutils 2.40) does not see inlined calls in clang's DWARF 5, and so misses the learner's line.
  // Before -g1: it would switch full debug information on, which doubles the time of a compilation.
  chain.flags = {"-std=c++20", "-gdwarf-4", "-g1", "-fno-pie", "-fno-omit-frame-pointer", "-w",
                 // A name that was never written is NaN, or a pattern.
                 "-DEIGEN_INITIALIZE_MATRICES_BY_NAN", "-ftrivial-auto-var-init=pattern",
                 "-I" + (data / "exercises" / "include").string(), "-I" + runtime.string(),
                 "-I" + (data / "grader" / "worker").string()};
  for (const char* flag : flags_of(build)) chain.flags.push_back(flag);
  if (dtype == Dtype::float32) chain.flags.push_back("-DATTEST_FLOAT32");
  if (clang) {
    // clang may otherwise remove an endless loop without effects, and the function's end with it; and make one throw of several, whose line
    // is then nobody's. Headers that are the same are the same whatever their dates, which a checkout or an installation changes.
    for (const char* flag : {"-fno-finite-loops", "-mllvm", "-enable-tail-merge=0", "-fno-color-diagnostics",
                             "-fpch-validate-input-files-content", "-ferror-limit=20"})
      chain.flags.push_back(flag);
  } else {
    for (const char* flag : {"-fno-crossjumping", "-fdiagnostics-color=never", "-fmax-errors=20"})
      chain.flags.push_back(flag);
  }

  std::string key = chain.compiler + '\n' + chain.version + '\n';
  for (const std::string& flag : chain.flags) key += flag + '\n';
  for (const fs::path& file :
       {runtime / "prelude.hpp", runtime / "misfit.hpp", runtime / "runtime.cpp", runtime / "crashing.hpp",
        runtime / "showing.hpp", runtime / "kernels.inc", runtime / "kernels.cpp",
        data / "grader" / "worker" / "wire.hpp", data / "exercises" / "include" / "attest" / "exercise.hpp",
        fs::path(ATTEST_EIGEN_FOLDER) / "Eigen" / "src" / "Core" / "util" / "Macros.h"}) {
    const std::string text = contents(file);
    if (text.empty())
      return ours("a part of the program is missing: " + file.filename().string(),
                  "Install it again, or set ATTEST_HOME.");
    key += sha256(text) + '\n';
  }
  key += eigen_copy_version();
  const fs::path kept = cache_folder() / ("cpp-" + sha256(key).substr(0, 20));
  std::error_code error;
  fs::create_directories(kept, error);
  chain.flags.insert(chain.flags.end(),
                     {"-isystem", (kept / "eigen").string(), "-isystem", ATTEST_EIGEN_FOLDER});
  const fs::path header = kept / "prelude.hpp",
                 precompiled = kept / (clang ? "prelude.pch" : "prelude.hpp.gch");
  const fs::path object = kept / "runtime.o", kernels = kept / "kernels.o", complete = kept / "complete";

  const auto command = [&](std::initializer_list<std::string> more) {
    std::vector<std::string> argv = {chain.compiler};
    argv.insert(argv.end(), chain.flags.begin(), chain.flags.end());
    argv.insert(argv.end(), more);
    return argv;
  };
  if (!fs::exists(complete, error)) {
    const Lock lock(kept / "lock");
    if (!fs::exists(complete, error)) {
      copy_eigen(ATTEST_EIGEN_FOLDER, kept / "eigen");
      std::ofstream(header) << "#include \"" << (runtime / "prelude.hpp").string() << "\"\n";
      std::vector<std::vector<std::string>> steps;
      if (build ==
          Build::sanitized) {  // first of all: nothing is built where the sanitizers' libraries are missing
        std::ofstream(kept / "probe.cpp") << "int main() {}\n";
        steps.push_back(command({(kept / "probe.cpp").string(), "-no-pie", "-o", (kept / "probe").string()}));
      }
      steps.push_back(command({"-x", "c++-header", header.string(), "-o", precompiled.string()}));
      if (clang) steps.back().push_back("-fpch-instantiate-templates");
      steps.push_back(command({"-c", (runtime / "runtime.cpp").string(), "-o", object.string()}));
      steps.push_back(command({"-c", (runtime / "kernels.cpp").string(), "-o", kernels.string()}));
      if (build == Build::usual) steps.back().push_back("-O2");
      for (const auto& step : steps) {
        const Finished finished = run(step, folder.path(), 4 * limits.compile_cpu_s, limits.wall_factor);
        if (finished.timed_out || finished.exit.signal != 0 || finished.exit.status != 0) {
          return ours("the compiler cannot compile the program's own files",
                      "Try another one: ATTEST_CXX=/path/to/g++", finished.output);
        }
      }
      std::ofstream(complete) << chain.version << '\n';
    }
  }

  if (clang) {
    chain.flags.insert(chain.flags.end(), {"-include-pch", precompiled.string()});
  } else {
    chain.flags.insert(chain.flags.end(), {"-include", header.string()});
  }
  chain.link = {object.string(), kernels.string(), "-no-pie"};
  if (!on_path("mold").empty()) {
    chain.link.push_back("-fuse-ld=mold");
  } else if (!on_path("ld.lld").empty()) {
    chain.link.push_back("-fuse-ld=lld");
  }
  for (const std::string& word : chain.link) key += word + '\n';
  chain.key = sha256(key);
  chain.folders = {kept, runtime, data / "exercises" / "include"};
  chain.reach = reach_of(chain);
  return chain;
}

}  // namespace attest
