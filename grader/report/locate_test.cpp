// Real files, followed in processes of their own: wrong as learners write them, and hostile.
#include "grader/report/locate.hpp"

#include "grader/graded_files.hpp"
#include "grader/report/json.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

namespace attest {
namespace {

std::chrono::duration<double> took{};  // by the last one

// What is said of a file that is known to be wrong, without judging it first.
Report located(const Submission& file) {
  const Exercise& exercise = *ladder().find("multi-head");
  Report report;
  report.outcome = Outcome::falsified;
  auto started = Worker::start(file, {&exercise.spec}, {});
  if (const auto* problem = std::get_if<Problem>(&started)) {
    ADD_FAILURE() << problem->fault.message << problem->fault.traceback;
    return report;
  }
  const auto start = std::chrono::steady_clock::now();
  locate(exercise, *std::get<std::unique_ptr<Worker>>(started), Plan{}.seed, report);
  took = std::chrono::steady_clock::now() - start;
  return report;
}

std::string stage_of(const Report& report) { return report.location ? report.location->stage : ""; }

struct Row {
  std::string file, stage, variable;
  int line = 0;
};

std::vector<Row> rows_of(const std::string& folder) {
  std::vector<Row> rows;
  const toml::table file = toml::parse_file((kTestdata / "natural" / "natural.toml").string());
  for (const auto& node : *file["file"].as_array()) {
    const toml::table& row = *node.as_table();
    Row one{row["file"].value_or(std::string()), row["stage"].value_or(std::string()),
            row["variable"].value_or(std::string()), row["line"].value_or(0)};
    if (one.file.rfind(folder, 0) == 0) rows.push_back(std::move(one));
  }
  return rows;
}

std::size_t place_in_order(const std::string& stage) {
  const std::vector<std::string> order = {"project", "split", "scores", "scale", "mask",
                                          "softmax", "mix",   "merge",  "output"};
  return static_cast<std::size_t>(std::find(order.begin(), order.end(), stage) - order.begin());
}

TEST(Locate, NineInTenNaturalBugsAreFoundInTheirStage) {
  int asked = 0, right = 0, early = 0, lines = 0, names = 0;
  std::string misses;
  std::vector<double> times;
  for (const Row& row : rows_of("python/")) {
    const Report report = located(load(kTestdata / "natural" / row.file));
    const std::string stage = stage_of(report);
    times.push_back(took.count());
    if (row.file == "python/uninitialised-accumulator.py") continue;  // its memory may hold anything
    if (row.stage.empty()) {
      EXPECT_EQ(stage, "") << row.file << ": " << report.location->text;
      continue;
    }
    // Right on all that is finite; only far beyond 10^6, where no points are lost; random numbers, of which no call is like another.
    if (row.file == "python/masked-nan-leaks.py" || row.file == "python/mask-fill-1e9.py") continue;
    ++asked;
    if (stage == row.stage) {
      ++right;
      const auto& wrong = report.location->wrong;
      lines += wrong && wrong->line == row.line;
      names += wrong && wrong->name == row.variable;
      continue;
    }
    early += !stage.empty() && place_in_order(stage) < place_in_order(row.stage);
    misses += fmt::format("  {:<40} {:<8} is called {}\n", row.file, row.stage,
                          report.location ? report.location->text : "nothing");
  }
  std::cout << fmt::format("{} of {} stages, {} too early; of those that are right {} lines and {} names\n{}",
                           right, asked, early, lines, names, misses);
  std::sort(times.begin(), times.end());
  std::cout << fmt::format("it took {:.0f} ms, at most {:.0f}\n", 1e3 * times[times.size() / 2],
                           1e3 * times.back());
  EXPECT_GE(asked, 65);
  EXPECT_GE(right, std::ceil(0.9 * asked)) << misses;
  EXPECT_LE(early, 0.05 * asked) << misses;
  EXPECT_GE(lines, 0.75 * right);
  EXPECT_GE(names, 0.75 * right);
}

TEST(Locate, InCppWhatIsShownIsLookedAt) {
  const Report report = located(load(kTestdata / "traced" / "softmax-over-queries.cpp"));
  ASSERT_TRUE(report.location);
  EXPECT_EQ(report.location->stage, "softmax");
  ASSERT_TRUE(report.location->wrong && report.location->right);
  EXPECT_EQ(report.location->wrong->name, "a");
  EXPECT_EQ(report.location->wrong->line, 24);
  EXPECT_EQ(report.location->wrong->function, "causal_multi_head_attention");
  EXPECT_EQ(report.location->right->name, "scores");
  EXPECT_EQ(report.location->right_stage, "mask");
}

TEST(Locate, InCppNothingIsSaidWhereNothingIsShown) {
  EXPECT_EQ(stage_of(located(load(kTestdata / "natural" / "cpp" / "mask-none.cpp"))), "");
}

// A wrong file (nothing is hidden) with something done on the way.
Submission hostile(const std::string& before, const std::string& on_the_way) {
  const std::string text =
      "import sys, numpy as np\n" + before +
      "\n"
      "def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):\n"
      "    T, C = x.shape\n"
      "    q, k, v = [(x @ w).reshape(T, n_heads, -1).swapaxes(0, 1) for w in (w_q, w_k, w_v)]\n" +
      on_the_way +
      "\n"
      "    s = q @ k.swapaxes(1, 2) / np.sqrt(q.shape[-1])\n"
      "    a = np.exp(s - s.max(-1, keepdims=True))\n"
      "    a = a / a.sum(-1, keepdims=True)\n"
      "    return (a @ v).swapaxes(0, 1).reshape(T, C) @ w_o, a\n";
  return {"hostile.py", "hostile.py", Language::python, text, ""};
}

TEST(Locate, NothingThatASubmissionDoesHangsItOrMisleadsIt) {
  struct Trick {
    std::string what, before, on_the_way;
    bool still_seen;  // false: nothing may be said, but nothing else either
  };
  const std::vector<Trick> tricks = {
      {"none", "", "", true},
      {"a tracer of its own", "", "    sys.settrace(lambda *a: None)", false},
      {"no tracer", "", "    sys.settrace(None)", false},
      {"settrace replaced", "sys.settrace = sys._getframe = print", "", true},
      {"comparison and printing raise",
       "class Bad:\n    def __eq__(self, o): raise ValueError\n    __repr__ = __hash__ = __len__ = __iter__ "
       "= __eq__\n",
       "    bad, worse = Bad(), [Bad(), Bad()]", true},
      {"a subclass of arrays",
       "class Bad(np.ndarray):\n    def tobytes(self): raise ValueError\n    def __array_finalize__(self, "
       "o): pass\n",
       "    bad = x.view(Bad)", true},
      {"locals are deleted", "", "    t = q.copy()\n    del t\n    u = [q, k]\n    del u[0]", true},
      {"recursion", "def deep(n, a): return a if n == 0 else deep(n - 1, a)", "    q = deep(400, q)", false},
      {"recursion without end",
       "def deep(a):\n    try: return deep(a)\n    except RecursionError: return a\n", "    deep(q)", false},
      {"a hundred thousand changes", "", "    z = np.zeros(4)\n    for i in range(100000): z[i % 4] = i",
       false},
      {"a thousand variables", "", "    exec(';'.join(f'v{i} = x + {i}' for i in range(1000)))", true},
      {"built-ins replaced", "import builtins\nbuiltins.len = builtins.type = builtins.list = None", "",
       true},
      {"a long list", "", "    many = [x] * 100000", true},
      {"a list in itself", "", "    own = [q]\n    own.append(own)", true},
      {"other names", "", "    globals()['\\x1b[31m' + chr(0xdc80)] = 1\n    locals()['a' * 100000] = q",
       true},
      {"arrays of objects and of nothing", "",
       "    o = np.array([x, None], dtype=object)\n    e = np.zeros((0, 4))", true},
      {"it notices", "", "    if sys.gettrace():\n        while True: pass", false},
      {"it ends itself", "import os", "    if sys.gettrace(): os._exit(3)", false},
      {"it raises", "", "    if sys.gettrace(): raise SystemExit", false},
  };
  for (const Trick& trick : tricks) {
    SCOPED_TRACE(trick.what);
    const auto start = std::chrono::steady_clock::now();
    const Report report = located(hostile(trick.before, trick.on_the_way));
    const std::chrono::duration<double> all = std::chrono::steady_clock::now() - start;
    EXPECT_LT(all.count(), 5);
    const std::string stage = stage_of(report);
    EXPECT_TRUE(stage == "mask" || (!trick.still_seen && stage.empty())) << stage;
    if (report.location) json_line(report);
  }
}

// softmax(m) is called in line 17 with an expression: nothing is assigned there.
TEST(Locate, AnArgumentIsCalledOne) {
  const Report report = located(load(kTestdata / "natural" / "python" / "mask-after-softmax.py"));
  ASSERT_TRUE(report.location);
  EXPECT_EQ(
      report.location->text,
      "after the argument `m` of `softmax` (called in line 17) the mask is missing; `v` (line 16) is right");
}

TEST(Locate, ATracedCallChangesNothingElse) {
  // It counts its calls, and knows when it is followed: no question that is judged sees either.
  const Report report = grade_file(kTestdata / "natural" / "python" / "mask-none.py", kFewestCases);
  ASSERT_TRUE(report.location);
  EXPECT_EQ(report.location->text, "after `scores` (line 18) the mask is missing; `v` (line 16) is right");
  const Report right = grade_file(kTestdata / "correct" / "einsum.py", kFewestCases);
  EXPECT_FALSE(right.location);
}

}  // namespace
}  // namespace attest
