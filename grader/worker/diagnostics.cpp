#include "grader/worker/diagnostics.hpp"

#include "grader/submission/text.hpp"
#include "grader/worker/signature.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <regex>
#include <sstream>
#include <utility>
#include <vector>

namespace attest {
namespace {

struct Diagnostic {
  std::string file;  // base name
  int line = 0;
  std::string text;  // "use of undeclared identifier 'foo'"
};

// "path:12:5: error: text" or "fatal error: text".
std::optional<Diagnostic> parse(const std::string& line) {
  std::size_t at = line.find(": error: "), skip = 9;
  if (at == std::string::npos) at = line.find(": fatal error: "), skip = 15;
  if (at == std::string::npos) return std::nullopt;
  Diagnostic found;
  found.text = line.substr(at + skip);
  std::string place = line.substr(0, at);
  std::vector<int> numbers;
  for (int i = 0; i < 2; ++i) {
    const std::size_t colon = place.rfind(':');
    if (colon == std::string::npos || place.find_first_not_of("0123456789", colon + 1) != std::string::npos)
      break;
    numbers.push_back(std::atoi(place.c_str() + colon + 1));
    place.erase(colon);
  }
  if (!numbers.empty()) found.line = numbers.back();
  found.file = place.substr(place.find_last_of('/') + 1);
  return found;
}

// A line of the learner's file that a note or a template's "required from here" names; where there is none, one that includes the
// header with the error.
int mentioned_line(const std::string& output, const std::string& name) {
  int including = 0;
  std::istringstream lines(output);
  for (std::string text; std::getline(lines, text);) {
    const std::size_t at = text.find(name + ":");
    if (at == std::string::npos) continue;
    const int line = std::atoi(text.c_str() + at + name.size() + 1);
    if (line <= 0) continue;
    const bool includes = text.find("included from ") != std::string::npos || text.find(" from ") < at;
    if (!includes || text.find("required from") != std::string::npos) return line;
    if (including == 0) including = line;
  }
  return including;
}

int line_of_definition(const Submission& submission, const std::string& name) {
  for (const Definition& definition : definitions(submission)) {
    if (definition.name == name) return definition.line;
  }
  return 0;
}

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

// "mold: error: undefined symbol: helper(int)" or "undefined reference to `helper(int)'".
std::string undefined_symbol(const std::string& output) {
  for (const char* mark : {"undefined symbol: ", "undefined reference to "}) {
    const std::size_t at = output.find(mark);
    if (at == std::string::npos) continue;
    std::string symbol = output.substr(at + std::char_traits<char>::length(mark));
    symbol = symbol.substr(0, symbol.find('\n'));
    std::erase_if(symbol, [](char c) { return c == '`' || c == '\''; });
    return symbol;
  }
  return "";
}

// Longer lines are no sentence, and std::regex needs stack for each character.
constexpr std::size_t kMostRead = 2000;

// The compiler's temporary names differ from run to run, and its last line says only that there were others.
std::string without_linker_names(const std::string& output) {
  static const std::regex object("submission-[0-9a-f]+\\.o"),
      summary("[a-z+0-9]*: error: (linker command failed|ld returned).*");
  std::istringstream lines(output);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    if (line.size() <= kMostRead) {
      if (std::regex_match(line, summary)) continue;
      line = std::regex_replace(line, object, "submission.o");
    }
    text += line + '\n';
  }
  return text;
}

// Types as a learner writes them: without what a compiler knows beside their names.
std::string shortened(std::string text) {
  static const std::pair<std::regex, const char*> rules[] = {
      {std::regex(R"( \(aka '[^']*'\)| \{aka ‘[^’]*’\})"), ""},
      {std::regex("(Eigen::)?Matrix<(double|float), (-1|Eigen::Dynamic), (-1|Eigen::Dynamic), "
                  "(1|Eigen::RowMajor)(, -1, -1)?>"),
       "attest::Matrix"},
      {std::regex("attest::Matrix >"), "attest::Matrix>"},
      {std::regex("std::(__cxx11::)?basic_string<char(, std::char_traits<char>, std::allocator<char> ?)?>"),
       "std::string"},
      {std::regex(R"(std::vector<([^<>]*), std::allocator<\1 ?> ?>)"), "std::vector<$1>"},
  };
  text = text.substr(0, kMostRead);
  for (const auto& [pattern, replacement] : rules) text = std::regex_replace(text, pattern, replacement);
  return printable_line(text, 300);
}

// Eigen's static assertions say what is wrong in a name: YOU_MIXED_MATRICES_OF_DIFFERENT_SIZES. Empty when the text has none.
std::string eigen_rule(const std::string& whole) {
  const std::string text = whole.substr(0, kMostRead);
  static const std::regex name("[A-Z]+_[A-Z0-9]+_[A-Z0-9_]+"),
      traits("ScalarBinaryOpTraits<([a-z ]+), ([a-z ]+),");
  std::smatch found;
  if (std::regex_search(text, found, traits))
    return "numbers of " + found.str(1) + " and of " + found.str(2) +
           " are mixed: convert one side with .cast<" + found.str(1) + ">()";
  if (!contains(text, "static") || !std::regex_search(text, found, name)) return "";
  std::string words = std::regex_replace(found.str(), std::regex("__+"), ": ");
  for (char& c : words) c = c == '_' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return words;
}

// Compilers write the first error first, and a report shows a text's last lines. So the one that matters comes once more at the end,
// with the learner's own line, and the others are counted.
std::string essence(const Fault& fault, const Submission& submission, int errors) {
  std::istringstream lines(submission.text);
  std::string source;
  for (int line = 0; line < fault.line && std::getline(lines, source);) ++line;
  std::string text = "\n";
  if (fault.line > 0) {
    const std::size_t start = std::min(source.find_first_not_of(" \t"), source.size());
    text += "line " + std::to_string(fault.line) + ":  " + printable_line(source.substr(start), 200) + "\n";
  }
  text += "        " + fault.message + "\n";
  if (errors > 1)
    text += "and " + std::to_string(errors - 1) + (errors == 2 ? " error" : " errors") +
            " more, which may follow from it\n";
  return text;
}

}  // namespace

