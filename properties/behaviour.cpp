#include "properties/behaviour.hpp"

#include "properties/oracle.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace attest {
namespace {

// How far a row of a wrong answer may be from another implementation's of the same bug is found by shaking it: everything that is computed
// with, and every stage's result, is multiplied by 1 +- kShake u at random. What that moves, times kMargin, is allowed. A bound could be
// derived for each row of the zoo; this one holds for all, for two at once, and errs on the side of "unknown".
constexpr int kShaken = 3;
constexpr double kShake = 4, kMargin = 16;

// What is left of numbers below the smallest normal one (Eigen's exp(-1000) is 5.6e-309 instead of 0) once it has been multiplied by
// values and weights.
constexpr double kUnderflow = 1e10;

// A difference that no rounding makes where scores are ordinary.
double visible(double u) { return 1e5 * u; }

class Noise {
 public:
  Noise(std::uint64_t seed, double u) : state_(seed), u_(u) {}
  template <class M>
  void shake(M& m) {
    using S = typename M::Scalar;
    for (Index k = 0; k < m.size(); ++k) m.data()[k] *= static_cast<S>(1 + (next() ? kShake : -kShake) * u_);
  }
  template <class S>
  void shake(HeadsOf<S>& heads) {
    for (auto& head : heads) shake(head);
  }

 private:
  bool next() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;  // Knuth's MMIX generator
    return state_ >> 63 != 0;
  }
  std::uint64_t state_;
  double u_;
};

template <class S>
std::function<void(Stages<S>&)> shaking(const std::shared_ptr<Noise>& noise) {
  return [noise](Stages<S>& stages) {
    const auto after = [&noise](auto& stage, auto... fields) {
      stage = [noise, fields..., run = std::move(stage)](const Inputs<S>& in, Trace<S>& t) {
        run(in, t);
        (noise->shake(t.*fields), ...);
      };
    };
    using T = Trace<S>;
    after(stages.project, &T::q, &T::k, &T::v);
    after(stages.scores, &T::scores);
    after(stages.scale, &T::scaled);
    after(stages.mask, &T::masked);
    after(stages.softmax, &T::weights);
    after(stages.mix, &T::heads);
    after(stages.output, &T::y);
  };
}

AttentionFunction shaken(std::span<const Change* const> changes, Dtype dtype, double u, std::uint64_t seed) {
  const auto noise = std::make_shared<Noise>(seed, u);
  return [noise,
          run = changed(changes, dtype, shaking<double>(noise), shaking<float>(noise))](Inputs<double>& in) {
    for (Matrix* m : {&in.x, &in.w_q, &in.w_k, &in.w_v, &in.w_o}) noise->shake(*m);
    return run(in);
  };
}

// Tensors as rows of their last dimension.
std::size_t width(const Tensor& t) {
  return t.dims.empty() ? 1 : static_cast<std::size_t>(std::max<Index>(1, t.dims.back()));
}

bool identical(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// What a call did to its arguments, where that was looked at.
struct Changed {
  bool x = false, weights = false;
  bool operator==(const Changed&) const = default;
};
Changed changed_arguments(const Reply& reply, const Question& question) {
  Changed changed;
  if (!question.echo) return changed;
  for (const Named& after : reply.arguments_after) {
    const Tensor* before = find(question.arguments, after.name);
    if (before == nullptr || *before == after.tensor) continue;
    (after.name == "x" ? changed.x : changed.weights) = true;
  }
  return changed;
}

// Rows of NaN: who computes only what is visible has 0 above the diagonal, who computes all has NaN there, too.
bool hidden_alike(const std::string& name, std::size_t k, const Tensor& theirs, const Tensor& mine) {
  if (name != "weights") return false;
  const std::size_t n = width(mine), i = k / n % n, j = k % n, diagonal = k - j + i;
  const auto nothing = [](double w) { return w == 0 || std::isnan(w); };
  return j > i && diagonal < mine.values.size() && nothing(theirs.values[k]) && nothing(mine.values[k]) &&
         std::isnan(theirs.values[diagonal]) && std::isnan(mine.values[diagonal]);
}

// Weights are compared where both return them.
template <class Same>
bool all_results(const Reply& actual, const Reply& expected, const Same& same) {
  for (const Named& theirs : actual.results) {
    const Tensor* mine = find(expected.results, theirs.name);
    if (mine == nullptr) continue;
    // A column and a vector are the same loss of an axis.
    const Dims column = {theirs.tensor.size(), 1};
    const bool alike =
        mine->dims == theirs.tensor.dims || (theirs.tensor.dims.size() == 1 && mine->dims == column);
    if (!alike || !same(theirs.name, theirs.tensor, *mine)) return false;
  }
  return true;
}

}  // namespace

