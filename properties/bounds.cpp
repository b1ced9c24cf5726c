// How far a correct implementation may be from the exact result, element by element.
//
// There is no tolerance here. Each bound follows one quantity through the nine stages and adds what correctly rounded
// arithmetic can do to it, in whatever order and with whatever formulation the implementation chose: any order of summation,
// fused multiply-add, blocked products, 1/sqrt(d_k) multiplied early, late or in two halves, softmax with or without a
// maximum, through logarithms, in base 2 or online, weights applied before the value projection. Formulations that round
// differently are listed in styles.cpp; bounds_soak.cpp holds all of them against these bounds (docs/soaks.md has the figures).
//
// Notation: u is the unit roundoff and tau the smallest normal number of the implementation's type. A quantity with a hat is
// the computed one. Per head: q, k, v (T, d_k | d_k | d_v); row i of the weights has n = i + 1 visible terms.
// gamma(n) = n u / (1 - n u) bounds n roundings applied in any order (Higham, "Accuracy and Stability of Numerical
// Algorithms", 2nd ed., lemma 3.1). Products that fall below tau lose their relative accuracy: tau is added once for each.
//
// A bound is infinite where nothing can be asked: the exact result is not finite, or a correct implementation may overflow on
// the way there (a product of magnitudes beyond half of the type's range). Whoever compares leaves such elements out; NaN
// against an infinite bound is no failure.
//
// The bounds are computed in double: they need a few digits only. Differences near u are therefore never formed by subtracting
// from 1 (expm1, log1p), and scores near 1/u stay in Wide.
#include "properties/bounds.hpp"

#include "properties/softmax_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <type_traits>
#include <utility>

namespace attest {

using Plane = Eigen::Map<Matrix>;

// Memory for intermediate matrices, used again and again: a case is small, and allocating would cost more than computing.
class Scratch {
 public:
  Plane take(Index rows, Index cols) {
    const auto size = static_cast<std::size_t>(rows * cols);
    while (at_ < blocks_.size() && used_ + size > blocks_[at_].size()) {
      ++at_;
      used_ = 0;
    }
    if (at_ == blocks_.size()) blocks_.emplace_back(std::max(size, kBlock));
    double* data = blocks_[at_].data() + used_;
    used_ += size;
    return {data, rows, cols};
  }
  void reset() {
    std::erase_if(blocks_, [](const auto& block) { return block.size() > kBlock; });  // a rare large case
    at_ = used_ = 0;
  }

 private:
  static constexpr std::size_t kBlock = 1u << 16;
  std::deque<std::vector<double>> blocks_;  // none ever moves
  std::size_t at_ = 0, used_ = 0;
};

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Roundings of a scaled score beyond those of its dot product. sqrt, its reciprocal and the multiplication are 3; d_k^(-1/4)
// on both sides is 2 powers and 2 multiplications, and a power is good to about 1 u; base 2 adds the rounding of log2(e) and
// one multiplication.
constexpr Index kScaleRoundings = 8;

// Errors of scores beyond this are left to Care::exact: the quick answer's own rounding would count.
constexpr double kLargestQuickError = 1e-3;

// Up to so many multiplications Eigen's blocked product costs more to set up than to compute.
constexpr Index kSmallProduct = 8000;

// Rows of a strip: 64 of 2048 tokens are 1 MB.
constexpr Index kStrip = 64;

template <class Out, class A, class B>
void multiply(Out&& out, const A& a, const B& b) {
  if (a.rows() * a.cols() * b.cols() <= kSmallProduct) {
    out.noalias() = a.lazyProduct(b);
  } else {
    out.noalias() = a * b;
  }
}

template <class Out, class A, class B>
void add_product(Out&& out, const A& a, const B& b) {
  if (a.rows() * a.cols() * b.cols() <= kSmallProduct) {
    out.noalias() += a.lazyProduct(b);
  } else {
    out.noalias() += a * b;
  }
}

// Everything that is not a number, and everything beyond `range`, becomes infinite. inf * 0 inside a product ends here.
void give_up_beyond(double range, Plane m) {
  for (Index k = 0; k < m.size(); ++k) {
    if (!(m.data()[k] <= range)) m.data()[k] = kInfinity;
  }
}

}  // namespace

