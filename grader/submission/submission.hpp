// A file that somebody handed in, before anything of it has been run.
#pragma once

#include "properties/outcome.hpp"

#include <filesystem>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace attest {

// The caller's mistake, not the learner's: exit status 2. The message says what to do.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Language { python, cpp };
std::string_view to_string(Language language);

struct Submission {
  std::filesystem::path path;
  std::string name;  // base name: all that a report may show
  Language language = Language::python;
  std::string text;    // the bytes of the file
  std::string sha256;  // of the bytes, hexadecimal
};

// Why a submission could not be judged (or not any further).
struct Problem {
  Outcome outcome = Outcome::internal_error;
  Fault fault;
  std::string output_tail;
  std::string
      advice;  // what to do about it: several lines, e.g. the adapter for the nearest function; or empty
};

// Reads a .py or .cpp (.cc, .cxx) file. Throws UsageError when the path is missing, unreadable, a folder or of another
// kind. An empty or binary file is the learner's problem: see check().
Submission load(const std::filesystem::path& path);

// What can be said without running it: empty, binary (contains NUL). nullopt when nothing is wrong.
std::optional<Problem> check(const Submission& submission);

// A function that a submission defines.
struct Definition {
  std::string name;
  std::vector<std::string> parameters;
  int line = 0;
};

// Top-level functions found by reading the text (C++ and Python), comments and strings left out. Never exact: for choosing
// an exercise and for messages only.
std::vector<Definition> definitions(const Submission& submission);

// A module that a file in Python imports, by its outermost name: "numpy" for numpy.linalg.
struct Import {
  std::string module;
  int line = 0;
};

// Imports found by reading the text, those of __import__("...") and import_module("...") too; one a module, the first. What is put
// together while the file runs is not found: what must not be used has to be out of reach as well (worker.cpp).
std::vector<Import> imports(const Submission& submission);

}  // namespace attest
