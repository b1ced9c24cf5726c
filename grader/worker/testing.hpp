// What the worker's tests share: a small exercise with two arguments and quick limits.
#pragma once

#include "grader/worker/worker.hpp"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace attest::testing {

// scale(x, n) -> y, optional weights.
inline const Spec& scale_spec() {
  static const Spec spec = [] {
    Spec made;
    made.slug = "scale";
    made.entry = "scale";
    made.symbols = {{"T", {}}, {"d", {}}, {"n", {}}};
    made.arguments = {{"x", {"T", "d"}, false}, {"n", {"n"}, true}};
    made.results = {{"y", {"T", "d"}, false}, {"weights", {"n", "T", "T"}, true}};
    return made;
  }();
  return spec;
}

inline Submission submission(const std::string& name, std::string text) {
  return {name, name, name.ends_with(".py") ? Language::python : Language::cpp, std::move(text), ""};
}

inline std::variant<std::unique_ptr<Worker>, Problem> start(const Submission& file,
                                                            WorkerOptions options = {}) {
  options.limits.call_cpu_s = 1;
  options.limits.load_cpu_s = 5;
  return Worker::start(file, {&scale_spec()}, options);
}

inline Question question(double n, std::vector<double> x = {1, 2, 3, 4, 5, 6}) {
  Question made;
  const auto columns = static_cast<Index>(x.size() / 2);
  made.arguments = {{"x", {{2, columns}, std::move(x)}, false}, {"n", {{}, {n}}, true}};
  return made;
}

inline Reply ask(Worker& worker, const Question& one) {
  return worker.answer(std::vector<Question>{one}).at(0);
}

// The worker, or a failed test that says why there is none.
inline std::unique_ptr<Worker> running(std::variant<std::unique_ptr<Worker>, Problem> started) {
  if (auto* problem = std::get_if<Problem>(&started)) {
    throw std::runtime_error(std::string(to_string(problem->outcome)) + ": " + problem->fault.message + "\n" +
                             problem->fault.traceback);
  }
  return std::get<std::unique_ptr<Worker>>(std::move(started));
}

inline Problem problem(std::variant<std::unique_ptr<Worker>, Problem> started) {
  if (auto* found = std::get_if<Problem>(&started)) return *found;
  throw std::runtime_error("it was started");
}

}  // namespace attest::testing
