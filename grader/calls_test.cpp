// What an examination asks, it asks once: the calls that a submission counts are the questions that were put to it.
#include "grader/graded_files.hpp"
#include "grader/worker/worker.hpp"
#include "properties/run.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <variant>
#include <vector>

namespace attest {
namespace {

// The questions to the usual instance since it was started.
class CountsQuestions final : public Candidate {
 public:
  explicit CountsQuestions(Candidate& inner) : inner_(inner) {}
  std::vector<Reply> answer(std::span<const Question> questions) override {
    for (const Question& question : questions) asked_ += question.fresh ? 0 : 1;
    return inner_.answer(questions);
  }
  void begin(std::span<const Question> questions) override { inner_.begin(questions); }
  void restart() override {
    inner_.restart();
    asked_ = 0;
  }
  bool sees_memory_order() const override { return inner_.sees_memory_order(); }
  int asked() const { return asked_; }

 private:
  Candidate& inner_;
  int asked_ = 0;
};

// A correct implementation that says how often it was called when it is asked about no heads.
constexpr const char* kCountsCalls = R"(
import numpy as np
calls = 0

def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    global calls
    calls += 1
    if n_heads == 0:
        return np.full(x.shape, float(calls))
    heads = lambda a: a.reshape(len(x), n_heads, -1).transpose(1, 0, 2)
    q, k, v = heads(x @ w_q), heads(x @ w_k), heads(x @ w_v)
    w, o = np.zeros((n_heads, len(x), len(x))), np.zeros_like(v)
    for i in range(len(x)):
        s = np.einsum("hd,hjd->hj", q[:, i], k[:, :i + 1]) / np.sqrt(q.shape[2])
        e = np.exp(s - s.max(axis=-1, keepdims=True))
        w[:, i, :i + 1] = e / e.sum(axis=-1, keepdims=True)
        o[:, i] = np.einsum("hj,hjd->hd", w[:, i, :i + 1], v[:, :i + 1])
    return o.transpose(1, 0, 2).reshape(len(x), -1) @ w_o, w
)";

TEST(Calls, AQuestionIsAskedOnce) {
  const Exercise& exercise = *ladder().find("multi-head");
  auto started =
      Worker::start({"mine.py", "mine.py", Language::python, kCountsCalls, ""}, {&exercise.spec}, {});
  ASSERT_TRUE(std::holds_alternative<std::unique_ptr<Worker>>(started));
  Worker& worker = *std::get<std::unique_ptr<Worker>>(started);
  CountsQuestions counting(worker);
  std::vector<const Property*> properties;
  for (const Rubric& row : exercise.rubric) properties.push_back(row.property);
  Plan plan;
  plan.cases = 100;
  for (const PropertyResult& result : run(properties, exercise.spec, Dtype::float64, counting, plan))
    EXPECT_FALSE(is_failure(result.outcome)) << result.property->id;
  Case one;
  for (const std::string& symbol : exercise.spec.free_symbols()) one.free[symbol] = 1;
  std::vector<Question> how_often{{materialise(exercise.spec, one, Dtype::float64)}};
  for (Named& argument : how_often[0].arguments) {
    if (argument.integer) argument.tensor.values[0] = 0;
  }
  const Reply reply = counting.answer(how_often).at(0);
  ASSERT_EQ(reply.outcome, Outcome::passed) << reply.fault.message;
  EXPECT_EQ(get(reply.results, "y").values[0], counting.asked());
  EXPECT_GT(counting.asked(), 1000);
}

}  // namespace
}  // namespace attest
