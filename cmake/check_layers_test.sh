#!/bin/sh
# check_layers_test.sh SCRATCH: shows that check_layers.sh can fail. A tree that keeps the rules passes; then one line at a time
# is added that breaks one rule, and exactly that line must be reported.
set -eu
check=$(dirname "$(readlink -f "$0")")/check_layers.sh
rm -rf "$1"
mkdir -p "$1"
cd "$1"

allowed() (
  rm -rf tree
  mkdir -p tree/reference tree/properties/example tree/exercises/01-softmax tree/grader/worker/runtime tree/grader/sandbox tree/grader/report
  while read -r file line; do printf '%s\n' "$line" >>"tree/$file"; done <<'LINES'
reference/attention.hpp #include <Eigen/Dense>
reference/attention_test.cpp #include <rapidcheck.h>
properties/case.hpp #include "reference/attention.hpp"
properties/case.cpp #include <fmt/format.h>
properties/suite.hpp #include <gtest/gtest.h>
properties/generate.cpp #include <rapidcheck.h>
exercises/01-softmax/solution.cpp #include <attest/exercise.hpp>
exercises/01-softmax/solution.py import numpy as np
grader/report/report.cpp #include "properties/case.hpp"
grader/report/report.cpp #include <nlohmann/json.hpp>
grader/report/report_test.cpp #include <unistd.h>
grader/sandbox/sandbox.cpp #include <sys/resource.h>
grader/worker/worker.cpp #include <fcntl.h>
LINES
)

failed=0
allowed
sh "$check" tree || { echo 'not ok: a tree that keeps every rule was refused'; failed=1; }

while read -r file line; do
  allowed
  printf '%s\n' "$line" >>"tree/$file"
  if said=$(sh "$check" tree); then
    echo "not ok: $file may contain: $line"
    failed=1
  else
    case $said in
    *"$file:"*"$line"*) ;;
    *) echo "not ok: $file with $line was refused for another reason: $said" && failed=1 ;;
    esac
  fi
done <<'LINES'
reference/attention.hpp #include "properties/case.hpp"
reference/attention.hpp #include <fmt/format.h>
reference/attention.hpp #  include <rapidcheck/Gen.h>
properties/case.hpp #include "grader/report/report.hpp"
properties/case.hpp #include <toml++/toml.h>
properties/case.hpp #include <gtest/gtest.h>
exercises/01-softmax/solution.cpp #include "reference/attention.hpp"
exercises/01-softmax/solution.cpp #include <attest/properties/case.hpp>
exercises/01-softmax/solution.py from reference import attention
grader/worker/runtime/worker.cpp #include "properties/case.hpp"
grader/worker/runtime/worker.py sys.path.append("../../../reference/")
grader/report/report.cpp #include <rapidcheck.h>
grader/report/report.cpp #include <gmock/gmock.h>
grader/report/report.cpp #include <benchmark/benchmark.h>
grader/report/report.cpp #include <sys/mman.h>
grader/report/report.cpp #include <unistd.h>
properties/generate.cpp #include <linux/seccomp.h>
LINES
exit $failed
