// Handles its own crashes, by returning to where they happened.
#include <csignal>
bool attack() {
  for (const int s : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGTERM, SIGXCPU}) std::signal(s, SIG_IGN);
  struct sigaction action {};
  action.sa_handler = [](int) {};
  sigaction(SIGSEGV, &action, nullptr);
  *static_cast<volatile int*>(nullptr) = 1;
  return false;
}
