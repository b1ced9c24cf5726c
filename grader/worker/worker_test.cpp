// Python submissions in real processes: each way to end told apart, over both transports.
#include "grader/worker/worker.hpp"

#include "grader/worker/testing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace attest::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class PythonWorker : public ::testing::TestWithParam<bool> {
 protected:
  WorkerOptions options() const {
    WorkerOptions made;
    made.shared_memory = GetParam();
    return made;
  }
  std::unique_ptr<Worker> run(const std::string& text) {
    return running(start(submission("mine.py", text), options()));
  }
  Problem fails(const std::string& text) { return problem(start(submission("mine.py", text), options())); }
};

INSTANTIATE_TEST_SUITE_P(Transport, PythonWorker, ::testing::Bool(),
                         [](const auto& transport) { return transport.param ? "SharedMemory" : "Pipes"; });

TEST_P(PythonWorker, AnswersInOrderAndReportsItsSurroundings) {
  const auto worker = run("def scale(x, n):\n    return x * n, [x][0] + n\n");
  std::vector<Question> questions;
  for (int n = 0; n < 150; ++n) questions.push_back(question(n));
  const std::vector<Reply> replies = worker->answer(questions);
  ASSERT_EQ(replies.size(), questions.size());
  for (int n = 0; n < 150; ++n) {
    const Reply& reply = replies[static_cast<std::size_t>(n)];
    ASSERT_EQ(reply.outcome, Outcome::passed) << reply.fault.message;
    EXPECT_EQ(get(reply.results, "y").values[5], 6.0 * n);
    EXPECT_EQ(get(reply.results, "weights").dims, (Dims{2, 3}));
  }
  EXPECT_THAT(worker->environment().numpy, Not(HasSubstr(" ")));
  EXPECT_NE(worker->environment().python, "");
}

TEST_P(PythonWorker, EachKindOfResultIsNamed) {
  const auto worker =
      run("import numpy as np, sys, os\n"
          "def scale(x, n):\n"
          "    if n == 0: return None\n"
          "    if n == 1: raise NotImplementedError('later')\n"
          "    if n == 2: return [[1.0, 2.0], [3.0]]\n"
          "    if n == 3: return x.astype(int)\n"
          "    if n == 4: return x * 1j\n"
          "    if n == 5: return np.array([1.0, None], dtype=object)\n"
          "    if n == 6: return np.float64(3)\n"
          "    if n == 7: return x.astype(np.float32)\n"
          "    if n == 8: return x[9]\n"
          "    if n == 9: sys.exit(0)\n"
          "    if n == 10: raise KeyboardInterrupt\n"
          "    if n == 11: return scale(x, n)\n"
          "    if n == 12: return np.zeros((10**6, 10**6))\n"
          "    if n == 13: return x, None\n"
          "    if n == 14: return np.matrix(x)\n"
          "    if n == 15: return np.array(x.mean())\n"
          "    if n == 16: return x.reshape(1, 1, 2, -1, 1, 1)\n"
          "    if n == 17: return x * np.nan\n"
          "    if n == 18: return np.zeros((4000, 4000))\n"
          "    if n == 19: return np.array(1.0), np.array(2.0)\n");
  const auto expect = [&](int n, Outcome outcome, const std::string& message) {
    const Reply reply = ask(*worker, question(n));
    EXPECT_EQ(to_string(reply.outcome), to_string(outcome)) << n << ": " << reply.fault.message;
    EXPECT_THAT(reply.fault.message, HasSubstr(message)) << n;
  };
  expect(0, Outcome::unfinished, "None");
  expect(1, Outcome::unfinished, "later");
  expect(2, Outcome::wrong_type, "list");
  expect(3, Outcome::wrong_type, "int64");
  expect(4, Outcome::wrong_type, "complex");
  expect(5, Outcome::wrong_type, "object");
  expect(6, Outcome::wrong_type, "single number");
  expect(7, Outcome::wrong_type, "float32");
  expect(8, Outcome::raised, "IndexError: index 9 is out of bounds");
  expect(9, Outcome::exited, "SystemExit");
  expect(10, Outcome::raised, "KeyboardInterrupt");
  expect(11, Outcome::raised, "RecursionError");
  expect(12, Outcome::out_of_memory, "Unable to allocate");
  expect(13, Outcome::wrong_type, "weights is None");
  expect(14, Outcome::wrong_type, "matrix");
  expect(15, Outcome::wrong_shape, "0-d");
  expect(16, Outcome::wrong_shape, "6 dimensions");
  expect(17, Outcome::passed, "");
  expect(18, Outcome::wrong_shape, "far too much");
  // Both are told: who mends the first should not have to ask again for the second.
  expect(19, Outcome::wrong_shape, "y is a 0-d");
  expect(19, Outcome::wrong_shape, "weights is a 0-d");
}