// One or more changes, as implementations that answer question by question.
class Behaviour::Run {
 public:
  Run(std::span<const Change* const> changes, Dtype dtype, double u)
      : changes_(changes), dtype_(dtype), u_(u) {
    plain_ = in_process([&] { return changed(changes_, dtype_); });
    keeps_state_ =
        std::any_of(changes.begin(), changes.end(), [](const Change* c) { return c->keeps_state; });
  }
  Reply answer(const Question& question) {
    if (keeps_state_) of_this_question_ = shake(question);
    Reply reply = std::move(plain_->answer({&question, 1}).front());
    if (!keeps_state_) of_this_question_.clear();
    return reply;
  }
  // The same question, answered by shaken ones.
  std::span<const Reply> shaken_replies(const Question& question) {
    if (of_this_question_.empty()) of_this_question_ = shake(question);
    return of_this_question_;
  }

 private:
  std::vector<Reply> shake(const Question& question) {
    if (shaken_.empty()) {
      for (std::uint64_t seed = 1; seed <= kShaken; ++seed)
        shaken_.push_back(in_process([&] { return shaken(changes_, dtype_, u_, seed); }));
    }
    std::vector<Reply> replies;
    for (const auto& candidate : shaken_)
      replies.push_back(std::move(candidate->answer({&question, 1}).front()));
    return replies;
  }

  std::span<const Change* const> changes_;
  Dtype dtype_;
  double u_;
  bool keeps_state_;
  std::unique_ptr<Candidate> plain_;
  std::vector<std::unique_ptr<Candidate>> shaken_;
  std::vector<Reply> of_this_question_;
};

Behaviour::Behaviour(const Subject& subject, const std::vector<Question>& questions,
                     std::vector<Reply> replies)
    : subject_(subject),
      questions_(questions),
      replies_(std::move(replies)),
      unit_roundoff_(precision(subject.dtype).unit_roundoff),
      underflow_(kUnderflow * precision(subject.dtype).smallest_normal) {
  for (const Question& question : questions_)
    ordinary_.push_back(largest_score(attention_inputs(question.arguments)) <= kOrdinaryScore);
}

Behaviour::Match Behaviour::compare(const Reply& actual, const Reply& expected, std::size_t question) const {
  if (actual.outcome != expected.outcome) return Match::different;
  Match match = Match::same;
  const bool alike =
      all_results(actual, expected, [&](const std::string& name, const Tensor& theirs, const Tensor& mine) {
        double largest = 0;
        for (const double value : mine.values)
          largest = std::isfinite(value) ? std::max(largest, std::fabs(value)) : largest;
        for (std::size_t k = 0; k < mine.values.size(); ++k) {
          const double a = theirs.values[k], b = mine.values[k];
          if (identical(a, b) || hidden_alike(name, k, theirs, mine)) continue;
          if (!std::isfinite(a) || !std::isfinite(b)) return false;
          if (std::fabs(a - b) <= unit_roundoff_ * largest + underflow_) continue;
          if (ordinary_[question] && std::fabs(a - b) > visible(unit_roundoff_) * largest + underflow_)
            return false;
          match = Match::close;
        }
        return true;
      });
  return alike ? match : Match::different;
}

// Row by row: what shaking moves in a row, everything in it may differ by.
bool Behaviour::near(const Reply& actual, const Reply& expected, std::span<const Reply> shaken) const {
  return all_results(
      actual, expected, [&](const std::string& name, const Tensor& theirs, const Tensor& mine) {
        const std::size_t n = width(mine);
        for (std::size_t first = 0; first + n <= mine.values.size(); first += n) {
          double moved = 0, largest = 0;
          for (std::size_t k = first; k < first + n; ++k) {
            largest = std::max(largest, std::fabs(mine.values[k]));
            for (const Reply& reply : shaken) {
              const Tensor* other = find(reply.results, name);
              if (other == nullptr || other->dims != mine.dims) continue;
              const double by = std::fabs(other->values[k] - mine.values[k]);
              if (!std::isnan(by)) moved = std::max(moved, by);
            }
          }
          const double allowed = kMargin * (moved + unit_roundoff_ * largest) + underflow_;
          for (std::size_t k = first; k < first + n; ++k) {
            if (!identical(theirs.values[k], mine.values[k]) && !hidden_alike(name, k, theirs, mine) &&
                !(std::fabs(theirs.values[k] - mine.values[k]) <= allowed))
              return false;
          }
        }
        return true;
      });
}

bool Behaviour::is_of(std::span<const Change* const> changes) const {
  Run run(changes, subject_.dtype, unit_roundoff_);
  for (std::size_t q = 0; q < questions_.size(); ++q) {
    const Reply expected = run.answer(questions_[q]);
    const Match match = compare(replies_[q], expected, q);
    if (match == Match::different) return false;
    if (match == Match::close && !near(replies_[q], expected, run.shaken_replies(questions_[q])))
      return false;
    if (changed_arguments(replies_[q], questions_[q]) != changed_arguments(expected, questions_[q]))
      return false;
  }
  return true;
}

