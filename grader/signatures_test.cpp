// The ways in which people call attention, each a file that is right, and what a slip in it loses.
#include "grader/graded_files.hpp"
#include "grader/sandbox/sandbox.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace attest {
namespace {

struct Called {
  const char *file, *given, *used;
};

TEST(Signatures, EachIsGradedByItsRow) {
  const Called rows[] = {
      {"out_in.py", "out-in", "out-in"},
      {"batch.py", "batch", "batch"},
      {"batch_y.py", "batch", "batch"},
      {"joint.py", "", "joint"},
      {"joint_oi.py", "joint-out-in", "joint-out-in"},
      {"biases.py", "", "biases"},
      {"biases_interleaved.py", "", "biases"},  // the same names in another order ...
      {"keys_first_names.py", "", "default"},   // ... get what their names say
      {"joint_biases.py", "", "joint-biases"},  // as many parameters as the default's, with other names
      {"qkv.py", "", "qkv-given"},
      {"mask.py", "", "mask-given"},
      {"cls.py", "", "class"},
      {"cls_weights.py", "", "class-weights"},
      {"cls_heads_first.py", "", "class-heads-first"},
      {"mask_visible.py", "mask-visible", "mask-visible"},
      {"mask_hidden.py", "mask-hidden", "mask-hidden"},
      {"cls_forward_batch.py", "class-forward-batch", "class-forward-batch"},
      {"biases.cpp", "", "biases"},
      {"joint.cpp", "", "joint"},
      {"joint_biases.cpp", "", "joint-biases"},
      {"batch.cpp", "batch", "batch"},
      {"out_in.cpp", "out-in", "out-in"}};
  for (const Called& row : rows) {
    GradeOptions options;
    options.signature = row.given;
    options.plan.cases = 60;
    const Report report = grade(load(kTestdata / "signatures" / row.file), ladder(), options);
    EXPECT_EQ(report.signature, row.used) << row.file;
    EXPECT_EQ(report.score.value_or(Points{}).earned, 100) << row.file << why(report);
  }
}

TEST(Signatures, WhatIsRightUnderAnotherIsToldSo) {
  for (const auto& [file, signature] :
       {std::pair{"out_in.py", "out-in"},
        {"batch.py", "batch"},
        {"joint_oi.py", "joint-out-in"},
        {"mask_visible.py", "mask-visible"},
        {"mask_optional.py", "mask-visible"},  // nothing is hidden unless a mask is given
        {"cls_forward_batch.py", "class-forward-batch"},
        {"../shapes/class_mask.py", "class-forward-mask"}}) {
    const Report report = grade_file(kTestdata / "signatures" / file, 60);
    EXPECT_THAT(report.first_message, testing::HasSubstr(signature)) << why(report);
    EXPECT_LT(report.score.value_or(Points{}).earned, 100);
  }
}

// With a bias behind w_o, right values are not those of a call that has none: nothing may be said about them.
TEST(Signatures, AForgottenBiasIsNotSaidToBeInTheValues) {
  const PrivateFolder folder;
  const fs::path file = folder.path() / "forgets.py";
  std::ifstream right(kTestdata / "signatures" / "joint_biases.py");
  std::string text{std::istreambuf_iterator<char>(right), {}};
  text.replace(text.find(" + b_o"), 6, "");
  std::ofstream(file) << text;
  const Report report = grade_file(file, 60);
  EXPECT_EQ(report.signature, "joint-biases");
  EXPECT_EQ(report.outcome, Outcome::falsified);
  EXPECT_EQ(report.location ? report.location->text : "", "");
}

TEST(Signatures, AWrongOneIsNotExcusedByAnother) {
  const Report report = grade_file(kTestdata / "signatures" / "wrong_scale_out_in.py", 60);
  EXPECT_EQ(report.first_message, "");
  EXPECT_NE(report.outcome, Outcome::passed);
}

// Of a parameter that may be left out only its name says what it is: an eps of a mask's shape computes something, too.
TEST(Signatures, AnOptionalNumberIsNoMask) {
  const PrivateFolder folder;
  const fs::path file = folder.path() / "eps.py";
  std::ofstream(file) << R"(
import numpy as np

def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, eps=1e-3):
    T, D = x.shape
    q, k, v = [(x @ w).reshape(T, n_heads, -1).transpose(1, 0, 2) for w in (w_q, w_k, w_v)]
    s = np.where(np.tri(T, dtype=bool), q @ k.transpose(0, 2, 1) / np.sqrt(D // n_heads), -np.inf)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / (e.sum(axis=-1, keepdims=True) + eps)
    return (w @ v).transpose(1, 0, 2).reshape(T, D) @ w_o, w
)";
  const Report report = grade_file(file, 60);
  EXPECT_EQ(report.first_message, "");
  ASSERT_EQ(report.diagnosis.size(), 1u) << why(report);
  EXPECT_EQ(report.diagnosis[0].bug, "softmax-eps");
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

Submission changed(const fs::path& file, const std::string& from, const std::string& to) {
  const PrivateFolder folder;
  const fs::path copy = folder.path() / file.filename();
  std::ofstream(copy) << replaced(load(file).text, from, to);
  return load(copy);
}

TEST(Signatures, AClassWithOtherAttributesIsToldWhichAreSet) {
  const Report report = grade_file(kTestdata / "signatures" / "cls_other_names.py", 60);
  EXPECT_EQ(report.outcome, Outcome::raised);
  ASSERT_TRUE(report.error);
  EXPECT_EQ(report.error->message,
            "AttributeError: CausalMultiHeadAttention has no attribute w_q; what is set before a call is "
            "w_q, w_k, w_v, w_o");
}

TEST(Signatures, AMaskIsTheCallersToo) {
  const Report report = grade(
      changed(kTestdata / "signatures" / "mask.py", "    T = q", "    mask[mask < 0] = -1e300\n    T = q"),
      ladder(), GradeOptions{});
  EXPECT_EQ(failed(report), std::set<std::string>{"state/pure"}) << why(report);
}

// A helper with the name of another row's entry does not stand in for the function that the file is about.
TEST(Signatures, TheFirstEntryThatIsThereDecides) {
  const PrivateFolder folder;
  const fs::path file = folder.path() / "mine.py";
  std::ofstream(file) << "class MultiHeadAttention:\n    def __init__(self, d_model, num_heads): pass\n"
                         "    def forward(self, x): return x\n"
                         "def causal_multi_head_attention(x, w_q, w_k, w_v, n_heads): return x\n";
  const Report report = grade(load(file), ladder(), GradeOptions{});
  EXPECT_EQ(report.outcome, Outcome::raised);
  ASSERT_TRUE(report.error);
  EXPECT_THAT(report.error->message,
              testing::HasSubstr("causal_multi_head_attention has the parameters (x, w_q"));
}

// A token says its signature along, so that the call is the same again.
TEST(Signatures, ACounterexampleIsAskedAgainUnderItsSignature) {
  const Report report = grade(changed(kTestdata / "signatures" / "biases.py", "x @ w_q + b_q", "x @ w_q"),
                              ladder(), GradeOptions{});
  const auto ratios = std::find_if(report.properties.begin(), report.properties.end(),
                                   [](const auto& p) { return p.id == "scores/log-ratios"; });
  ASSERT_NE(ratios, report.properties.end());
  ASSERT_TRUE(ratios->counterexample);
  EXPECT_THAT(ratios->reproduce, testing::HasSubstr("--signature biases --case a1:"));
  const Tensor* x = find(ratios->called_with, "x");
  ASSERT_NE(x, nullptr);
  EXPECT_NE(*x,
            get(ratios->counterexample->questions[0].arguments, "x"));  // a feature of it is in the biases
  EXPECT_NE(find(ratios->called_with, "b_q"), nullptr);
}

// Each bias that can be seen is seen where it belongs, and in no other aspect: {in the file's text, what is there instead, fails}.
struct Slip {
  const char *from, *to;
  std::set<std::string> fails;
};

TEST(Signatures, AForgottenBiasIsFound) {
  const std::string reference = "output/agrees-with-reference", ratios = "scores/log-ratios",
                    first = "values/first-row", mix = "values/mix-of-weights", alike = "values/equal-tokens",
                    largest = "numerics/largest-key-wins";
  const Slip slips[] = {
      {"x @ w_q + b_q", "x @ w_q", {ratios, largest, reference}},
      {"x @ w_v + b_v", "x @ w_v", {first, mix, alike, "heads/influence-map", reference}},
      {"o @ w_o + b_o", "o @ w_o", {first, mix, alike, reference}},
      {"x @ w_q + b_q, x @ w_k + b_k", "x @ w_q, x @ w_k + b_q", {ratios, largest, reference}},
      {"x @ w_k + b_k", "x @ w_k", {}},  // adds the same to all scores of a row: nobody can see it
  };
  for (const Slip& slip : slips) {
    const Report report =
        grade(changed(kTestdata / "signatures" / "biases.py", slip.from, slip.to), ladder(), GradeOptions{});
    EXPECT_EQ(report.signature, "biases");
    EXPECT_EQ(failed(report), slip.fails) << slip.from << " -> " << slip.to << why(report);
  }
}

TEST(Signatures, BiasesCostARightFileNothing) {
  for (const bool weights : {true, false}) {
    for (const Dtype dtype : {Dtype::float64, Dtype::float32}) {
      GradeOptions options;
      options.worker.dtype = dtype;
      options.plan.cases = 400;
      const Submission file =
          changed(kTestdata / "signatures" / "biases.py", "+ b_o, w", weights ? "+ b_o, w" : "+ b_o");
      const Report report = grade(file, ladder(), options);
      EXPECT_EQ(report.score.value_or(Points{}).earned, 100) << weights << to_string(dtype) << why(report);
    }
  }
}

// Ten calls that are common in public code, and a course's rows for those that exercises.toml does not know.
Ladder with_rows(const fs::path& home, const fs::path& rows) {
  std::stringstream text, more;
  text << std::ifstream(fs::path(ATTEST_SOURCE_EXERCISES) / "exercises.toml").rdbuf();
  more << std::ifstream(rows).rdbuf();
  std::string all = text.str();
  const std::size_t exercise = all.find("slug = \"multi-head\"");
  all.insert(all.find("  [[exercise.property]]", exercise), more.str() + "\n");
  std::ofstream(home / "exercises.toml") << all;
  for (const Exercise& e : ladder().exercises) fs::create_directory(home / e.folder.filename());
  return read_ladder(home, catalogue());
}

struct Shape {
  const char *file, *given, *used;  // the signature's name: as option, and as it was chosen
  const char *from, *to, *loses;    // a slip in it, and the property that finds it
};

TEST(Signatures, TenPublicShapesAreGradedByRowsAlone) {
  const PrivateFolder home;
  const Ladder course = with_rows(home.path(), kTestdata / "shapes" / "rows.toml");
  const Shape shapes[] = {
      {"dicts.py", "", "dicts", "np.sqrt(k.shape[1])", "np.sqrt(len(k))", "scores/heads-padded"},
      {"class_forward.py", "", "class-forward", "np.tri(len(x)", "np.tri(len(x), k=-1", "output/finite"},
      {"class_mask.py", "class-forward-mask", "class-forward-mask", "np.where(mask, scores, -np.inf)",
       "scores + mask", "causality/truncation-invariance"},
      {"class_qkv.py", "", "class-tokens-thrice", "bhij,bhjd", "bhji,bhjd",
       "causality/truncation-invariance"},
      {"tokens_thrice.py", "", "tokens-thrice", "(K, W_k), (V, W_v)", "(K, W_k), (V, W_k)",
       "values/first-row"},
      {"lecture.py", "", "keys-first", "Q @ K.swapaxes", "K @ Q.swapaxes", "scores/log-ratios"},
      {"lists.py", "", "list-of-heads", "** 0.5", "** 1.0", "scores/scaled-by-d-head"},
      {"params.py", "", "params", "project(merged, params, \"o\")", "merged @ params[\"W_o\"]",
       "values/first-row"},
      {"config.py", "", "config", "self.n_head, C // self.n_head)",
       "C // self.n_head, self.n_head).swapaxes(3, 4)", "heads/influence-map"},
      {"integers.py", "", "extents", "scores.max(axis=-1, keepdims=True)", "0", "numerics/large-scores"},
  };
  for (const Shape& shape : shapes) {
    const fs::path file = kTestdata / "shapes" / shape.file;
    GradeOptions options;
    options.signature = shape.given;
    options.plan.cases = 60;
    const Report right = grade(load(file), course, options);
    EXPECT_EQ(right.signature, shape.used) << shape.file;
    EXPECT_EQ(right.score.value_or(Points{}).earned, 100) << shape.file << why(right);
    const Report wrong = grade(changed(file, shape.from, shape.to), course, options);
    EXPECT_EQ(wrong.signature, shape.used) << shape.file;
    EXPECT_TRUE(failed(wrong).contains(shape.loses)) << shape.file << why(wrong);
  }
}

}  // namespace
}  // namespace attest
