// C++ submissions: compiled, run, and each way to end told apart. Compiling dominates, so one file has many endings.
#include "grader/worker/testing.hpp"
#include "grader/worker/worker.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace attest::testing {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

const char* const kEndings = R"(#include <attest/exercise.hpp>
#include <cstdlib>
int deeper(int n) { volatile char page[4096]; page[0] = 1; return n == -1 ? 0 : deeper(n + 1) + page[0]; }
int calls = 0;
attest::Attention scale(attest::Matrix& x, attest::Index n) {
  ++calls;
  if (n == 1) throw std::runtime_error("one");
  if (n == 2) throw 42;
  if (n == 3) return {x * x, {}};
  if (n == 4) std::exit(0);
  if (n == 5) *reinterpret_cast<volatile int*>(8) = 1;
  if (n == 6) return {x * deeper(0), {}};
  if (n == 7) for (;;) {}
  if (n == 8) throw attest::Unfinished{};
  if (n == 9) return {attest::Matrix(1'000'000, 1'000'000), {}};
  if (n == 10) return {attest::Matrix(2, 2), {}};
  if (n == 11) return {x, {x, attest::Matrix(1, 1)}};
  if (n == 12) { x *= 2; std::cout << "twelve\n"; return {x, {x, x}}; }
  if (n == 13) { attest::Matrix m(2, 2); m << 1, 2, 3; return {m, {}}; }
  return {x * double(n) + attest::Matrix::Constant(x.rows(), x.cols(), 1000 * calls), {}};
}
)";

TEST(CppWorker, EachWayToEndIsToldApart) {
  const auto worker = running(start(submission("mine.cpp", kEndings)));
  const auto expect = [&](int n, Outcome outcome, const std::string& message, int line) {
    const Reply reply = ask(*worker, question(n));
    EXPECT_EQ(to_string(reply.outcome), to_string(outcome)) << n << ": " << reply.fault.message;
    EXPECT_THAT(reply.fault.message, HasSubstr(message)) << n;
    EXPECT_EQ(reply.fault.line, line) << n << "\n" << reply.fault.traceback;
  };
  expect(1, Outcome::raised, "std::runtime_error: one", 7);
  expect(2, Outcome::raised, "int", 8);
  expect(3, Outcome::raised, "Eigen: ", 9);
  expect(4, Outcome::exited, "exit status 0", 0);
  expect(5, Outcome::crashed, "SIGSEGV", 11);
  expect(6, Outcome::crashed, "stack overflow", 3);
  expect(7, Outcome::timed_out, "CPU time", 0);
  expect(8, Outcome::unfinished, "not written yet", 14);
  expect(9, Outcome::out_of_memory, "bad_alloc", 15);
  expect(11, Outcome::wrong_shape, "differ in shape", 0);
  expect(13, Outcome::raised, "Eigen: ", 19);  // thrown in a destructor

  const Reply unset = ask(*worker, question(10));
  EXPECT_TRUE(std::isnan(get(unset.results, "y").values[0]));  // what was never written shows

  Question echo = question(12);
  echo.echo = true;
  const Reply echoed = ask(*worker, echo);
  EXPECT_EQ(get(echoed.arguments_after, "x").values, (std::vector<double>{2, 4, 6, 8, 10, 12}));
  EXPECT_EQ(get(echoed.results, "weights").dims, (std::vector<Index>{2, 2, 3}));
  EXPECT_THAT(worker->output_tail(), HasSubstr("twelve\n"));

  Question fresh = question(20);
  fresh.fresh = true;
  EXPECT_EQ(get(ask(*worker, fresh).results, "y").values[0], 1020);
  const auto replies = worker->answer(std::vector<Question>{question(20), question(5), question(21)});
  EXPECT_EQ(replies[0].outcome, Outcome::passed);
  EXPECT_EQ(replies[1].outcome, Outcome::crashed);
  EXPECT_EQ(get(replies[2].results, "y").values[0], 1021);
  EXPECT_NE(worker->environment().compiler, "");
}

TEST(CppWorker, PipesAndFloat32CarryTheSameAnswers) {
  WorkerOptions options;
  options.dtype = Dtype::float32;
  options.shared_memory = false;
  const auto worker = running(
      start(submission(
                "mine.cpp",
                "#include <attest/exercise.hpp>\nattest::Matrix scale(const attest::Matrix& x, attest::Index "
                "n) {\n  static_assert(sizeof(attest::Scalar) == 4);\n  return x * attest::Scalar(n);\n}\n"),
            options));
  std::vector<Question> questions;
  for (int n = 0; n < 70; ++n) questions.push_back(question(n));
  const auto replies = worker->answer(questions);
  ASSERT_EQ(replies.size(), 70u);
  for (std::size_t n = 0; n < 70; ++n)
    EXPECT_EQ(get(replies[n].results, "y").values[5], 6.0 * static_cast<double>(n));
}

TEST(CppWorker, FilesThatDoNotCompileAreExplained) {
  const auto fails = [](const std::string& text) {
    return problem(start(submission("mine.cpp", "#include <attest/exercise.hpp>\n" + text)));
  };
  const std::string head = "attest::Attention scale(const attest::Matrix& x, attest::Index n) {\n";
  Problem found = fails(head + "  return {y, {}};\n}\n");
  EXPECT_EQ(found.outcome, Outcome::compile_error);
  EXPECT_EQ(found.fault.line, 3);
  EXPECT_THAT(found.fault.message, HasSubstr("'y'"));
  found = fails(head + "  return {x, {}};\n");
  EXPECT_EQ(found.outcome, Outcome::compile_error);
  EXPECT_THAT(found.fault.message, AnyOf(HasSubstr("never closed"), HasSubstr("expected '}'")));
  found = fails("attest::Matrix scale(const attest::Matrix& x) { return x; }\n");
  EXPECT_EQ(found.outcome, Outcome::compile_error);
  EXPECT_EQ(found.fault.line, 2);
  EXPECT_THAT(found.advice, HasSubstr("attest::Attention scale(const attest::Matrix& x, attest::Index n)"));
  found = fails(head + "  return {x, {}};\n}\nint main() {}\n");
  EXPECT_EQ(found.outcome, Outcome::compile_error);
  EXPECT_THAT(found.fault.message, HasSubstr("main()"));
  EXPECT_EQ(found.fault.line, 5);
  found = fails("attest::Matrix helper(attest::Index n);\n" + head + "  return {helper(n), {}};\n}\n");
  EXPECT_EQ(found.outcome, Outcome::compile_error);
  EXPECT_THAT(found.fault.message, HasSubstr("helper(long)"));
  found = fails("attest::Matrix scaled(const attest::Matrix& x, attest::Index n) { return x * n; }\n");
  EXPECT_EQ(found.outcome, Outcome::no_entry);
  EXPECT_THAT(found.advice, HasSubstr("return scaled(x, n);"));
}

}  // namespace
}  // namespace attest::testing