TEST_P(PythonWorker, AnExceptionNamesTheDeepestLineOfTheFile) {
  const auto worker =
      run("import numpy as np\ndef helper(x):\n    return np.linalg.inv(x)\n\ndef scale(x, n):\n    return "
          "helper(x)\n");
  const Reply reply = ask(*worker, question(1));
  EXPECT_EQ(reply.outcome, Outcome::raised);
  EXPECT_EQ(reply.fault.file, "mine.py");
  EXPECT_EQ(reply.fault.line, 3);
  EXPECT_THAT(reply.fault.traceback, HasSubstr("return helper(x)"));
  EXPECT_THAT(reply.fault.traceback, Not(HasSubstr("worker.py")));
  EXPECT_THAT(reply.fault.traceback, Not(HasSubstr("/")));
}

TEST_P(PythonWorker, WhatEndsTheProcessCostsItsOwnQuestionOnly) {
  const auto worker =
      run("import os, ctypes\ncalls = 0\n"
          "def scale(x, n):\n    global calls\n    calls += 1\n"
          "    if n == 3: os._exit(0)\n    if n == 5: ctypes.string_at(0)\n    if n == 7:\n        while "
          "True: pass\n"
          "    return x * n + 100 * calls\n");
  std::vector<Question> questions;
  for (int n = 0; n < 10; ++n) questions.push_back(question(n));
  std::vector<Reply> replies = worker->answer(questions);
  ASSERT_EQ(replies.size(), 8u) << "the answers stop at a time-out: the next question may take as long";
  const std::vector<Reply> rest = worker->answer(std::span(questions).subspan(8));
  replies.insert(replies.end(), rest.begin(), rest.end());
  ASSERT_EQ(replies.size(), 10u);
  EXPECT_EQ(replies[3].outcome, Outcome::exited);
  EXPECT_THAT(replies[3].fault.message, HasSubstr("exit status 0"));
  EXPECT_EQ(replies[5].outcome, Outcome::crashed);
  EXPECT_THAT(replies[5].fault.message, HasSubstr("SIGSEGV"));
  EXPECT_EQ(replies[5].fault.line, 7);
  EXPECT_EQ(replies[7].outcome, Outcome::timed_out);
  for (const std::size_t n : {0, 1, 2, 4, 6, 8, 9}) EXPECT_EQ(replies[n].outcome, Outcome::passed) << n;
  EXPECT_EQ(get(replies[2].results, "y").values[0], 302);  // the third call of its process: history is kept
  EXPECT_EQ(get(replies[8].results, "y").values[0], 108);  // the first after a restart
}

