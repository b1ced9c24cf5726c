// How a submission's process ends where it should not: signals, exceptions that nobody catches, assertions. Part of runtime.cpp.
#pragma once

#include "prelude.hpp"
#include "wire.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <typeinfo>

namespace attest_worker {
namespace {

namespace wire = attest::wire;

// Where the last exception was thrown. Filled by __cxa_throw below, read when the exception arrives.
struct Thrown {
  void* frames[24] = {};
  int count = 0;
};
Thrown thrown;
char last_assertion[256];  // survives a throw from a destructor, which ends in std::terminate

void write_all(const void* data, std::size_t n) {
  const char* at = static_cast<const char*>(data);
  while (n > 0) {
    const ssize_t written = write(wire::kReplyPipe, at, n);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) _exit(0);
    at += written, n -= static_cast<std::size_t>(written);
  }
}

void send_note(const wire::CrashNote& note) {
  struct {
    wire::Message message;
    wire::CrashNote note;
  } both;
  both.message.kind = wire::Kind::crash;
  both.message.bytes = sizeof note;
  both.note = note;
  write_all(&both, sizeof both);
}

void on_signal(int signal_number, siginfo_t* info, void* context) {
  wire::CrashNote note;
  note.signal = signal_number;
  note.fault_address = reinterpret_cast<std::uint64_t>(info->si_addr);
#if defined(__x86_64__)
  const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  note.stack_pointer = static_cast<std::uint64_t>(registers[REG_RSP]);
  note.addresses[note.frames++] =
      static_cast<std::uint64_t>(registers[REG_RIP]) + 1;  // not a return address: see below
#else
  (void)context;
#endif
  void* frames[20];
  const int count = backtrace(frames, 20);
  for (int i = 0; i < count; ++i) note.addresses[note.frames++] = reinterpret_cast<std::uint64_t>(frames[i]);
  send_note(note);
  signal(signal_number, SIG_DFL);  // returning faults again, and that ends the process with the right status
  if (signal_number == SIGABRT || signal_number == SIGTRAP) raise(signal_number);  // these go on instead
}

// An exception that nobody can catch: out of a noexcept function or a destructor.
[[noreturn]] void on_terminate() {
  wire::CrashNote note;
  std::snprintf(note.message, sizeof note.message, "%.200s",
                last_assertion[0] != 0
                    ? last_assertion
                    : "std::terminate was called: an exception left a function that must not throw");
  if (last_assertion[0] == 0) {
    if (const std::exception_ptr current = std::current_exception()) {
      try {
        std::rethrow_exception(current);
      } catch (const std::exception& error) {
        std::snprintf(note.message, sizeof note.message,
                      "an exception left a function that must not throw: %.180s", error.what());
      } catch (...) {
      }
    } else {
      std::abort();  // no exception: a thread that was not joined, say
    }
  }
  for (int i = 0; i < thrown.count; ++i)
    note.addresses[note.frames++] = reinterpret_cast<std::uint64_t>(thrown.frames[i]);
  send_note(note);
  _exit(1);
}

// Before any constructor of the submission.
__attribute__((constructor(101))) void prepare() {
  static char alternate[1 << 16];  // a full stack cannot hold the handler's frame
  stack_t stack{};
  stack.ss_sp = alternate;
  stack.ss_size = sizeof alternate;
  sigaltstack(&stack, nullptr);
  for (const int s : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}) {
    struct sigaction action {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(s, &action, nullptr);
  }
  std::set_terminate(on_terminate);
  void* frames[2];
  backtrace(frames, 2);                      // loads what it needs now: in a handler it may not
  setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // what was printed before a crash is seen
}

}  // namespace

// An exception, and its message where one thrown from a destructor leaves it, too. A second one on the way of the first is the first's
// consequence: m << 1, 2, 3 with one number too many has too few in the end.
[[noreturn]] inline void fail(const std::string& message) {
  if (std::uncaught_exceptions() == 0 || last_assertion[0] == 0)
    std::snprintf(last_assertion, sizeof last_assertion, "Eigen: %s", message.c_str());
  throw std::logic_error(last_assertion);
}

[[noreturn]] void eigen_assertion_failed(const char* condition, const char* file, int line) {
  const std::string text(condition);
  const std::size_t open = text.find('"'), close = text.find('"', open + 1);
  if (close != std::string::npos) fail(text.substr(open + 1, close - open - 1));
  const char* slash = std::strrchr(file, '/');
  fail(text.substr(0, 180) + " (" + (slash != nullptr ? slash + 1 : file) + ":" + std::to_string(line) + ")");
}

[[noreturn]] void shapes_do_not_fit(Misfit kind, std::ptrdiff_t a, std::ptrdiff_t b, std::ptrdiff_t c,
                                    std::ptrdiff_t d, std::ptrdiff_t e, std::ptrdiff_t f) {
  fail(misfit_text(kind, {a, b, c, d, e, f}));
}

}  // namespace attest_worker

// Notes where an exception is thrown, then throws it. Stands in for the library's __cxa_throw by its symbol only: compilers
// have a declaration of their own for the name, and not the same one.
extern "C" [[noreturn]] void attest_throw(void*, std::type_info*, void (*)(void*)) __asm__("__cxa_throw");
extern "C" void attest_throw(void* object, std::type_info* type, void (*destroy)(void*)) {
  using Throw = void (*)(void*, std::type_info*, void (*)(void*));
  static const auto real = reinterpret_cast<Throw>(dlsym(RTLD_NEXT, "__cxa_throw"));
  if (std::uncaught_exceptions() == 0)
    attest_worker::thrown.count = backtrace(attest_worker::thrown.frames, 24);
  real(object, type, destroy);
  __builtin_unreachable();
}

#ifdef ATTEST_SANITIZED
// What the sanitizers' runtimes would otherwise read from the environment. Every error ends the process with its report; signals are
// theirs, not on_signal()'s; addresses stay numbers, because no other program may be started here; and /proc is not needed.
extern "C" const char* __asan_default_options() {
  return "detect_leaks=0:abort_on_error=0:exitcode=86:halt_on_error=1:symbolize=0:print_legend=0:"
         "detect_stack_use_after_return=1:handle_segv=2:handle_sigbus=2:handle_sigfpe=2:handle_sigill=2:"
         "handle_abort=2:"
         "malloc_context_size=40:fast_unwind_on_malloc=0:redzone=256:quarantine_size_mb=16:hard_rss_limit_mb="
         "2048:can_use_proc_maps_"
         "statm=0";
}
extern "C" const char* __ubsan_default_options() { return "halt_on_error=1:symbolize=0:print_stacktrace=1"; }
#endif