// Fills one Expected.
class Computation {
 public:
  Computation(Expected& e, const Arithmetic& a)
      : e_(e),
        in_(e.in),
        a_(a),
        scratch_(emptied_scratch()),
        q_(scratch_.take(in_.tokens(), in_.w_q.cols())),
        k_(scratch_.take(in_.tokens(), in_.w_k.cols())),
        v_(scratch_.take(in_.tokens(), in_.w_v.cols())),
        merged_(scratch_.take(in_.tokens(), in_.w_v.cols())),
        strip_(scratch_.take(std::min(kStrip, in_.tokens()), in_.tokens())) {}

  bool quickly() {
    answer();
    return bound<double>([&](std::size_t g, Index i) { return e_.scaled[g].row(i).data(); });
  }

  void exactly() {
    const Trace<Wide> trace = causal_multi_head_attention(in_.cast<Wide>());
    q_ = trace.q.cast<double>();
    k_ = trace.k.cast<double>();
    v_ = trace.v.cast<double>();
    merged_ = trace.merged.cast<double>();
    for (std::size_t g = 0; g < heads(); ++g) {
      of(e_.scaled, g) = trace.scaled[g].cast<double>();
      of(e_.weights, g) = trace.weights[g].cast<double>();
      of(e_.heads, g) = trace.heads[g].cast<double>();
    }
    of(e_.y_, 0) = trace.y.cast<double>();
    bound<Wide>([&](std::size_t g, Index i) { return &trace.scaled[g](i, 0); });
  }

 private:
  static Scratch& emptied_scratch() {
    thread_local Scratch of_this_thread;
    of_this_thread.reset();
    return of_this_thread;
  }

  std::size_t heads() const { return static_cast<std::size_t>(in_.n_heads); }
  // A view of the result's own memory, to write to.
  Plane of(const HeadsView& view, std::size_t g) const {
    return {e_.numbers_.data() + (view[g].data() - e_.numbers_.data()), view.rows(), view.cols()};
  }
  // Calls rows(first, n) for strips of rows, from the last to the first: a long sequence's tables would leave the caches. What rows may
  // see ends with column first + n. Stops where `rows` returns false.
  template <class Rows>
  bool in_strips(const Rows& rows) const {
    for (Index end = in_.tokens(); end > 0;) {
      const Index first = (end - 1) / kStrip * kStrip;
      if (!rows(first, end - first)) return false;
      end = first;
    }
    return true;
  }
  // The columns of one head.
  static auto block(Plane& m, std::size_t g, Index width) {
    return m.middleCols(static_cast<Index>(g) * width, width);
  }

  // The nine stages, as in reference/attention.cpp.
  void answer() {
    multiply(q_, in_.x, in_.w_q);  // (T, n_heads d_k)
    multiply(k_, in_.x, in_.w_k);  // (T, n_heads d_k)
    multiply(v_, in_.x, in_.w_v);  // (T, n_heads d_v)
    const double root = std::sqrt(static_cast<double>(in_.d_k()));
    for (std::size_t g = 0; g < heads(); ++g) {
      Plane scaled = of(e_.scaled, g), weights = of(e_.weights, g), head = of(e_.heads, g);
      const auto q = block(q_, g, in_.d_k()), k = block(k_, g, in_.d_k()), v = block(v_, g, in_.d_v());
      in_strips([&](Index first, Index n) {
        multiply(scaled.middleRows(first, n), q.middleRows(first, n), k.transpose());  // (n, T)
        scaled.middleRows(first, n) /= root;
        for (Index i = first; i < first + n; ++i) {  // hidden weights stay 0
          const double peak = scaled.row(i).head(i + 1).maxCoeff();
          double sum = 0;
          for (Index j = 0; j <= i; ++j) sum += weights(i, j) = std::exp(scaled(i, j) - peak);
          weights.row(i).head(i + 1) /= sum;
        }
        multiply(head.middleRows(first, n), weights.block(first, 0, n, first + n),
                 v.topRows(first + n));  // (n, d_v)
        return true;
      });
      block(merged_, g, in_.d_v()) = head;
    }
    if (in_.has_output_projection()) {
      multiply(of(e_.y_, 0), merged_, in_.w_o);  // (T, d_out)
    } else {
      of(e_.y_, 0) = merged_;
    }
  }

