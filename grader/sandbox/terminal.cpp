#include "grader/sandbox/terminal.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <csignal>

namespace attest {
namespace {

volatile std::sig_atomic_t g_interrupted = 0;

void note_interrupt(int) { g_interrupted = 1; }
void do_nothing(int) {}

// A handler, not SIG_IGN: an ignored signal stays ignored in children, a handled one does not.
void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

bool is_terminal(Stream stream) {
  return isatty(stream == Stream::output ? STDOUT_FILENO : STDERR_FILENO) == 1;
}

void provide_standard_streams() {
  int fd = open("/dev/null", O_RDONLY);
  while (fd >= 0 && fd <= STDERR_FILENO) fd = open("/dev/null", O_RDONLY);
  if (fd > STDERR_FILENO) close(fd);
}

void survive_failed_writes() {
  handle(SIGPIPE, do_nothing, SA_RESTART);
  handle(SIGXFSZ, do_nothing, SA_RESTART);
}

void notice_interrupts() {
  handle(SIGINT, note_interrupt, static_cast<int>(SA_RESETHAND));
  handle(SIGTERM, note_interrupt, static_cast<int>(SA_RESETHAND));
  handle(SIGHUP, note_interrupt, static_cast<int>(SA_RESETHAND));
}

bool interrupted() { return g_interrupted != 0; }

void stop_if_interrupted() {
  if (interrupted()) throw Interrupted();
}

}  // namespace attest
