#include "grader/cli/cli.hpp"

int main(int argc, char** argv) { return attest::run_cli(argc, argv); }
