#include "grader/worker/examine.hpp"

#include "grader/worker/sanitize.hpp"

#include <system_error>

namespace attest {
namespace {

// A question that took no time at all may take two hundred times as long at -O0 and with every access checked.
constexpr double kMostCpuS = 20;
constexpr std::size_t kReportKb =
    256;  // of a deep recursion it is long, and its first line says what it is about

}  // namespace

Examiner::Examiner(const Submission& submission, const Spec& spec, const WorkerOptions& options)
    : submission_(submission), spec_(spec), options_(options) {
  options_.limits.memory_mb = 0;  // terabytes of addresses are mapped, and hardly any memory used
  options_.limits.output_kb = kReportKb;
}

void Examiner::compile_once() {
  if (is_compiled_) return;
  is_compiled_ = true;
  auto chain = find_toolchain(options_.dtype, options_.limits, Build::sanitized);
  if (std::holds_alternative<Problem>(chain)) return;
  Toolchain& toolchain = std::get<Toolchain>(chain);
  if (!options_.reuse_program) toolchain.key.clear();
  auto compiled = compile(toolchain, submission_, spec_, folder_.path(), options_.limits);
  if (auto* program = std::get_if<Program>(&compiled)) program_ = std::move(*program);
  if (program_ && walls_for(options_.limits.isolation).user_id) program_->user = next_user();
}

std::optional<Fault> Examiner::examine(std::span<const Question> questions) try {
  compile_once();
  if (!program_) return std::nullopt;
  const auto locate = [&](const std::vector<std::uint64_t>& addresses) -> CodeLine {
    if (addresses.empty()) return {};
    Fault found;
    found.traceback = addresses_text(addresses);
    program_->locate(found, "");
    return {found.line, found.traceback};
  };
  Program silent = *program_;
  silent.locate = nullptr;  // what ends this process is read from its report
  Process process(silent, options_, nullptr);
  const auto loaded = process.wait_until_loaded();
  if (std::holds_alternative<Hello>(loaded) && !questions.empty())
    process.ask(questions, spec_, {kMostCpuS, kMostCpuS * options_.limits.wall_factor});
  const auto finding = read_sanitizer_report(process.output());
  return finding ? std::optional(fault_of(*finding, submission_, locate)) : std::nullopt;
} catch (const std::system_error&) {
  return std::nullopt;  // no process can be started: what is known stays
}

}  // namespace attest
