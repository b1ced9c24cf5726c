// C++ submissions: compiled, run, and each way to end told apart. Compiling dominates, so one file has many endings.
#include "grader/sandbox/sandbox.hpp"
#include "grader/worker/testing.hpp"
#include "grader/worker/worker.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace attest::testing {
namespace {

using ::testing::AnyOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

const char* const kEndings = R"(#include <attest/exercise.hpp>
#include <csignal>
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
  if (n == 14) std::raise(SIGTRAP);
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
  // g++ lets all lines that may run out of memory share the end, which belongs to the last of them.
  const bool clang = worker->environment().compiler.find("clang") != std::string::npos;
  expect(9, Outcome::out_of_memory, "bad_alloc", clang ? 15 : 22);
  expect(11, Outcome::wrong_shape, "differ in shape", 0);
  expect(13, Outcome::raised, "Eigen: ", 19);  // thrown in a destructor
  expect(14, Outcome::crashed, "SIGTRAP", 20);

  const Reply unset = ask(*worker, question(10));
  EXPECT_TRUE(std::isnan(get(unset.results, "y").values[0]));  // what was never written shows

  Question echo = question(12);
  echo.echo = true;
  const Reply echoed = ask(*worker, echo);
  EXPECT_EQ(get(echoed.arguments_after, "x").values, (std::vector<double>{2, 4, 6, 8, 10, 12}));
  EXPECT_EQ(get(echoed.results, "weights").dims, (Dims{2, 2, 3}));
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
  EXPECT_THAT(found.fault.message, AnyOf(HasSubstr("'y'"), HasSubstr("‘y’")));
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
  found = fails(head +
                "  return {x * n, {}};\n}\n#pragma GCC poison attest_worker serve Function Adapter "
                "call_entry entry_of\n#pragma GCC poison string vector size\n");
  EXPECT_EQ(found.outcome, Outcome::compile_error);
  EXPECT_THAT(found.fault.message, HasSubstr("collides with the lines that call it: "));
  found = fails("attest::Matrix scaled(const attest::Matrix& x, attest::Index n) { return x * n; }\n");
  EXPECT_EQ(found.outcome, Outcome::no_entry);
  EXPECT_THAT(found.advice, HasSubstr("return scaled(x, n);"));
}

// One line for each; x is (2, 3).
const char* const kMisfits = R"(#include <attest/exercise.hpp>
using attest::Matrix;
using Vector = Eigen::Matrix<attest::Scalar, Eigen::Dynamic, 1>;
Matrix scale(const Matrix& x, attest::Index n) {
  Matrix y = x;
  Vector v(3);
  if (n == 1) return x * x;
  if (n == 2) return x + x.transpose();
  if (n == 3) y.block(0, 0, 2, 2) = x;
  if (n == 4) y += x.transpose();
  if (n == 5) return x.row(2);
  if (n == 6) return x.col(3);
  if (n == 7) return x.block(1, 1, 2, 2);
  if (n == 8) return x.middleCols(2, 2);
  if (n == 9) y(2, 0) = 1;
  if (n == 10) v(3) = 1;
  if (n == 11) v = x;
  if (n == 12) y(0, 0) = v.dot(Vector(2));
  if (n == 13) Eigen::Map<Matrix>(y.data(), 2, 3) = x.transpose();
  if (n == 14) y(0, 0) = Matrix(0, 3).maxCoeff();
  if (n == 15) { y << 1, 2, 3; }
  if (n == 16) { y << 1, 2, 3, 4, 5, 6, 7; }
  if (n == 17) y = (x.colwise() - v).eval();
  if (n == 18) y = x.row(0).head(4);
  if (n == 19) y = Matrix::Zero(-1, 2);
  if (n == 20) y = x.cwiseProduct(x.transpose());
  return y;
}
)";