bool Behaviour::is_right(const Reply& reply, std::size_t question, std::span<const Reply> shaken) const {
  if (reply.outcome != Outcome::passed) return false;
  if (changed_arguments(reply, questions_[question]) != Changed{}) return false;
  const auto right = recall(questions_[question], subject_);
  const auto differs = [&](const std::string& name, std::size_t k, double actual, double expected,
                           double bound) {
    if (std::isinf(bound)) return false;
    double moved = 0;
    for (const Reply& other : shaken) {
      const Tensor* tensor = find(other.results, name);
      if (tensor != nullptr && k < tensor->values.size()) {
        const double by = std::fabs(tensor->values[k] - actual);
        if (!std::isnan(by)) moved = std::max(moved, by);
      }
    }
    return !(std::fabs(actual - expected) <= bound + kMargin * moved);
  };
  const Tensor& y = get(reply.results, "y");
  if (y.dims != Dims{right->y().rows(), right->y().cols()}) return false;
  for (std::size_t k = 0; k < y.values.size(); ++k) {
    if (differs("y", k, y.values[k], right->y().data()[k], right->y_error().data()[k])) return false;
  }
  const Tensor* weights = find(reply.results, "weights");
  if (weights == nullptr || find(replies_[question].results, "weights") == nullptr) return true;
  const auto n = static_cast<std::size_t>(right->weights.rows() * right->weights.cols());
  if (weights->values.size() != n * right->weights.size()) return false;
  const double tiny = precision(subject_.dtype).smallest_normal;
  for (std::size_t k = 0; k < weights->values.size(); ++k) {
    const std::size_t g = k / n, at = k % n;
    if (differs("weights", k, weights->values[k], right->weights[g].data()[at],
                std::max(tiny, right->weight_error[g].data()[at])))
      return false;
  }
  return true;
}

Behaviour::Difference Behaviour::from_reference(std::span<const Change* const> changes) const {
  Run run(changes, subject_.dtype, unit_roundoff_);
  Difference difference;
  std::set<std::pair<Index, Index>> shapes;
  for (std::size_t q = 0; q < questions_.size(); ++q) {
    const Reply reply = run.answer(questions_[q]);
    if (is_right(reply, q, run.shaken_replies(questions_[q]))) continue;
    ++difference.questions;
    const Inputs<double> in = attention_inputs(questions_[q].arguments);
    shapes.emplace(in.n_heads, in.d_k());
  }
  difference.shapes = static_cast<int>(shapes.size());
  return difference;
}

std::optional<double> Behaviour::dropout() const {
  const auto of_weights = dropout_of("weights");
  return of_weights ? of_weights : dropout_of("y");
}

std::optional<double> Behaviour::dropout_of(std::string_view result) const {
  double factor = 0;
  int zeroed = 0, enlarged = 0;
  for (std::size_t q = 0; q < questions_.size(); ++q) {
    const Tensor* seen = find(replies_[q].results, result);
    if (seen == nullptr) return std::nullopt;
    const auto right = recall(questions_[q], subject_);
    const bool is_y = result == "y";
    const double* wanted = is_y ? right->y().data() : right->weights[0].data();
    const auto size = is_y ? static_cast<std::size_t>(right->y().size())
                           : right->weights.size() * static_cast<std::size_t>(right->weights[0].size());
    if (seen->values.size() != size) return std::nullopt;
    if (!ordinary_[q]) continue;
    for (std::size_t k = 0; k < size; ++k) {
      if (std::fabs(wanted[k]) <= underflow_ && std::fabs(seen->values[k]) <= underflow_) continue;
      const double ratio = seen->values[k] / wanted[k];
      if (factor == 0 && ratio > 1.001) factor = ratio;
      if (ratio == 0) {
        ++zeroed;
      } else if (factor > 0 && std::fabs(ratio / factor - 1) < std::sqrt(unit_roundoff_)) {
        ++enlarged;
      } else {
        return std::nullopt;
      }
    }
  }
  if (zeroed == 0 || enlarged == 0) return std::nullopt;
  return 1 - 1 / factor;
}

bool Behaviour::has_numbers() const {
  return std::any_of(replies_.begin(), replies_.end(), [](const Reply& reply) {
    const Tensor& y = get(reply.results, "y");
    return std::any_of(y.values.begin(), y.values.end(), [](double v) { return std::isfinite(v); });
  });
}

std::vector<bool> Behaviour::right() const {
  std::vector<bool> all;
  for (std::size_t q = 0; q < questions_.size(); ++q) all.push_back(is_right(replies_[q], q, {}));
  return all;
}

}  // namespace attest
