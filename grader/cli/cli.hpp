// The command line: words in, an exit status out.
#pragma once

namespace attest {

// Never throws. What goes wrong is said on standard error, in one message.
int run_cli(int argc, char** argv);

}  // namespace attest
