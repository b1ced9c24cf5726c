// The first wrong stage, from snapshots made by hand: values are known by their numbers, whatever they are called and however they lie.
#include "properties/localise.hpp"

#include "properties/case.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace attest {
namespace {

const double kInf = std::numeric_limits<double>::infinity();

// One call with 7 tokens and 2 heads of 3, with the right values of every stage.
struct Call {
  Subject subject{&multi_head_attention_spec(), Dtype::float64};
  Question question = localising_questions(*subject.spec, subject.dtype, 7).front();
  Inputs<double> in = attention_inputs(question.arguments);
  Trace<double> right = causal_multi_head_attention<double>(in);
  Reply reply;

  Call& see(std::string name, Tensor value, int line, Snapshot::Event event = Snapshot::Event::assigned) {
    reply.snapshots.push_back({event, std::move(name), "f", line, std::move(value)});
    return *this;
  }
  Call& see_projections() {
    return see("q", Tensor::from(right.q_heads), 1)
        .see("k", Tensor::from(right.k_heads), 2)
        .see("v", Tensor::from(right.v_heads), 3);
  }
  std::optional<Location> ending_in(const Heads& weights, bool returned = true) {
    Heads heads;
    for (std::size_t g = 0; g < weights.size(); ++g) heads.emplace_back(weights[g] * right.v_heads[g]);
    const Matrix y = merge_heads<double>(heads) * in.w_o;
    return ending(y, returned ? weights : Heads{});
  }
  std::optional<Location> ending(const Matrix& y, const Heads& weights) {
    reply.results = {{"y", Tensor::from(y), false}};
    if (!weights.empty()) reply.results.push_back({"weights", Tensor::from(weights), false});
    return localise(subject, question, reply);
  }
};

Heads each(const Heads& heads, const std::function<Matrix(const Matrix&)>& change) {
  Heads changed;
  for (const Matrix& head : heads) changed.push_back(change(head));
  return changed;
}

Heads softmaxed(const Heads& scores) { return each(scores, softmax<double>); }

Heads masked(const Heads& scores, double fill = -kInf) {
  return each(scores, [fill](Matrix m) {
    for (Index i = 0; i < m.rows(); ++i) m.row(i).tail(m.cols() - i - 1).setConstant(fill);
    return m;
  });
}

Heads times(const Heads& heads, double factor) {
  return each(heads, [factor](const Matrix& m) { return Matrix(m * factor); });
}

void expect_at(const std::optional<Location>& location, StageName stage, const std::string& name, int line) {
  ASSERT_TRUE(location);
  EXPECT_EQ(to_string(location->stage), to_string(stage));
  ASSERT_TRUE(location->wrong);
  EXPECT_EQ(location->wrong->name, name);
  EXPECT_EQ(location->wrong->line, line);
}

TEST(Localise, SaysNothingOfARightAnswerOrWithoutSnapshots) {
  Call call;
  EXPECT_FALSE(call.see_projections().ending(call.right.y, call.right.weights));
  Call silent;
  EXPECT_FALSE(silent.ending_in(softmaxed(silent.right.scaled)));
}

TEST(Localise, FindsTheFactorWhateverTheScoresAreCalled) {
  Call call;
  const Heads scores = times(call.right.scores, 0.25);
  call.see_projections()
      .see("anything", Tensor::from(scores), 5)
      .see("more", Tensor::from(masked(scores)), 6);
  const auto found = call.ending_in(softmaxed(masked(scores)));
  expect_at(found, StageName::scale, "anything", 5);
  EXPECT_FALSE(found->is_missing);
  ASSERT_TRUE(found->right);
  EXPECT_EQ(found->right->name, "v");
}

TEST(Localise, ToldApartAreAWrongScaleAndNone) {
  Call call;
  call.see_projections()
      .see("s", Tensor::from(call.right.scores), 5)
      .see("s", Tensor::from(masked(call.right.scores)), 6);
  const auto found = call.ending_in(softmaxed(masked(call.right.scores)));
  expect_at(found, StageName::scale, "s", 5);
  EXPECT_TRUE(found->is_missing);
}

TEST(Localise, ScalingBeforeOrAfterTheMaskIsAllOne) {
  Call call;  // the mask is added first, the root comes later, and the softmax is wrong
  const Heads twice = softmaxed(call.right.weights);
  call.see_projections()
      .see("s", Tensor::from(masked(call.right.scores)), 5)
      .see("s", Tensor::from(call.right.masked), 6)
      .see("w", Tensor::from(twice), 7);
  expect_at(call.ending_in(twice), StageName::softmax, "w", 7);
}

TEST(Localise, AMaskThatIsMissingIsMissedWhereItShouldBe) {
  Call call;
  const Heads open = softmaxed(call.right.scaled);
  call.see_projections().see("s", Tensor::from(call.right.scaled), 5).see("w", Tensor::from(open), 6);
  const auto found = call.ending_in(open);
  expect_at(found, StageName::mask, "s", 5);
  EXPECT_TRUE(found->is_missing);
}

TEST(Localise, ASentinelHidesWhereNothingIsLeftOfIt) {
  Call call;  // -1e4 is as good as -inf here; what is wrong comes behind it
  const Heads fine = masked(call.right.scaled, -1e4), bad = times(softmaxed(fine), 0.5);
  call.see_projections().see("s", Tensor::from(fine), 5).see("w", Tensor::from(bad), 6);
  expect_at(call.ending_in(bad), StageName::softmax, "w", 6);

  Call other;
  const Heads weak = masked(other.right.scaled, -2.5);
  other.see_projections().see("s", Tensor::from(other.right.scaled), 4).see("s", Tensor::from(weak), 5);
  expect_at(other.ending_in(softmaxed(weak)), StageName::mask, "s", 5);
}

TEST(Localise, AMaskTheWrongWayRoundIsWrongWhereItIsSet) {
  Call call;
  const auto inverted = each(call.right.scaled, [](Matrix m) {
    for (Index i = 0; i < m.rows(); ++i) m.row(i).head(i + 1).setConstant(-kInf);
    return m;
  });
  call.see_projections().see("s", Tensor::from(call.right.scaled), 5).see("s", Tensor::from(inverted), 6);
  expect_at(call.ending_in(softmaxed(inverted)), StageName::mask, "s", 6);
}

TEST(Localise, ExponentialsAndShiftedScoresAreOnTheWay) {
  Call call;
  const Heads shifted = each(call.right.masked, [](Matrix m) {
    m.colwise() -= Eigen::VectorXd(m.rowwise().maxCoeff());
    return m;
  });
  const Heads exps = each(shifted, [](const Matrix& m) { return Matrix(m.array().exp()); });
  const Heads bad = each(exps, [](Matrix m) {
    m.array().colwise() /= Eigen::ArrayXd(m.rowwise().sum().array() + 1);
    return m;
  });
  call.see_projections()
      .see("s", Tensor::from(call.right.masked), 5)
      .see("s", Tensor::from(shifted), 6)
      .see("e", Tensor::from(exps), 7)
      .see("w", Tensor::from(bad), 8);
  expect_at(call.ending_in(bad), StageName::softmax, "w", 8);
}

TEST(Localise, OneHeadAtATimeWillDo) {
  Call call;
  const Heads bad = softmaxed(times(call.right.masked, 2));
  for (std::size_t g = 0; g < 2; ++g) {
    call.see("q", Tensor::from(call.right.q_heads[g]), 11).see("k", Tensor::from(call.right.k_heads[g]), 12);
    call.see("s", Tensor::from(call.right.masked[g]), 13).see("w", Tensor::from(bad[g]), 14);
  }
  expect_at(call.ending_in(bad), StageName::softmax, "w", 14);
}

TEST(Localise, AxesInAnotherOrderAreRecognised) {
  Call call;
  Tensor q = Tensor::zeros({1, 7, 2, 3});  // (batch, T, n_heads, d)
  double* to = q.values.data();
  for (Index i = 0; i < 7; ++i) {
    for (Index g = 0; g < 2; ++g) {
      for (Index c = 0; c < 3; ++c) *to++ = call.right.q_heads[static_cast<std::size_t>(g)](i, c);
    }
  }
  const Heads keys = each(call.right.k_heads, [](const Matrix& m) { return Matrix(m.transpose()); });
  const Heads bad = times(call.right.weights, 2);
  call.see("b", Tensor::from(keys), 1).see("a", q, 2).see("w", Tensor::from(bad), 3);
  const auto found = call.ending_in(bad);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->stage, StageName::softmax);
  ASSERT_TRUE(found->right);
  EXPECT_EQ(found->right->name, "a");
}

