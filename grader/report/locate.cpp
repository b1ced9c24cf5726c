#include "grader/report/locate.hpp"

#include "properties/localise.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {
namespace {

constexpr double kLargeScores = 100;  // from here on they are worth a word

std::string place_text(const CodePlace& place) {
  if (place.is_argument) {  // it was given, not made: the line is that of the call
    const bool named = !place.function.starts_with('<');
    return fmt::format("the argument `{}` of {} (called in line {})", place.name,
                       named ? fmt::format("`{}`", place.function) : "a lambda", place.line);
  }
  const std::string name = place.name != place.function      ? fmt::format("`{}`", place.name)
                           : place.function.starts_with('<') ? "what a lambda returns"
                                                             : fmt::format("what `{}` returns", place.name);
  return place.line > 0 ? fmt::format("{} (line {})", name, place.line) : name;
}

std::string_view words_of(StageName stage) {
  switch (stage) {
    case StageName::project:
      return "the projections";
    case StageName::split:
      return "the split into heads";
    case StageName::scores:
      return "the products of queries and keys";
    case StageName::scale:
      return "the scaling";
    case StageName::mask:
      return "the mask";
    case StageName::softmax:
      return "the softmax";
    case StageName::mix:
      return "the mix of the values";
    case StageName::merge:
      return "the merging of the heads";
    case StageName::output:
      return "the output projection";
  }
  return "";
}

std::string location_text(const Location& location, double largest) {
  const std::string_view stage = words_of(location.stage);
  std::string text = !location.wrong ? std::string(stage)
                     : location.is_missing
                         ? fmt::format("after {} {} is missing", place_text(*location.wrong), stage)
                         : fmt::format("{}, {}", place_text(*location.wrong), stage);
  if (location.right) text += fmt::format("; {} is right", place_text(*location.right));
  if (largest > kLargeScores) text += fmt::format(" (in a call with scores up to {:.0e})", largest);
  return text;
}

}  // namespace

void locate(const Exercise& exercise, Candidate& candidate, std::uint64_t seed, Report& report) {
  const bool is_of_values = report.outcome == Outcome::falsified || report.outcome == Outcome::wrong_shape;
  if (!is_of_values || exercise.spec.subject != "attention") return;
  Subject subject;
  subject.spec = &exercise.spec;
  subject.dtype = report.dtype;
  const std::vector<Question> questions = localising_questions(exercise.spec, report.dtype, seed);
  candidate.restart();
  const std::vector<Reply> replies = candidate.answer(questions);
  for (std::size_t i = 0; i < std::min(replies.size(), questions.size()); ++i) {
    if (!is_wrong(subject, questions[i], replies[i])) continue;
    Question traced = questions[i];
    traced.fresh = traced.trace = true;
    const std::vector<Reply> reply = candidate.answer({&traced, 1});
    if (reply.size() != 1) return;
    const auto location = localise(subject, traced, reply[0]);
    if (!location) return;
    report.location =
        LocationReport{std::string(to_string(location->stage)),
                       location->right,
                       location->right ? std::string(to_string(location->right_stage)) : "",
                       location->wrong,
                       location->is_missing,
                       location_text(*location, largest_score(attention_inputs(questions[i].arguments)))};
    return;
  }
}

}  // namespace attest
