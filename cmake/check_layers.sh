#!/bin/sh
# check_layers.sh [ROOT]: holds the includes below ROOT to the layers reference <- properties <- grader, and keeps the answer
# out of the learner's process. CONTRIBUTING.md says why each rule is there. Prints every line that breaks a rule; exit 1 then.
# Files below a folder named testdata/ are data, not code of ours.
set -eu
cd "${1:-.}"
broken=0

# forbid RULE HEADERS [find conditions that choose the files]: HEADERS is an extended regular expression for what follows
# #include and its opening < or ".
forbid() {
  rule=$1 headers=$2
  shift 2
  hits=$(find reference properties exercises grader -type f \( -name '*.?pp' -o -name '*.h' -o -name '*.inc' \) \
    ! -path '*/testdata/*' "$@" -exec grep -HnE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]($headers)" {} + || true)
  [ -z "$hits" ] || { printf '%s\n%s\n' "layer broken: $rule" "$hits"; broken=1; }
}

test='*_test.cpp'
third_party='fmt/|nlohmann/|CLI/|toml\+\+|seccomp'
posix='(unistd|signal|fcntl|poll|spawn|sched|dlfcn|pthread|semaphore|termios|pwd|grp|netdb)\.h|(sys|linux|netinet|arpa|asm)/'

forbid 'reference/ uses Eigen and the standard library only' "properties/|grader/|exercises/|$third_party|rapidcheck" -path 'reference/*' ! -name "$test"
forbid 'properties/ knows nothing of the grader or the exercises' 'grader/|exercises/|nlohmann/|CLI/|toml\+\+' -path 'properties/*'
forbid "the learner's side never sees the answer" '(attest/)?(reference|properties)/' \( -path 'exercises/*' -o -path 'grader/worker/runtime/*' \)
forbid 'RapidCheck only in properties/ and in tests' 'rapidcheck' ! -path 'properties/*' ! -name "$test"
forbid 'GoogleTest only in *_test.cpp and properties/suite.hpp' '(gtest|gmock)/|rapidcheck/g(test|mock)' ! -name "$test" ! -path properties/suite.hpp ! -path 'properties/example/*'
forbid 'Google Benchmark only in *_bench.cpp' 'benchmark/' ! -name '*_bench.cpp'
forbid 'POSIX only in grader/sandbox/, grader/worker/ and tests' "$posix" ! -path 'grader/sandbox/*' ! -path 'grader/worker/*' ! -path 'grader/fuzz/*' ! -name "$test"

# The worker's Python side: no import of, and no path into, the two folders that hold the answer.
hits=$(find exercises grader/worker -name '*.py' ! -path '*/testdata/*' \
  -exec grep -HnE '(import|from)[[:space:]]+(reference|properties)\>|["/](reference|properties)/' {} + || true)
[ -z "$hits" ] || { printf '%s\n%s\n' "layer broken: the learner's side never sees the answer" "$hits"; broken=1; }
exit $broken