TEST(Localise, ScoresThatWereClippedAreNotRight) {
  Call call;
  const double limit = call.right.scaled[0].cwiseAbs().maxCoeff() / 4;
  const Heads clipped = each(call.right.scaled,
                             [limit](const Matrix& m) { return Matrix(m.cwiseMin(limit).cwiseMax(-limit)); });
  const Heads bad = softmaxed(masked(clipped));
  call.see_projections()
      .see("s", Tensor::from(call.right.scaled), 5)
      .see("s", Tensor::from(clipped), 6)
      .see("s", Tensor::from(masked(clipped)), 7)
      .see("w", Tensor::from(bad), 8);
  const auto found = call.ending_in(bad);
  ASSERT_TRUE(found && found->wrong && found->right);
  EXPECT_EQ(found->wrong->line, 6);
  EXPECT_EQ(found->right->line, 5);
}

TEST(Localise, QueriesThatWereRightAndThenChangedAreFoundWhereTheyChanged) {
  Call call;
  const Heads normalised =
      each(call.right.q_heads, [](const Matrix& m) { return Matrix(m.rowwise().normalized()); });
  Heads scores;
  for (std::size_t g = 0; g < 2; ++g)
    scores.emplace_back(normalised[g] * call.right.k_heads[g].transpose() / std::sqrt(3.0));
  call.see_projections().see("q", Tensor::from(normalised), 4).see("s", Tensor::from(masked(scores)), 5);
  expect_at(call.ending_in(softmaxed(masked(scores))), StageName::project, "q", 4);
}