  // ---- project: x w ---------------------------------------------------------------------------------------------------

  // |x||w|: the sum of the magnitudes of a projection's terms.
  Plane projection_magnitude(const Plane& abs_x, const Matrix& w) {
    Plane size = scratch_.take(w.rows(), w.cols()), magnitude = scratch_.take(abs_x.rows(), w.cols());
    size = w.cwiseAbs();
    multiply(magnitude, abs_x, size);
    give_up_beyond(a_.range, magnitude);
    return magnitude;
  }

  // |x w - hat| <= gamma(d_model) |x||w| + d_model tau: d_model products and d_model - 1 sums, in any order.
  Plane projection_error(const Plane& abs_x, const Matrix& w) {
    Plane error = projection_magnitude(abs_x, w);
    const auto d_model = static_cast<double>(in_.d_model());
    error.array() = a_.gamma(in_.d_model()) * error.array() + d_model * a_.tau;
    return error;
  }

  // ---- scores, scale: q k^T / sqrt(d_k) -------------------------------------------------------------------------------

  // With hat q = q + dq, hat k = k + dk, the exact product of the hats is off by |q||dk| + |dq||k| + |dq||dk|; computing it
  // rounds d_k products, their sum and the scaling, each relative to |hat q||hat k|. Every pair is bounded, hidden ones too.
  struct Projected {
    Plane q, k, q_error, k_error;  // (T, d_k): |q|, |hat k| at most, and the errors of both
  };
  Projected projected(std::size_t g, Plane& q_error, Plane& k_error) {
    const Index d_k = in_.d_k(), n_tokens = in_.tokens();
    const auto take = [&] { return scratch_.take(n_tokens, d_k); };
    Projected p{take(), take(), take(), take()};
    p.q_error = block(q_error, g, d_k);
    p.k_error = block(k_error, g, d_k);
    p.q = block(q_, g, d_k).cwiseAbs();
    p.k = block(k_, g, d_k).cwiseAbs() + p.k_error;
    return p;
  }

  void score_error(std::size_t g, const Projected& p, Index first, Index n) {
    const Index d_k = in_.d_k(), n_tokens = in_.tokens();
    const auto q = p.q.middleRows(first, n), dq = p.q_error.middleRows(first, n);
    Plane error(of(e_.score_error, g).row(first).data(), n, n_tokens), size(strip_.data(), n, n_tokens);
    // |q||dk| + |dq||k| + |dq||dk| = |q||dk| + |dq|(|k| + |dk|): two products instead of three
    multiply(error, q, p.k_error.transpose());
    add_product(error, dq, p.k.transpose());
    Plane most = scratch_.take(n, d_k);
    most = q + dq;                          // |hat q| at most
    multiply(size, most, p.k.transpose());  // (n, T)    before scaling
    give_up_beyond(a_.range, size);
    const double gamma = a_.gamma(d_k + kScaleRoundings), root = std::sqrt(static_cast<double>(d_k));
    error.array() = (error + gamma * size).array() / root + static_cast<double>(d_k) * a_.tau;
    give_up_beyond(std::numeric_limits<double>::max(), error);
  }

  // ---- mask, softmax --------------------------------------------------------------------------------------------------

  // False: the quick answer is not good enough.
  template <class S, class ScaledRow>
  bool weights_error(std::size_t g, const ScaledRow& scaled_row, Index first, Index n) {
    const Plane errors = of(e_.score_error, g), weights = of(e_.weights, g);
    Plane error = of(e_.weight_error, g), above = of(e_.row_above_, 0), below = of(e_.row_below_, 0);
    const auto head = static_cast<Index>(g);
    for (Index i = first; i < first + n; ++i) {
      // Hidden scores count here: one that overflows makes NaN of an additive mask, and that is nobody's bug.
      const double largest = errors.row(i).maxCoeff();  // infinite, but never NaN
      const bool finite = std::isfinite(largest) && weights.row(i).allFinite();
      if (std::is_same_v<S, double> && !(finite && largest <= kLargestQuickError)) return false;
      RowSum sum;
      if (finite) {
        sum = weight_error(Row<S>(scaled_row(g, i), &errors(i, 0), &weights(i, 0), i + 1), a_, &error(i, 0));
      } else {
        error.row(i).head(i + 1).setConstant(kInfinity);
      }
      above(head, i) = sum.above;
      below(head, i) = sum.below;
    }
    return true;
  }

