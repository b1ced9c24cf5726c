#include "grader/cli/cli.hpp"

#include "grader/cli/commands.hpp"
#include "grader/cli/output.hpp"
#include "grader/exercises/nearest.hpp"
#include "grader/sandbox/terminal.hpp"
#include "grader/submission/submission.hpp"
#include "grader/submission/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

namespace attest {

Ladder Context::ladder() const { return read_ladder(find_exercises(executable), catalogue()); }

namespace {

std::filesystem::path own_path(const char* argv0) {
  std::error_code unreadable;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", unreadable);
  return unreadable ? std::filesystem::path(argv0) : path;
}

// Everything that can be said on the command line.
class CommandLine {
 public:
  explicit CommandLine(const std::filesystem::path& executable) {
    context_.executable = executable;
    app_.name("attest");
    app_.set_version_flag("--version", "attest " ATTEST_VERSION);
    app_.footer(
        "Examples:\n  attest new multi-head            a stub to fill in\n  attest grade multi_head.py       "
        "grade it\n"
        "  attest explain --list            all that is checked\n\n"
        "Exit status: 0 everything passed, 1 something was lost, 2 nothing was judged.");
    add_grade();
    add_list();
    add_new();
    add_explain();
    add_hint();
    doctor_ = app_.add_subcommand("doctor", "Check that everything grading needs works here");
    doctor_->footer("Example:\n  attest doctor");
    for (CLI::App* command : app_.get_subcommands({})) add_color(*command);
  }

  int run(int argc, char** argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      print(chosen().help());
      return kAllPassed;
    } catch (const CLI::CallForVersion&) {
      print("attest " ATTEST_VERSION "\n");
      return kAllPassed;
    } catch (const CLI::ExtrasError&) {
      return wrong(unknown_word());
    } catch (const CLI::ParseError& error) {
      return wrong(error.what());
    }
    if (grade_->count() == 0 && app_.get_subcommands().empty()) {
      print(app_.help());
      return kNotJudged;
    }
    context_.colour = wants_colour();
    return dispatch();
  }

 private:
  void add_grade() {
    grade_ = app_.add_subcommand("grade", "Grade files, one report each");
    grade_->add_option("FILE", grade_options_.files, "Python (.py) or C++ (.cpp)")->required();
    const CLI::Validator not_empty(
        [](const std::string& value) { return value.empty() ? std::string("must not be empty") : ""; }, "");
    grade_
        ->add_option("-e,--exercise", grade_options_.exercise,
                     "Slug; by itself it follows from the function that a file defines")
        ->check(not_empty);
    grade_
        ->add_option(
            "--format", grade_options_.formats,
            "text, json or html, or html=FILE; may be repeated. Of several files json is one object a "
            "line, html one page with a list of all")
        ->allow_extra_args(false)
        ->take_all();
    grade_
        ->add_option("--signature", grade_options_.signature,
                     "How it is called, where the parameters do not say it (attest list names all)")
        ->check(not_empty);
    grade_->add_option("--out", grade_options_.out, "Write the report to this file")->check(not_empty);
    grade_
        ->add_option("--seed", grade_options_.seed,
                     "A number, or random; the same seed gives the same report")
        ->check(not_empty);
    grade_->add_option("--cases", grade_options_.cases, "Inputs for each property")
        ->check(CLI::Range(1, 1000000))
        ->default_val(200);
    grade_
        ->add_option("--case", grade_options_.only,
                     "Judge one input: the token from a report, or @FILE with JSON; no score")
        ->check(not_empty);
    grade_->add_option("--dtype", dtype_, "float64 or float32")
        ->check(CLI::IsMember({"float64", "float32"}))
        ->default_str("float64");
    grade_
        ->add_option(
            "--detail", grade_options_.detail,
            "How much is told: full; hint, without the failing case and its numbers: what must hold, a "
            "question, what is right so far; verdict, points and results alone. What the submission "
            "printed is shown in all")
        ->check(CLI::IsMember({"full", "hint", "verdict"}))
        ->default_str("full");
    grade_->add_option("--jobs", grade_options_.jobs, "Files graded at a time")->check(CLI::Range(1, 1024));
    grade_
        ->add_option("--isolation", grade_options_.isolation,
                     "strict: refuse where not all walls stand (attest doctor); none: only limits")
        ->check(CLI::IsMember({"strict", "best-effort", "none"}))
        ->default_str("best-effort");
    grade_
        ->add_option("--without-wall", grade_options_.without_walls,
                     "Leave one out, to see what the others hold: landlock, seccomp or user-id")
        ->check(CLI::IsMember({"landlock", "seccomp", "user-id"}))
        ->allow_extra_args(false)
        ->take_all();
    grade_->add_flag("!--no-reference", grade_options_.use_oracle,
                     "Leave out the properties that compare with the reference");
    grade_->add_flag("-v,--verbose", grade_options_.verbose, "Bounds, points and environment too");
    grade_->add_flag("--all", grade_options_.all, "Every failure in full, and every property that held");
    grade_->footer(
        "Examples:\n  attest grade mine.py\n  attest grade mine.cpp --format text --format json=report.json\n"
        "  attest grade mine.py --format html --out mine.html     (then open it in a browser)\n"
        "  attest grade --jobs 4 --format json class/*.py > reports.jsonl\n"
        "  attest grade --detail verdict --format json=verdict.json mine.py     (the case is not given "
        "away)\n"
        "  attest grade mine.py --case a1:multi-head:float64:...   (from a report's 'again' line)");
  }
  void add_list() {
    list_ = app_.add_subcommand("list", "The exercises, easiest first");
    list_->footer("Example:\n  attest list");
  }
  void add_new() {
    new_ = app_.add_subcommand("new", "Copy an exercise's stub; never overwrites");
    new_->add_option("SLUG", new_options_.slug, "The exercise; the interview question when none is named");
    new_->add_option("DIR", new_options_.folder, "Where to put it")->default_str(".");
    new_->add_option("--lang", new_options_.language, "py or cpp")
        ->check(CLI::IsMember({"py", "cpp"}))
        ->default_str("py");
    new_->footer("Examples:\n  attest new multi-head\n  attest new causal-attention --lang cpp answers");
  }
  void add_explain() {
    explain_ = app_.add_subcommand("explain", "What a property says, and why it must hold");
    explain_->add_option("ID", explain_id_, "For example weights/rows-sum-to-one");
    explain_->add_flag("--list", explain_list_, "All properties");
    explain_->footer("Examples:\n  attest explain weights/rows-sum-to-one\n  attest explain --list");
  }
  void add_hint() {
    hint_ = app_.add_subcommand("hint", "A little help with an exercise, more with each level");
    hint_->add_option("SLUG", hint_options_.slug, "The exercise; the interview question when none is named");
    hint_->add_option("--level", hint_options_.level, "1 a nudge, 2 a pointer, 3 nearly the answer")
        ->check(CLI::Range(1, 3))
        ->default_val(1);
    hint_->add_option("--aspect", hint_options_.aspect,
                      "mask, softmax, scale, heads, projections, state, numerics or shape");
    hint_
        ->add_option("--for", hint_options_.bug,
                     "A bug that a report has named (attest explain --list shows all)")
        ->type_name("BUG");
    hint_->footer(
        "Examples:\n  attest hint multi-head\n  attest hint multi-head --aspect mask --level 2\n"
        "  attest hint multi-head --for mask-none");
  }
  void add_color(CLI::App& command) {
    command.add_option("--color,--colour", color_, "auto, always or never")
        ->check(CLI::IsMember({"auto", "always", "never"}))
        ->default_str("auto");
  }

