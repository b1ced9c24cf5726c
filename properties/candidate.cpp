#include "properties/candidate.hpp"

#include <exception>
#include <utility>

namespace attest {
namespace {

class InProcess final : public Candidate {
 public:
  explicit InProcess(std::function<AttentionFunction()> make) : make_(std::move(make)), usual_(make_()) {}

  std::vector<Reply> answer(std::span<const Question> questions) override {
    std::vector<Reply> replies;
    replies.reserve(questions.size());
    for (const Question& question : questions) replies.push_back(answer_one(question));
    return replies;
  }

  void restart() override { usual_ = make_(); }

 private:
  Reply answer_one(const Question& question) {
    Reply reply;
    try {
      Inputs<double> in = attention_inputs(question.arguments);
      const Answer<double> answer = question.fresh ? make_()(in) : usual_(in);
      reply.results.push_back({"y", Tensor::from(answer.y)});
      if (!answer.weights.empty())
        reply.results.push_back({"weights", weights_tensor(question, answer.weights)});
      if (question.echo) reply.arguments_after = after(question.arguments, in);
    } catch (const std::exception& e) {
      reply.outcome = Outcome::raised;
      reply.fault.message = e.what();
    } catch (...) {
      reply.outcome = Outcome::raised;
      reply.fault.message = "an exception that is not a std::exception";
    }
    return reply;
  }

  // Without an n_heads argument there is one head and the weights are a matrix.
  static Tensor weights_tensor(const Question& question, const Heads& weights) {
    return find(question.arguments, "n_heads") ? Tensor::from(weights) : Tensor::from(weights.at(0));
  }

  static Arguments after(Arguments arguments, const Inputs<double>& in) {
    for (Named& a : arguments) {
      if (a.name == "x") a.tensor = Tensor::from(in.x);
      if (a.name == "w_q") a.tensor = Tensor::from(in.w_q);
      if (a.name == "w_k") a.tensor = Tensor::from(in.w_k);
      if (a.name == "w_v") a.tensor = Tensor::from(in.w_v);
      if (a.name == "w_o") a.tensor = Tensor::from(in.w_o);
    }
    return arguments;
  }

  std::function<AttentionFunction()> make_;
  AttentionFunction usual_;
};

}  // namespace

std::unique_ptr<Candidate> in_process(std::function<AttentionFunction()> make) {
  return std::make_unique<InProcess>(std::move(make));
}

AttentionFunction attention_function(Stages<double> stages) {
  return [stages = std::move(stages)](Inputs<double>& in) { return stages.run(in).answer(); };
}

AttentionFunction attention_function(Stages<float> stages) {
  return [stages = std::move(stages)](Inputs<double>& in) {
    const Answer<float> narrow = stages.run(in.cast<float>()).answer();
    Answer<double> answer{narrow.y.cast<double>(), {}};
    for (const auto& head : narrow.weights) answer.weights.push_back(head.cast<double>());
    return answer;
  };
}

}  // namespace attest