Problem explain_compile_error(const std::string& output, const Submission& submission, const Spec* spec) {
  Problem problem;
  problem.outcome = Outcome::compile_error;
  Fault& fault = problem.fault;
  fault.file = printable_line(submission.name);

  std::optional<Diagnostic> first, in_file;
  std::string rule;  // of Eigen's, that was broken
  int errors = 0;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    const auto diagnostic = parse(line);
    if (!diagnostic) continue;
    ++errors;
    if (!first) first = diagnostic;
    if (!in_file && diagnostic->file == submission.name) in_file = diagnostic;
    if (rule.empty()) rule = eigen_rule(diagnostic->text);
  }

  if (spec != nullptr && contains(output, kSignatureMark) && !in_file) {
    for (const Spec& other : spec->also) {
      if (contains(output, (std::string(kSignatureMark) + " " + other.entry + "\"").c_str())) spec = &other;
    }
    std::string parameters;
    for (const Definition& definition : definitions(submission)) {
      if (definition.name != spec->entry) continue;
      for (const std::string& parameter : definition.parameters)
        parameters += (parameters.empty() ? "" : ", ") + parameter;
    }
    Problem other = wrong_signature(submission.name, Language::cpp, *spec, printable_line(parameters),
                                    line_of_definition(submission, spec->entry));
    other.outcome = Outcome::compile_error;
    return other;
  }
  if (first && first->file == submission.name) {
    fault.line = first->line;
    fault.message = shortened(first->text);
  } else if (first && first->file == kAdapterName) {
    // The lines behind the submission fail only when something in it stays open, or the entry hides in a namespace.
    if (spec != nullptr && contains(first->text, spec->entry.c_str())) {
      fault.line = line_of_definition(submission, spec->entry);
      fault.message = "no function " + spec->entry + " is found outside all namespaces and classes";
      problem.advice = "What is expected:\n" + signature_text(*spec, Language::cpp);
    } else if (!contains(first->text, "expected")) {
      fault.message =
          "something that the file defines collides with the lines that call it: " + shortened(first->text);
    } else {
      fault.line = static_cast<int>(std::count(submission.text.begin(), submission.text.end(), '\n'));
      fault.message =
          "the file ends too early: a bracket that was opened is never closed, or a semicolon is missing at "
          "the end";
    }
  } else if (first && first->line > 0) {  // inside a header: the learner's line is the one that led there
    fault.line = in_file ? in_file->line : mentioned_line(output, submission.name);
    fault.message = !rule.empty() ? "Eigen: " + rule : shortened(in_file ? in_file->text : first->text);
  } else if (contains(output, "main") &&
             (contains(output, "duplicate symbol") || contains(output, "multiple definition"))) {
    fault.line = line_of_definition(submission, "main");
    fault.message = "the file has a main() of its own; the grader calls your function itself";
    problem.advice =
        "Take main() out, or put it between #ifndef ATTEST and #endif: the grader defines ATTEST.";
  } else if (const std::string symbol = undefined_symbol(output); !symbol.empty()) {
    fault.message = printable_line("linker: " + symbol + " is declared and used, but nowhere defined");
    fault.line = mentioned_line(output, submission.name);
  } else if (first) {
    fault.message = shortened(first->text);
  } else {
    fault.message = "the compiler gave up: " + printable_line(output.substr(0, output.find('\n')), 200);
  }
  if (fault.message.empty()) fault.message = "the compiler gave up without a word about it";
  fault.traceback = printable(without_linker_names(output), 16u << 10);
  if (errors > 0) fault.traceback += essence(fault, submission, errors);
  return problem;
}

}  // namespace attest