  // no-color.org: NO_COLOR, when set to anything, decides unless the flag was given.
  bool wants_colour() const {
    if (color_ != "auto") return color_ == "always";
    const char* no_color = std::getenv("NO_COLOR");
    if (no_color != nullptr && *no_color != '\0') return false;
    const char* term = std::getenv("TERM");
    return is_terminal(Stream::output) && (term == nullptr || std::string_view(term) != "dumb");
  }

  const CLI::App& chosen() const {
    const auto commands = app_.get_subcommands();
    return commands.empty() ? app_ : *commands.front();
  }

  std::string unknown_word() const {
    const std::vector<std::string> rest = app_.remaining(true);
    const std::string word = rest.empty() ? "" : rest.front();
    const CLI::App& command = chosen();
    std::vector<std::string> known;
    if (word.starts_with('-')) {
      for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
      }
      return fmt::format("there is no option '{}'{}", word.substr(0, word.find('=')),
                         did_you_mean(word.substr(0, word.find('=')), known));
    }
    if (&command != &app_) return fmt::format("'{}' is one word too many", word);
    for (const CLI::App* other : app_.get_subcommands({})) known.push_back(other->get_name());
    return fmt::format("there is no command '{}'{}", word, did_you_mean(word, known));
  }

  int wrong(const std::string& message) const {
    const CLI::App& command = chosen();
    fmt::print(stderr, "attest: {}\nsee: attest {}--help\n", visible(message),
               &command == &app_ ? "" : command.get_name() + " ");
    return kNotJudged;
  }

  int dispatch() {
    if (grade_->parsed()) {
      if (!dtype_.empty()) grade_options_.dtype = dtype_ == "float32" ? Dtype::float32 : Dtype::float64;
      return grade_command(grade_options_, context_);
    }
    if (list_->parsed()) return list_command(context_);
    if (new_->parsed()) return new_command(new_options_, context_);
    if (explain_->parsed()) {
      if (explain_id_.empty() && !explain_list_) return wrong("name a property, or say --list");
      return explain_command(explain_list_ ? "" : explain_id_, context_);
    }
    if (hint_->parsed()) return hint_command(hint_options_, context_);
    return doctor_command(context_);
  }

  CLI::App app_{
      "Grades implementations of causal multi-head attention by what must hold for every correct one."};
  CLI::App *grade_ = nullptr, *list_ = nullptr, *new_ = nullptr, *explain_ = nullptr, *hint_ = nullptr,
           *doctor_ = nullptr;
  Context context_;
  GradeCommand grade_options_;
  NewCommand new_options_;
  HintCommand hint_options_;
  std::string explain_id_, dtype_, color_ = "auto";
  bool explain_list_ = false;
};

}  // namespace

int run_cli(int argc, char** argv) {
  provide_standard_streams();
  survive_failed_writes();
  try {
    return CommandLine(own_path(argv[0])).run(argc, argv);
  } catch (const UsageError& error) {
    fmt::print(stderr, "attest: {}\n", visible(error.what()));
  } catch (const LadderError& error) {
    fmt::print(stderr, "attest: {}\n", visible(error.what()));
  } catch (const std::exception& error) {
    fmt::print(stderr, "attest: this is a fault of attest itself: {}\n", visible(error.what()));
  }
  return kNotJudged;
}

}  // namespace attest
