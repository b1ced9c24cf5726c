#include "properties/measure.hpp"

#include "properties/catalogue/compare.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace attest {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Two tokens and two scores that are not 0: of token 0 with itself and of token 1 with token 0. Their values are their labels.
Question two_tokens(const Subject& subject, double score_00, double score_10) {
  Case c;
  for (const std::string& symbol : subject.spec->free_symbols())
    c.free[symbol] = symbol == "T" || symbol == "n_heads" ? 2 : kMeasuredHead;
  Inputs<double> in = attention_inputs(materialise(*subject.spec, c, subject.dtype));
  in.x.setZero();
  in.x(0, 0) = in.x(1, 1) = 1;
  for (Matrix* m : {&in.w_q, &in.w_k, &in.w_v, &in.w_o}) m->setZero();
  for (Index g = 0; g < in.n_heads; ++g) {
    in.w_q(0, g * in.d_k()) = score_00;
    in.w_q(1, g * in.d_k()) = score_10;
    in.w_k(0, g * in.d_k()) = 1;
  }
  in.w_v.diagonal().setOnes();
  if (in.has_output_projection()) in.w_o.setIdentity();
  return ask(subject, in);
}

// ln(weight of token 1 / weight of token 0) in one row of the first head.
double log_ratio(Candidate& candidate, const Question& question, Index row) {
  const std::vector<Reply> replies = candidate.answer({&question, 1});
  if (replies.size() != 1 || replies[0].outcome != Outcome::passed) return kNone;
  const Tensor* shares = find(replies[0].results, "weights");
  if (shares == nullptr) shares = find(replies[0].results, "y");
  if (shares == nullptr || shares->dims.size() < 2) return kNone;
  const Index rows = *(shares->dims.end() - 2), columns = shares->dims.back();
  if (rows != 2 || columns < 2) return kNone;                  // wrong shapes are judged elsewhere
  const auto first = static_cast<std::size_t>(row * columns);  // of the first head
  return std::log(shares->values[first + 1] / shares->values[first]);
}

// The number with the fewest digits that the measurement allows.
double shortest(double measured, double relative) {
  for (int digits = 1; digits < 17; ++digits) {
    const double rounded = std::strtod(fmt::format("{:.{}e}", measured, digits - 1).c_str(), nullptr);
    if (std::fabs(rounded - measured) <= relative * std::fabs(measured)) return rounded;
  }
  return measured;
}

// Token 0's own score is -c; its later one is 0 and hidden. They weigh the same where -c is what takes the place of the hidden score: found by
// bisection, first of the exponent, until both weights are numbers and say the rest.
double hidden_score(const Subject& subject, Candidate& candidate) {
  constexpr double kLargest = 1e14;
  const auto excess = [&](double c) {  // of the hidden score over -c
    const double root = std::sqrt(static_cast<double>(kMeasuredHead));
    return log_ratio(candidate, two_tokens(subject, -c * root, 0), 0);
  };
  if (!(excess(kLargest) > 0)) return kNone;
  double low = 1.0 / 16, high = kLargest, c = 1e4;
  for (int step = 0; high / low > 1 + 4 * precision(subject.dtype).unit_roundoff; ++step) {
    const double above = excess(c);
    if (std::isnan(above)) return kNone;
    if (std::fabs(above) < 1) return above - c;
    (above > 0 ? high : low) = c;
    const double there = c - above;
    // Every other step halves, whatever the answers are: a wrong scale could make those between as small as it likes.
    const bool leaps = step % 2 == 0 && low < there && there < high;
    c = leaps ? there : high / low > 4 ? std::sqrt(high * low) : (high + low) / 2;
  }
  return -high;
}

double scale_of_scores(const Subject& subject, Candidate& candidate) {
  return -log_ratio(candidate, two_tokens(subject, 0, 1), 1);
}

}  // namespace

Measured measure(const Subject& subject, Candidate& candidate) {
  const double few = 8 * precision(subject.dtype).unit_roundoff;
  return {shortest(hidden_score(subject, candidate), few),
          shortest(scale_of_scores(subject, candidate), few)};
}

}  // namespace attest
