// How a Python submission is run: which interpreter, and with what.
#pragma once

#include "grader/worker/process.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace attest {

struct Interpreter {
  std::string path;
  Reach
      reach;  // its standard library and the packages that were asked for: not the others that are installed
};

// The first interpreter that has NumPy: $ATTEST_PYTHON, that of an active virtual environment, /usr/bin/python3, python3 on
// PATH; it can open those of `packages` that it has, too. Asked once a run. Empty when there is none.
std::optional<Interpreter> find_python(const std::vector<std::string>& packages);

// What it may import: as the exercise says that it will be, the first whose entry is defined, as far as reading can tell.
const Imports& imports_of(const Submission& submission, const std::vector<const Spec*>& specs);

// When it imports what is refused.
std::optional<Problem> refused_import(const Submission& submission, const Imports& policy);

// `source` is the file to load: a copy that the grader owns.
Program python_program(const Interpreter& python, const Submission& submission,
                       const std::filesystem::path& source, const std::vector<const Spec*>& specs,
                       const Imports& imports, Dtype dtype);

}  // namespace attest