// Who tells what comes next saves waiting, and never a call made twice: here y[0] counts the calls of the instance that answers.
TEST_P(PythonWorker, WhatIsBegunIsCalledOnce) {
  const auto worker = run(
      "import os\ncalls = 0\ndef scale(x, n):\n    global calls\n    calls += 1\n    if n == 6: os._exit(0)\n"
      "    return 0 * x + calls\n");
  std::vector<std::vector<Question>> rounds;
  for (int n = 0; n < 10; n += 2) rounds.push_back({question(n), question(n + 1)});
  rounds[1][1].fresh = true;  // nothing behind it can be sent before it is answered
  worker->answer(rounds[0]);
  worker->restart();  // no process to begin with: the first round is told of, and answered, all the same
  std::vector<double> calls;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    worker->begin(rounds[i]);
    if (i + 1 < rounds.size()) worker->begin(rounds[i + 1]);
    for (const Reply& reply : worker->answer(rounds[i]))
      calls.push_back(reply.results.empty() ? 0 : get(reply.results, "y").values[0]);
  }
  // 0, 1, 2; 3 alone; 4, 5; 6 ends the process, and once more; 7 to 9.
  EXPECT_THAT(calls, ::testing::ElementsAre(1, 2, 3, 1, 4, 5, 0, 1, 2, 3));
}

TEST_P(PythonWorker, OtherQuestionsTakeThePlaceOfWhatWasBegun) {
  const auto worker = run("def scale(x, n):\n    return x * n\n");
  const std::vector<Question> announced{question(2)}, other{question(3)};
  worker->begin(announced);
  EXPECT_EQ(get(worker->answer(other).at(0).results, "y").values[0], 3);
  EXPECT_EQ(get(worker->answer(announced).at(0).results, "y").values[0], 2);
}

