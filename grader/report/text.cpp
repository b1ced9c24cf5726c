#include "grader/report/text.hpp"

#include "grader/report/guidance.hpp"
#include "grader/report/matrices.hpp"
#include "grader/report/numbers.hpp"
#include "grader/report/paint.hpp"
#include "grader/submission/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace attest {
namespace {

constexpr std::size_t kInFull = 2;  // aspects of which a failure is shown in full unless all are asked for
constexpr double kNearTheBound =
    1000;  // an error within this factor of its bound is a matter of rounding: show both
constexpr std::size_t kNamed = 8;  // properties that are named where no one can be more to blame than another
constexpr std::size_t kLineBytes = 240;  // of one such line
constexpr std::size_t kTailLines = 8;    // of a traceback or of output

std::string plural(std::size_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

class Writer {
 public:
  Writer(const Report& report, const TextStyle& style)
      : report_(report), style_(style), paint_(style.colour) {}

  std::string write() {
    head();
    signature();
    if (!report_.first_message.empty())
      nothing_judged();
    else
      judged();
    advice();
    if (style_.verbose) footer();
    return std::move(text_);
  }

 private:
  void line(const std::string& text) { text_ += text + "\n"; }
  // "  look at:  ..." with continuation lines below the words.
  void item(std::string_view label, const std::string& words) {
    if (!words.empty()) line(fmt::format("  {:<15}{}", fmt::format("{}:", label), words));
  }

  // A report knows the file's name only, who types a command its path.
  std::string as_typed(std::string command) const {
    const std::string own = "attest grade " + shell_word(report_.file);
    const std::size_t at = style_.path.empty() ? std::string::npos : command.find(own);
    if (at != std::string::npos) command.replace(at, own.size(), "attest grade " + shell_word(style_.path));
    return command;
  }

  void head() {
    const std::string name = printable_line(report_.id.empty() ? report_.file : report_.id);
    if (!report_.score) {
      line(paint_.bold(name) +
           (report_.outcome == Outcome::internal_error ? "  not judged" : "  one case, no score"));
      return;
    }
    line(fmt::format("{}  {}",
                     paint_.bold(fmt::format("{} / {}", points_text(report_.score->earned),
                                             points_text(report_.score->possible))),
                     name));
  }

  void signature() {
    if (report_.signature != "default") item("called as", fmt::format("signature '{}'", report_.signature));
  }

  static std::string points_words(double points) {
    const std::string text = points_text(points);
    return text + (text == "1" ? " point" : " points");
  }

  static std::string points_text(double points) {
    // One decimal is enough, but 99.96 must not read as 100.
    const double tenths = std::floor(points * 10 + 1e-9) / 10;
    return fmt::format("{:g}", tenths);
  }

  void nothing_judged() {
    const bool kind = report_.outcome == Outcome::unfinished;
    line((kind ? paint_.yellow("○") : paint_.red("✗")) + " " + report_.first_message);
    if (report_.error) {
      const Fault& fault = *report_.error;
      if (!fault.traceback.empty() && !kind) tail("", fault.traceback);
    }
    if (!report_.output_tail.empty()) tail("it printed", report_.output_tail);
  }

  // The last lines of a longer text, indented; what is left out is counted.
  void tail(std::string_view label, const std::string& words) {
    const std::vector<std::string> all = lines_of(printable(words));
    if (!label.empty()) line(fmt::format("  {}:", label));
    const std::size_t first = all.size() > kTailLines && !style_.all ? all.size() - kTailLines : 0;
    if (first > 0) line(paint_.faint(fmt::format("    ({} lines before these; --all shows them)", first)));
    for (std::size_t i = first; i < all.size(); ++i) line("    " + printable_line(all[i], kLineBytes));
  }

  void judged() {
    std::vector<const PropertyReport*> causes, consequences, skipped, held, waiting;
    for (const PropertyReport& property : report_.properties) {
      if (property.advice && is_failure(property.outcome)) continue;  // told among the advice
      if (is_failure(property.outcome)) {
        (property.follows_from.empty() ? causes : consequences).push_back(&property);
      } else if (property.outcome == Outcome::skipped) {
        skipped.push_back(&property);
      } else {
        if (property.outcome != Outcome::fragile)
          (property.waits_for.empty() ? held : waiting).push_back(&property);
      }
    }
    if (causes.empty() && consequences.empty()) {
      line(paint_.green("✓") + fmt::format(" {} on {}",
                                           plural(held.size(), "property holds", "properties hold"),
                                           plural(static_cast<std::size_t>(report_.cases), "case", "cases")));
    } else {
      right_so_far();
    }
    looks_like();
    // One aspect, one block: what else failed of the same aspect most likely has the same cause.
    std::vector<const PropertyReport*> others;
    std::set<std::string> aspects;
    for (const PropertyReport* property : causes) {
      if (style_.all || (aspects.size() < kInFull && aspects.insert(property->group).second))
        block(*property);
      else
        others.push_back(property);
    }
    if (style_.all) {
      for (const PropertyReport* property : consequences) block(*property);
    }
    rest(others, consequences);
    not_judged(skipped);
    held_for_the_rest(held);
    if (!waiting.empty() && report_.score) {
      std::set<std::string> needed;
      for (const PropertyReport* property : waiting) needed.insert(property->waits_for);
      line(fmt::format("· {} {} points only when {} does: {}",
                       plural(waiting.size(), "check that holds", "checks that hold"),
                       waiting.size() == 1 ? "earns" : "earn", fmt::join(needed, " and "), ids(waiting)));
    }
    if (style_.all) {
      for (const PropertyReport* property : held)
        line(paint_.green("✓") + fmt::format(" {}  [{}]", property->title, property->id));
    }
    if (!report_.output_tail.empty() && style_.verbose) tail("it printed", report_.output_tail);
    if (!report_.hint.empty()) line("next: " + report_.hint);
  }

  // A name only where all agrees; otherwise what is known.
  void looks_like() {
    for (const BugReport& bug : report_.diagnosis) {
      std::string words = bug.title;
      for (const auto& [name, value] : bug.parameters) words += fmt::format(", {} {:g}", name, value);
      if (!bug.title.empty())
        item("looks like", fmt::format("{} (the same on {} of {} inputs that show it)  [{}]", words,
                                       bug.agreed, bug.of, bug.bug));
      for (const BugReport::Alike& other : bug.equivalent)
        item("or, alike",
             fmt::format("{}; nothing that was asked tells them apart  [{}]", other.title, other.bug));
      item("ask yourself", bug.ask);
    }
    if (report_.diagnosis.empty() && !report_.known.empty())
      item("what is known", fmt::format("{}", fmt::join(report_.known, "; ")));
    if (report_.location) item("first wrong", printable_line(report_.location->text));
  }

  // What was not looked at is neither right nor wrong.
  void right_so_far() {
    if (report_.right_so_far.empty()) return;
    item("right so far", fmt::format("{}", fmt::join(report_.right_so_far, ", ")));
    std::vector<std::string> open = report_.not_judged;
    for (const std::string& aspect : report_.judged_in_part) open.push_back(aspect + " in part");
    item("not judged", fmt::format("{}", fmt::join(open, ", ")));
  }

  // There was an answer, and it is wrong: what the property says matters. Otherwise the fault says it all.
  static bool answered(const PropertyReport& property) { return property.verdict.fault.message.empty(); }

  void block(const PropertyReport& property) {
    line(paint_.red("✗") + " " +
         (property.explanation.empty() ? "this does not always hold: " + property.title
                                       : property.explanation));
    const Evidence& evidence = property.verdict.evidence;
    if (property.counterexample) {
      const Counterexample& found = *property.counterexample;
      item(answered(property) ? "check by hand" : "called with", by_hand(property, found));
      item("given as", inputs_text(property.called_with, report_.dtype));
      for (const OtherCall& call : property.before) item("after a call", other_call(property, call));
      if (property.takes_more_calls)
        item("after", "many calls; no short sequence was found that brings it about in a new process");
      if (const std::size_t n = property.after.size(); n > 0)  // all alike
        item(fmt::format("then {} calls", n), other_call(property, property.after.front()));
      if (!evidence.transform.empty()) item("there", printable_line(evidence.transform));
      const Arguments arguments = found.questions.empty() ? Arguments{} : found.questions.front().arguments;
      const auto tensors = static_cast<std::size_t>(std::count_if(
          arguments.begin(), arguments.end(), [](const Named& argument) { return !argument.integer; }));
      if (tensors > 0 && found.irrelevant.size() >= tensors)
        item("any will do", "nearly all numbers in this shape fail");
      else if (!found.irrelevant.empty())
        item("any will do", fmt::format("{}", fmt::join(found.irrelevant, ", ")));
    }
    if (evidence.read_out)
      item("your weights", "read out through y, by calls in which the values label the tokens");
    for (const std::string& row : comparison(evidence, paint_, guidance(property.id).headings))
      line("    " + row);
    const Fault& fault = property.verdict.fault;
    if (property.outcome != Outcome::falsified && !fault.traceback.empty()) tail("", fault.traceback);
    if (property.outcome == Outcome::falsified && report_.detail == Detail::full &&
        (style_.verbose || evidence.error <= kNearTheBound * evidence.bound)) {
      item("rounding",
           fmt::format("off by {:.2g}; rounding explains at most {:.2g}", evidence.error, evidence.bound));
    }
    if (report_.diagnosis
            .empty()) {  // otherwise the name says more than what the property could have failed for
      item("look at", property.look_at);
      item("ask yourself", property.ask);
    }
    if (style_.verbose) {
      item("points", fmt::format("{} of {}", points_text(property.points.earned),
                                 points_text(property.points.possible)));
    }
    item("again", as_typed(property.reproduce));
    if (answered(property) || property.outcome == Outcome::wrong_shape)
      item("about it", fmt::format("attest explain {}", property.id));
  }

  std::string by_hand(const PropertyReport& property, const Counterexample& found) const {
    const std::size_t question = property.verdict.evidence.question;
    if (question >= found.questions.size()) return {};
    const Question& asked = found.questions[question];
    std::string text = call_text(property.shape, asked.arguments);
    if (asked.order == MemoryOrder::fortran) text += ", arrays in Fortran order";
    if (asked.order == MemoryOrder::strided) text += ", arrays that are views with gaps";
    if (asked.order == MemoryOrder::same_arrays) text += ", in the arrays of the call before";
    return text;
  }

  std::string call_text(const Extents& shape, const Arguments& arguments) const {
    // In the order in which a person reads them: tokens, heads, the rest.
    std::vector<std::pair<std::string, Index>> extents;
    for (const char* symbol : {"T", "n_heads"}) {
      if (shape.contains(symbol)) extents.emplace_back(symbol, shape.at(symbol));
    }
    for (const auto& [symbol, extent] : shape) {
      if (symbol != "T" && symbol != "n_heads") extents.emplace_back(symbol, extent);
    }
    const std::string text = extents_text(extents), inputs = inputs_text(arguments, report_.dtype);
    return text + (text.empty() || inputs.empty() ? "" : ", ") + inputs;
  }

  // What is not as in the judged call.
  std::string other_call(const PropertyReport& property, const OtherCall& call) const {
    const Question& judged = property.counterexample->questions.at(property.verdict.evidence.question);
    Extents shape;
    for (const auto& [symbol, extent] : call.shape) {
      if (!property.shape.contains(symbol) || property.shape.at(symbol) != extent)
        shape.emplace(symbol, extent);
    }
    Arguments others = call.arguments;
    const std::size_t n = others.size();
    std::erase_if(others, [&](const Named& argument) {
      const Tensor* same = find(judged.arguments, argument.name);
      return same != nullptr && *same == argument.tensor;
    });
    if (shape.empty() && others.empty()) return "the same arguments";
    return call_text(shape, others) + (others.size() < n ? ", the rest as above" : "");
  }

  static std::string ids(const std::vector<const PropertyReport*>& properties) {
    std::vector<std::string> names;
    for (const PropertyReport* property : properties) names.push_back(property->id);
    return fmt::format("{}", fmt::join(names, ", "));
  }

  void rest(const std::vector<const PropertyReport*>& causes,
            const std::vector<const PropertyReport*>& consequences) {
    if (!causes.empty()) {
      line(fmt::format("{} {} (--all): {}", paint_.red("✗"),
                       plural(causes.size(), "more check failed", "more checks failed"), ids(causes)));
    }
    if (!consequences.empty() && !style_.all) {
      line(fmt::format("· {} probably from the above and {} {} (--all): {}",
                       plural(consequences.size(), "failed check follows", "failed checks follow"),
                       consequences.size() == 1 ? "costs" : "cost", cost_text(consequences),
                       ids(consequences)));
    }
  }

  // A consequence earns its points, but never more than was earned outright (score.hpp).
  std::string cost_text(const std::vector<const PropertyReport*>& consequences) const {
    double lost = 0;
    for (const PropertyReport* property : consequences)
      lost += property->points.possible - property->points.earned;
    return lost < 0.05 || !report_.score ? "nothing more" : points_words(lost);
  }

  // One line for each cause. What does not apply to this submission is no news, unless all is asked for.
  void not_judged(const std::vector<const PropertyReport*>& skipped) {
    std::vector<std::string> reasons;
    std::map<std::string, std::vector<const PropertyReport*>> of_reason;
    for (const PropertyReport* property : skipped) {
      if (property->points.possible == 0 && !style_.all) continue;
      auto& list = of_reason[property->skip_reason];
      if (list.empty()) reasons.push_back(property->skip_reason);
      list.push_back(property);
    }
    for (const std::string& reason : reasons) {
      const auto& list = of_reason[reason];
      double points = 0;
      for (const PropertyReport* property : list) points += property->points.possible;
      const bool many = list.size() > kNamed && !style_.all;
      line(fmt::format(
          "- not judged{} ({}): {}", report_.score ? ", " + points_words(points) : "", reason,
          many ? fmt::format("{} (--all names them)", plural(list.size(), "property", "properties"))
               : ids(list)));
    }
  }

  void held_for_the_rest(const std::vector<const PropertyReport*>& held) {
    std::vector<const PropertyReport*> in_part;
    double lost = 0;
    for (const PropertyReport* property : held) {
      if (!held_in_part(*property)) continue;
      in_part.push_back(property);
      lost += property->points.possible - property->points.earned;
    }
    if (in_part.empty() || !report_.score) return;
    const bool many = in_part.size() > kNamed && !style_.all;
    line(fmt::format("- {} less, for the calls without an answer: {} {} for the rest{}", points_words(lost),
                     plural(in_part.size(), "check", "checks"), in_part.size() == 1 ? "holds" : "hold",
                     many ? "" : ": " + ids(in_part)));
  }

  void advice() {
    for (const Advice& advice : report_.advice) {
      if (advice.kind == "informative" && !style_.all) continue;  // right answers have it, too
      const std::vector<std::string> lines = lines_of(as_typed(advice.text));
      for (std::size_t i = 0; i < lines.size(); ++i) {
        line((i == 0 ? "" : "  ") + lines[i]);
      }
    }
  }

  void footer() {
    const Environment& e = report_.environment;
    const std::string seed = report_.seed ? fmt::format("seed {}, ", *report_.seed) : "";
    std::string where = fmt::format("attest {}, {}{}, {} cases, {:.0f} ms", ATTEST_VERSION, seed,
                                    to_string(report_.dtype), report_.cases, report_.wall_ms);
    for (const auto& [name, value] :
         {std::pair{"Python", e.python}, {"NumPy", e.numpy}, {"", e.compiler}, {"", e.cpu}}) {
      if (!value.empty()) where += fmt::format(", {}{}{}", name, *name == '\0' ? "" : " ", value);
    }
    line(paint_.faint(where));
    if (!report_.isolation.level.empty()) {
      line(paint_.faint(fmt::format("isolation: {} ({})", report_.isolation.level,
                                    fmt::join(report_.isolation.walls, ", "))));
    }
  }

  const Report& report_;
  const TextStyle& style_;
  Paint paint_;
  std::string text_;
};

}  // namespace

std::string to_text(const Report& report, const TextStyle& style) { return Writer(report, style).write(); }

std::string outcome_words(Outcome outcome) {
  std::string words(to_string(outcome));
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

}  // namespace attest
