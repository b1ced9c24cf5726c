// What the system says about the terminal, and the two signals that concern a person at it.
#pragma once

#include <stdexcept>

namespace attest {

enum class Stream { output, error };
bool is_terminal(Stream stream);

// Where standard input, output or error are closed, something that cannot be written to takes their place: else the next file that is
// opened would be written to as if it were one of them.
void provide_standard_streams();

// Writing to a reader that has gone, or beyond the largest file that is allowed, becomes an error of that write, in place of the end
// of this process. Children get the usual behaviour back.
void survive_failed_writes();

// The first Ctrl-C (SIGTERM, SIGHUP) sets a flag; whoever works or waits meets it as an exception, so that every worker and
// temporary folder is cleared away. A second one ends the process at once.
void notice_interrupts();
bool interrupted();
struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};
void stop_if_interrupted();  // throws Interrupted

}  // namespace attest