TEST(Localise, ExponentialsOfScoresBeforeTheMaskMissedIt) {
  Call call;  // the masked scores are there, and not used
  const Heads exps = each(call.right.scaled, [](const Matrix& m) { return Matrix(m.array().exp()); });
  const Heads open = softmaxed(call.right.scaled);
  call.see_projections()
      .see("s", Tensor::from(call.right.scaled), 5)
      .see("m", Tensor::from(call.right.masked), 6)
      .see("e", Tensor::from(exps), 7)
      .see("w", Tensor::from(open), 8);
  expect_at(call.ending_in(open), StageName::mask, "e", 7);
}

TEST(Localise, KeysThatAreCalledQueriesAreNotRight) {
  Call call;
  const Heads crossed = each(call.right.scaled, [](const Matrix& m) { return Matrix(m.transpose()); });
  call.see_projections()
      .see("q", Tensor::from(call.right.k_heads), 4)
      .see("k", Tensor::from(call.right.q_heads), 4)
      .see("s", Tensor::from(crossed), 5);
  const auto found = call.ending_in(softmaxed(masked(crossed)));
  ASSERT_TRUE(found && found->right);
  EXPECT_EQ(found->right->line, 3);
}

TEST(Localise, ProjectionAndSplitAreToldApart) {
  Call call;
  const Matrix q = call.in.x * call.in.w_q.transpose();
  const Heads q_heads = split_heads<double>(q, 2);
  Heads scores;
  for (std::size_t g = 0; g < 2; ++g)
    scores.emplace_back(q_heads[g] * call.right.k_heads[g].transpose() / std::sqrt(3.0));
  call.see("q", Tensor::from(q), 1).see("k", Tensor::from(call.right.k), 2).see("s", Tensor::from(scores), 3);
  expect_at(call.ending_in(softmaxed(masked(scores))), StageName::project, "q", 1);

  Call other;  // reshape(n_heads, T, d) instead of reshape(T, n_heads, d) and a transposition
  const auto view = [T = other.in.tokens()](const Matrix& m) {
    return Heads{Eigen::Map<const Matrix>(m.data(), T, 3), Eigen::Map<const Matrix>(m.data() + T * 3, T, 3)};
  };
  const Heads a = view(other.right.q), b = view(other.right.k);
  for (std::size_t g = 0; g < 2; ++g) scores[g] = a[g] * b[g].transpose() / std::sqrt(3.0);
  other.see("Q", Tensor::from(a), 1).see("K", Tensor::from(b), 2).see("s", Tensor::from(scores), 3);
  expect_at(other.ending_in(softmaxed(masked(scores))), StageName::split, "Q", 1);
}

TEST(Localise, WhatComesBehindRightWeights) {
  Call mix;
  mix.see_projections().see("w", Tensor::from(mix.right.weights), 4);
  Heads heads;
  for (std::size_t g = 0; g < 2; ++g)
    heads.emplace_back(mix.right.weights[g].transpose() * mix.right.v_heads[g]);
  mix.see("z", Tensor::from(heads), 5);
  expect_at(mix.ending(merge_heads<double>(heads) * mix.in.w_o, mix.right.weights), StageName::mix, "z", 5);

  Call merge;
  const Matrix reversed = merge_heads<double>(Heads(merge.right.heads.rbegin(), merge.right.heads.rend()));
  merge.see_projections().see("z", Tensor::from(merge.right.heads), 5).see("m", Tensor::from(reversed), 6);
  expect_at(merge.ending(reversed * merge.in.w_o, merge.right.weights), StageName::merge, "m", 6);

  Call output;
  output.see_projections().see("m", Tensor::from(output.right.merged), 6);
  const auto found = output.ending(output.right.merged, output.right.weights);
  expect_at(found, StageName::output, "m", 6);
  EXPECT_TRUE(found->is_missing);
}

TEST(Localise, SnapshotsOfAnyShapeDoNoHarm) {
  for (const Dims& dims : {Dims{},
                           {0},
                           {0, 0},
                           {0, 4, 4},
                           {2, 0, 4, 4},
                           {1, 1, 1, 1, 1},
                           {2, 4, 9},
                           {9, 9},
                           {4, 4},
                           {2, 4, 4},
                           {24},
                           {4, 6},
                           {3, 4, 2}}) {
    for (const double value : {0.0, 1.5, kInf, -kInf, std::nan("")}) {
      Call call;
      Tensor tensor = Tensor::zeros(dims);
      for (std::size_t i = 0; i < tensor.values.size(); ++i)
        tensor.values[i] = std::isfinite(value) ? value * std::sin(static_cast<double>(i)) : value;
      call.see_projections().see("t", tensor, 4);
      const auto found = call.ending_in(softmaxed(call.right.scaled));
      EXPECT_TRUE(!found || found->stage >= StageName::scores);
    }
  }
}

}  // namespace
}  // namespace attest