  // ---- mix: weights v -------------------------------------------------------------------------------------------------

  // dW|v| from the weights; and n + d_model + 1 roundings of sum_j w_j sum_l |x_jl||w_v_l|, the magnitude that both orders,
  // (weights) (x w_v) and (weights x) w_v, round against, with 1 for a normalisation done last. Underflow: d_model tau in each
  // v_j, n tau in the sum over tokens, the same on the way through weights x, then multiplied by w_v; and hidden weights that
  // are tiny instead of 0 (Eigen's packet exp(-inf) is a subnormal), multiplied by their values.
  struct Values {
    Plane magnitude, v, w_v,
        hidden;  // (T, d_v) twice, (1, d_v) twice: sum_l |x_jl||w_v_l|, |v|, sum_l |w_v_l|, sum of |v_j| over hidden j
  };
  Values values(std::size_t g, Plane& v_magnitude) {
    const Index d_v = in_.d_v(), n_tokens = in_.tokens();
    Values p{scratch_.take(n_tokens, d_v), scratch_.take(n_tokens, d_v), scratch_.take(1, d_v),
             scratch_.take(1, d_v)};
    p.magnitude = block(v_magnitude, g, d_v);
    p.v = block(v_, g, d_v).cwiseAbs();
    p.w_v = in_.w_v.middleCols(static_cast<Index>(g) * d_v, d_v).cwiseAbs().colwise().sum();
    p.hidden.setZero();
    return p;
  }

  void head_error(std::size_t g, Values& p, Plane& mixed_magnitude, Index first, Index n) {
    const Index d_v = in_.d_v(), seen = first + n;
    const auto d_model = static_cast<double>(in_.d_model());
    const auto weights_error = of(e_.weight_error, g).block(first, 0, n, seen);
    Plane error(of(e_.head_error, g).row(first).data(), n, d_v), most(strip_.data(), n, seen);
    auto mixed = block(mixed_magnitude, g, d_v).middleRows(first, n);
    most = of(e_.weights, g).block(first, 0, n, seen) + weights_error;
    multiply(mixed, most, p.magnitude.topRows(seen));
    multiply(error, weights_error, p.v.topRows(seen));
    error += a_.gamma(in_.tokens() + in_.d_model() + 1) * mixed;  // (n, d_v)
    for (Index i = n - 1; i >= 0; --i) {
      const auto visible = static_cast<double>(first + i + 1);
      const double constant = d_model * (1 + weights_error.row(i).sum()) + visible;
      error.row(i).array() += a_.tau * (constant + p.hidden.array() + visible * p.w_v.array());
      p.hidden += p.v.row(first + i);
    }
    give_up_beyond(std::numeric_limits<double>::max(), error);
  }

  // ---- output: merged w_o ---------------------------------------------------------------------------------------------

  // dO|w_o| from the heads, then the rounding of one more product: n_heads d_v terms relative to |hat O||w_o|. An
  // implementation that folds w_v w_o first rounds d_v + n_heads times against the magnitude before cancellation instead.
  void y_error(const Plane& merged_error, const Plane& mixed_magnitude) {
    Plane error = of(e_.y_error_, 0);  // (T, d_out)
    if (!in_.has_output_projection()) {
      error = merged_error;
      return;
    }
    const Index width = in_.w_v.cols();  // n_heads d_v
    Plane w_o = scratch_.take(in_.w_o.rows(), in_.w_o.cols()), most = scratch_.take(in_.tokens(), width),
          size = scratch_.take(in_.tokens(), in_.w_o.cols()),
          folded = scratch_.take(in_.tokens(), in_.w_o.cols());
    w_o = in_.w_o.cwiseAbs();
    most = merged_.cwiseAbs() + merged_error;
    multiply(size, most, w_o);
    give_up_beyond(a_.range, size);
    multiply(folded, mixed_magnitude, w_o);
    multiply(error, merged_error, w_o);
    error.array() += (a_.gamma(width) * size).cwiseMax(a_.gamma(in_.d_v() + in_.n_heads) * folded).array() +
                     static_cast<double>(width) * a_.tau;
    give_up_beyond(std::numeric_limits<double>::max(), error);
  }

