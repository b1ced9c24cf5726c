// Compiled once, with -O2: the definitions that kernels.inc promises to every submission.
#define ATTEST_KERNEL template
#include "prelude.hpp"