// The usual answer is written in one piece: row by row whatever its memory order, and before the next call begins.
TEST_P(PythonWorker, PairsArriveRowByRowAndSurviveWhatComesBehindThem) {
  const auto worker =
      run("import numpy as np, os\nkept = np.zeros((1, 2, 2))\n"
          "def scale(x, n):\n    if n == 3: os._exit(0)\n"
          "    kept[...] = n\n    return np.asfortranarray(x), kept\n");
  std::vector<Question> questions;
  for (int n = 0; n < 5; ++n) questions.push_back(question(n));
  const std::vector<Reply> replies = worker->answer(questions);
  ASSERT_EQ(replies.size(), 5u);
  EXPECT_EQ(replies[3].outcome, Outcome::exited);
  for (const std::size_t n : {0, 1, 2, 4}) {
    ASSERT_EQ(replies[n].outcome, Outcome::passed) << replies[n].fault.message;
    EXPECT_EQ(get(replies[n].results, "y").values, (std::vector<double>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(get(replies[n].results, "weights").values, std::vector<double>(4, static_cast<double>(n)));
  }
}

TEST_P(PythonWorker, ACrashThatNeedsHistoryIsStillReported) {
  const auto worker =
      run("import os\ncalls = 0\ndef scale(x, n):\n    global calls\n    calls += 1\n    if calls == 3: "
          "os._exit(7)\n    return x\n");
  const auto replies = worker->answer(std::vector<Question>(3, question(1)));
  EXPECT_EQ(replies[1].outcome, Outcome::passed);
  EXPECT_EQ(replies[2].outcome, Outcome::exited);
  EXPECT_THAT(replies[2].fault.message, HasSubstr("after other calls"));
}

TEST_P(PythonWorker, AFreshQuestionMeetsAnInstanceWithoutHistory) {
  const auto worker =
      run("calls = 0\ndef scale(x, n):\n    global calls\n    calls += 1\n    return x * 0 + calls\n");
  Question fresh = question(1);
  fresh.fresh = true;
  const auto replies =
      worker->answer(std::vector<Question>{question(1), question(1), fresh, question(1), fresh});
  std::vector<double> calls;
  for (const Reply& reply : replies) calls.push_back(get(reply.results, "y").values.at(0));
  EXPECT_EQ(calls, (std::vector<double>{1, 2, 1, 3, 1}));
}

// Which exercise it is for is said once: what is loaded later must say the same.
TEST_P(PythonWorker, WhatDefinesAnotherFunctionLaterIsRejected) {
  Spec other = scale_spec();
  other.slug = "other";
  other.entry = "other";
  const Submission turncoat = submission(
      "mine.py",
      "import os\ndef f(x, n): return x\nglobals()['scale' if os.getpid() % 2 else 'other'] = f\n");
  auto started = Worker::start(turncoat, {&scale_spec(), &other}, options());
  const auto worker = running(std::move(started));
  std::vector<Question> fresh(12, question(1));
  for (Question& one : fresh) one.fresh = true;
  const std::vector<Reply> replies = worker->answer(fresh);
  ASSERT_EQ(replies.size(), fresh.size());
  bool rejected = false;
  for (const Reply& reply : replies) {
    EXPECT_TRUE(reply.outcome == Outcome::passed || reply.outcome == Outcome::rejected);
    rejected = rejected || reply.outcome == Outcome::rejected;
  }
  EXPECT_TRUE(rejected) << "twelve processes in a row with odd numbers, or even ones";
}

TEST_P(PythonWorker, MutatedArgumentsAreSeenAndNeverReachTheNextCall) {
  const auto worker = run("def scale(x, n):\n    x *= n\n    return x.copy()\n");
  Question echo = question(2);
  echo.echo = true;
  const auto replies = worker->answer(std::vector<Question>{echo, echo, question(1)});
  EXPECT_EQ(get(replies[0].arguments_after, "x").values, (std::vector<double>{2, 4, 6, 8, 10, 12}));
  EXPECT_EQ(get_integer(replies[0].arguments_after, "n", 0), 2);
  EXPECT_EQ(replies[1].arguments_after, replies[0].arguments_after);
  EXPECT_TRUE(replies[2].arguments_after.empty());
}

TEST_P(PythonWorker, AnotherShapeOfAnArgumentIsSeenWhetherSomebodyAskedOrNot) {
  const auto worker = run("def scale(x, n):\n    y = x * n\n    x.shape = (6,)\n    return y\n");
  const Reply reply = ask(*worker, question(2));
  EXPECT_EQ(get(reply.arguments_after, "x").dims, (Dims{6}));
  EXPECT_EQ(get(reply.arguments_after, "x").values, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  const auto axes = run("def scale(x, n):\n    y = x * n\n    x.shape = (1, 1, 1, 1, 1, 6)\n    return y\n");
  EXPECT_EQ(get(ask(*axes, question(2)).arguments_after, "x").dims, (Dims{6}));  // more than can be sent
}

TEST_P(PythonWorker, EarlierResultsComeBackFourCallsLater) {
  const auto worker =
      run("import numpy as np\nkept = np.zeros((2, 3))\ndef scale(x, n):\n    kept[...] = x * n\n    return "
          "kept if n "
          "< 3 else x * n\n");
  std::vector<Question> questions;
  for (int n = 1; n <= 6; ++n) {
    questions.push_back(question(n));
    questions.back().echo_previous = true;
  }
  const auto replies = worker->answer(questions);
  for (std::size_t q = 0; q < 4; ++q) EXPECT_EQ(replies[q].previous_after, Arguments{}) << q;
  // Both were given in the array that held five times, then six times x by then.
  EXPECT_EQ(get(replies[4].previous_after, "y").values, (std::vector<double>{5, 10, 15, 20, 25, 30}));
  EXPECT_EQ(get(replies[5].previous_after, "y").values, (std::vector<double>{6, 12, 18, 24, 30, 36}));
}

TEST_P(PythonWorker, TheSameArraysHoldTheNextNumbers) {
  const auto worker =
      run("last = None\ndef scale(x, n):\n    global last\n    again, last = last is x, x\n    return x * "
          "(10 if again "
          "else 1)\n");
  std::vector<Question> questions(4, question(1));
  questions[1].arguments[0].tensor.values = {6, 5, 4, 3, 2, 1};
  questions[1].order = MemoryOrder::same_arrays;
  questions[3].arguments[0].tensor = {{1, 2}, {7, 8}};  // does not fit: arrays of its own
  questions[3].order = MemoryOrder::same_arrays;
  const auto replies = worker->answer(questions);
  EXPECT_EQ(get(replies[0].results, "y").values, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(get(replies[1].results, "y").values, (std::vector<double>{60, 50, 40, 30, 20, 10}));
  EXPECT_EQ(get(replies[2].results, "y").values, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(get(replies[3].results, "y").values, (std::vector<double>{7, 8}));
}

TEST_P(PythonWorker, MemoryOrdersHoldTheSameNumbers) {
  const auto worker =
      run("import numpy as np\ndef scale(x, n):\n    f = x.flags\n    return x + 100 * f.c_contiguous + 1000 "
          "* f.f_contiguous + 10000 * f.writeable\n");
  std::vector<Question> questions(3, question(1));
  questions[1].order = MemoryOrder::fortran;
  questions[2].order = MemoryOrder::strided;
  const auto replies = worker->answer(questions);
  EXPECT_EQ(get(replies[0].results, "y").values,
            (std::vector<double>{10101, 10102, 10103, 10104, 10105, 10106}));
  EXPECT_EQ(get(replies[1].results, "y").values,
            (std::vector<double>{11001, 11002, 11003, 11004, 11005, 11006}));
  EXPECT_EQ(get(replies[2].results, "y").values,
            (std::vector<double>{10001, 10002, 10003, 10004, 10005, 10006}));
  EXPECT_TRUE(worker->sees_memory_order());
}

TEST_P(PythonWorker, Float32IsSentAndEitherPrecisionTaken) {
  WorkerOptions narrow = options();
  narrow.dtype = Dtype::float32;
  const auto worker = running(start(submission("mine.py",
                                               "import numpy as np\ndef scale(x, n):\n    assert x.dtype == "
                                               "np.float32\n    return x if n == 1 else x.astype(float)\n"),
                                    narrow));
  EXPECT_EQ(get(ask(*worker, question(1, {0.5, 1, 2, 3, 4, 0.1f})).results, "y").values[5],
            static_cast<double>(0.1f));
  EXPECT_EQ(ask(*worker, question(2)).outcome, Outcome::passed);
}

TEST_P(PythonWorker, AFloodOfOutputNeitherBlocksNorEndsIt) {
  const auto worker =
      run("def scale(x, n):\n    print('a' * 3_000_000)\n    print('\\x1b[31mthe end')\n    return x\n");
  EXPECT_EQ(ask(*worker, question(1)).outcome, Outcome::passed);
  EXPECT_EQ(ask(*worker, question(1)).outcome, Outcome::passed);
  EXPECT_LE(worker->output_tail().size(), 65u << 10);
  EXPECT_THAT(worker->output_tail(), ::testing::EndsWith("[31mthe end\n"));
}

TEST_P(PythonWorker, RequestsAndAnswersLargerThanTheAreasArrive) {
  const auto worker =
      run("import numpy as np\ndef scale(x, n):\n    return x, np.ones((n, 1, x.shape[1]))\n");
  const auto replies = worker->answer(
      std::vector<Question>{question(2), question(1, std::vector<double>(1100000, 1.0)), question(2)});
  for (const Reply& reply : replies) EXPECT_EQ(reply.outcome, Outcome::passed) << reply.fault.message;
  EXPECT_EQ(get(replies[1].results, "weights").dims, (Dims{1, 1, 550000}));
}

TEST_P(PythonWorker, ForgedAnswersAreRejected) {
  const auto worker =
      run("import os, struct\ndef scale(x, n):\n"
          "    if n == 1: os.write(6, b'PASSED' * 20)\n"
          "    if n == 2: os.write(6, struct.pack('=5Q', 0x0003545345545441, 5, 0, 1 << 63, 1))\n"
          "    if n == 3: os.write(6, struct.pack('=5Q', 0x0003545345545441, 4, 0, 88, 1) + b'\\xff' * 88)\n"
          "    if n == 4: os.close(6)\n"
          "    return x\n");
  for (int n = 1; n <= 3; ++n) {
    const Reply reply = ask(*worker, question(n));
    EXPECT_EQ(reply.outcome, Outcome::rejected) << n;
    EXPECT_THAT(reply.fault.message, HasSubstr("Rule:"));
  }
  EXPECT_TRUE(is_failure(ask(*worker, question(4)).outcome));
  EXPECT_EQ(ask(*worker, question(5)).outcome, Outcome::passed);

  const Problem greeted = fails(
      "import os, struct\n"
      "os.write(6, struct.pack('=5Q', 0x0003545345545441, 1, 0, 56, 0) + struct.pack('=7q', 0, 0, 99, 3, 0, "
      "0, 0))\n");
  EXPECT_EQ(greeted.outcome, Outcome::rejected);
  EXPECT_THAT(greeted.fault.message, HasSubstr("a function that it was not asked for"));
}

TEST_P(PythonWorker, WhatTheExerciseDoesNotAllowCannotBeImported) {
  const std::string rest = "def scale(x, n): return x\n";
  Problem found = fails("import scipy\n" + rest);  // installed or not
  EXPECT_EQ(found.outcome, Outcome::import_error);
  EXPECT_THAT(found.fault.message, HasSubstr("No module named 'scipy'"));
  EXPECT_THAT(found.advice, HasSubstr("the standard library and numpy, and nothing else"));
  EXPECT_NE(run("import ctypes, subprocess, sqlite3, sysconfig\nsysconfig.get_config_vars()\n" + rest),
            nullptr);

  Spec strict = testing::scale_spec();
  strict.imports.refused = {"ctypes"};
  const auto with = [&](const std::string& text) {
    return testing::problem(Worker::start(submission("mine.py", text + rest), {&strict}, options()));
  };
  found = with("import numpy\n\nfrom ctypes import CDLL\n");
  EXPECT_EQ(found.outcome, Outcome::rejected);
  EXPECT_EQ(found.fault.line, 3);
  EXPECT_THAT(found.fault.message, HasSubstr("Rule:"));
  found = with("import importlib\nimportlib.import_module('cty' + 'pes')\n");  // put together while it runs
  EXPECT_EQ(found.outcome, Outcome::import_error);
  EXPECT_EQ(found.fault.line, 2);
}

TEST_P(PythonWorker, FilesThatCannotBeLoadedAreExplained) {
  Problem found = fails("def scale(x, n)\n    return x\n");
  EXPECT_EQ(found.outcome, Outcome::import_error);
  EXPECT_EQ(found.fault.line, 1);
  found = fails("import numpy\nprint('so far')\nimport torch_of_tomorrow\n");
  EXPECT_EQ(found.outcome, Outcome::import_error);
  EXPECT_EQ(found.fault.line, 3);
  EXPECT_EQ(found.output_tail, "so far\n");
  found = fails("import sys\nsys.exit()\n");
  EXPECT_EQ(found.outcome, Outcome::exited);
  EXPECT_EQ(found.fault.line, 2);
  found = fails("def scaled(n, x): return x\ndef softmax(s): return s\n");
  EXPECT_EQ(found.outcome, Outcome::no_entry);
  EXPECT_THAT(found.fault.message, HasSubstr("scaled(n, x), softmax(s)"));
  EXPECT_THAT(found.advice, HasSubstr("def scale(x, n):\n    return scaled(n, x)"));
  std::string many;  // a long file is no forgery
  for (int i = 0; i < 600; ++i) many += "def f" + std::to_string(i) + "(x): return x\n";
  EXPECT_EQ(fails(many).outcome, Outcome::no_entry);
  found = fails("def scale(x): return x\n");
  EXPECT_EQ(found.outcome, Outcome::raised);
  EXPECT_THAT(found.fault.message, HasSubstr("scale(x, n)"));
}

}  // namespace
}  // namespace attest::testing