  template <class S, class ScaledRow>
  bool bound(const ScaledRow& scaled_row) {
    Plane abs_x = scratch_.take(in_.tokens(), in_.d_model());
    abs_x = in_.x.cwiseAbs();
    Plane q_error = projection_error(abs_x, in_.w_q), k_error = projection_error(abs_x, in_.w_k);
    Plane v_magnitude = projection_magnitude(abs_x, in_.w_v);
    Plane mixed_magnitude = scratch_.take(in_.tokens(), in_.w_v.cols());
    Plane merged_error = scratch_.take(in_.tokens(), in_.w_v.cols());
    for (std::size_t g = 0; g < heads(); ++g) {
      const Projected keys = projected(g, q_error, k_error);
      Values mixed = values(g, v_magnitude);
      const bool good = in_strips([&](Index first, Index n) {
        score_error(g, keys, first, n);
        if (!weights_error<S>(g, scaled_row, first, n)) return false;
        head_error(g, mixed, mixed_magnitude, first, n);
        return true;
      });
      if (!good) return false;
      block(merged_error, g, in_.d_v()) = e_.head_error[g];
    }
    y_error(merged_error, mixed_magnitude);
    return true;
  }

  Expected& e_;
  const Inputs<double>& in_;
  const Arithmetic& a_;
  Scratch& scratch_;
  Plane q_, k_, v_, merged_;  // (T, n_heads d_k) twice, (T, n_heads d_v) twice
  Plane strip_;               // (kStrip, T), used by one step at a time
};

Expected::Expected(Inputs<double> inputs) : in(std::move(inputs)) {
  const Index n_heads = in.n_heads, n_tokens = in.tokens(), d_v = in.d_v(), d_out = in.d_out();
  numbers_.resize(
      static_cast<std::size_t>(n_heads * n_tokens * (4 * n_tokens + 2 * d_v + 2) + 2 * n_tokens * d_out));
  const double* at = numbers_.data();
  const auto take = [&at](Index n, Index rows, Index cols) {
    const HeadsView view(at, n, rows, cols);
    at += n * rows * cols;
    return view;
  };
  for (HeadsView* table : {&scaled, &weights, &score_error, &weight_error})
    *table = take(n_heads, n_tokens, n_tokens);
  for (HeadsView* head : {&heads, &head_error}) *head = take(n_heads, n_tokens, d_v);
  for (HeadsView* rows : {&row_above_, &row_below_}) *rows = take(1, n_heads, n_tokens);
  for (HeadsView* out : {&y_, &y_error_}) *out = take(1, n_tokens, d_out);
}

std::size_t Expected::bytes() const {
  const Index inputs = in.x.size() + in.w_q.size() + in.w_k.size() + in.w_v.size() + in.w_o.size();
  return sizeof(Expected) + (numbers_.size() + static_cast<std::size_t>(inputs)) * sizeof(double) + 256;
}

Expected expect(Inputs<double> in, Dtype dtype, Care care) {
  check_shapes(in);
  Expected expected(std::move(in));
  const Arithmetic a = arithmetic(dtype);
  Computation computation(expected, a);
  if (care == Care::exact || !computation.quickly()) computation.exactly();
  return expected;
}

double largest_score(const Inputs<double>& in) {
  const Matrix q = in.x * in.w_q;  // (T, n_heads d_k)
  const Matrix k = in.x * in.w_k;  // (T, n_heads d_k)
  const Index d_k = in.d_k();
  double largest = 0;
  for (Index g = 0; g < in.n_heads; ++g) {
    const Matrix scores = q.middleCols(g * d_k, d_k) * k.middleCols(g * d_k, d_k).transpose();  // (T, T)
    if (!scores.allFinite()) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, scores.cwiseAbs().maxCoeff());
  }
  return largest / std::sqrt(static_cast<double>(d_k));
}

}  // namespace attest