TEST(CppWorker, EigensAssertionsSayTheShapes) {
  const auto worker = running(start(submission("mine.cpp", kMisfits)));
  const auto expect = [&](int n, const std::string& message) {
    const Reply reply = ask(*worker, question(n));
    EXPECT_EQ(reply.outcome, Outcome::raised) << n;
    EXPECT_THAT(reply.fault.message, HasSubstr("Eigen: " + message)) << n;
    EXPECT_EQ(reply.fault.line, 6 + n) << n << "\n" << reply.fault.traceback;
  };
  expect(1, "product of a (2, 3) and a (2, 3) matrix");
  expect(2, "a (2, 3) and a (3, 2) matrix are combined entry by entry");
  expect(3, "a (2, 3) matrix does not fit into a (2, 2) block, row or Map");
  expect(4, "a (3, 2) matrix is assigned to a (2, 3) one");
  expect(5, "row 2 of a (2, 3) matrix, whose rows are 0 to 1");
  expect(6, "column 3 of a (2, 3) matrix, whose columns are 0 to 2");
  expect(7, "a block of (2, 2) that starts at (1, 1) of a (2, 3) matrix reaches out of it");
  expect(8, "a block of (2, 2) that starts at (0, 2) of a (2, 3) matrix reaches out of it");
  expect(9, "element (2, 0) of a (2, 3) matrix, whose rows are 0 to 1 and columns 0 to 2");
  expect(10, "element 3 of a vector of 3, whose elements are 0 to 2");
  expect(11, "a (2, 3) matrix does not fit into a variable that by its type is (any, 1)");
  expect(12, "dot product of vectors of 3 and 2 elements");
  expect(13, "a (3, 2) matrix does not fit into a (2, 3) block, row or Map");
  expect(14, "the largest or smallest entry of a (0, 3) matrix");
  expect(15, "too few numbers behind << for a (2, 3) matrix");
  expect(16, "too many numbers behind << for a (2, 3) matrix");
  expect(17, "a (2, 3) and a (3, 3) matrix are combined entry by entry");
  expect(18, "a block of (1, 4) that starts at (0, 0) of a (1, 3) matrix reaches out of it");
  expect(19, "a matrix of (-1, 2): a negative length");
  expect(20, "a (2, 3) and a (3, 2) matrix are combined entry by entry");
}

// Compilations that would never end, or never fit, end at a limit with a message, and leave nothing behind.
TEST(CppWorker, BombsForTheCompilerEndAtALimit) {
  (void)running(start(submission("first.cpp",
                                 "#include <attest/exercise.hpp>\nattest::Matrix scale(attest::Matrix& x, "
                                 "attest::Index) { return x; }\n")));  // builds what all need
  const PrivateFolder temporary;
  setenv("TMPDIR", temporary.path().c_str(), 1);
  const auto ends = [&](const std::string& text, const std::string& message) {
    WorkerOptions options;
    options.limits.compile_cpu_s = 4;
    const Problem found = problem(
        start(submission("mine.cpp",
                         "#include <attest/exercise.hpp>\n" + text +
                             "\nattest::Matrix scale(attest::Matrix& x, attest::Index) { return x; }\n"),
              options));
    EXPECT_THAT(found.outcome, AnyOf(Outcome::compile_error, Outcome::timed_out, Outcome::crashed)) << text;
    EXPECT_THAT(found.fault.message, ContainsRegex(message)) << text;
    EXPECT_TRUE(std::filesystem::is_empty(temporary.path())) << text;
  };
  ends(
      "template <int N> struct Deep { static const int value = Deep<N + 1>::value; };\nint n = "
      "Deep<0>::value;",
      "instantiation.*depth");
  ends(
      "template <int N, int M> struct Tree { static const int value = Tree<N - 1, 2 * M>::value + Tree<N - "
      "1, 2 * M + "
      "1>::value; };\ntemplate <int M> struct Tree<0, M> { static const int value = 1; };\nint n = Tree<26, "
      "0>::value;",
      "too long|more than 4 GB");
  ends("constexpr long spin() { long n = 0; for (;;) ++n; return n; }\nconstexpr long n = spin();",
       "constexpr|too long");
  ends("#include __FILE__", "nested too deeply|nested depth|my_file|mine.cpp");
  ends("#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(A(A(A(A(A(A(A(x))))))))))\nint n = B(+) 1;",
       "too long|more than 4 GB");
  ends("char a[1ull << 33] = {1};", "256 MB|4 GB|crashed|too large");
  ends("asm(\".data\\n.fill 16000000000, 1, 1\\n.text\");", "256 MB|4 GB|crashed|too long");
  unsetenv("TMPDIR");
}

}  // namespace
}  // namespace attest::testing
