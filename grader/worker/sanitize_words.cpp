// A sanitizer's finding as a sentence about the learner's own file.
#include "grader/submission/text.hpp"
#include "grader/worker/sanitize.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace attest {
namespace {

using Kind = Finding::Kind;
using Access = Finding::Access;

bool is_name_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_name_part(char c) { return is_name_start(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

bool includes(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool starts = at == 0 || !is_name_part(text[at - 1]);
    const std::size_t end = at + word.size();
    if (starts && (end == text.size() || !is_name_part(text[end]))) return true;
  }
  return false;
}

// Line `number` of the file, counted from 1, without its comment.
std::string_view source_line(const Submission& submission, int number) {
  std::string_view text = submission.text;
  for (int line = 1; line < number; ++line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  text = number > 0 ? text.substr(0, text.find('\n')) : std::string_view{};
  return text.substr(0, text.find("//"));
}

// Without the heads of loops: what they assign is counters.
std::string_view without_loops(std::string_view line) {
  for (;;) {
    const std::size_t start = line.find_first_not_of(" \t{");
    if (start == std::string_view::npos || !line.substr(start).starts_with("for")) return line;
    std::size_t at = start;
    int depth = 0;
    do {
      if (++at >= line.size()) return line;
      depth += line[at] == '(' ? 1 : line[at] == ')' ? -1 : 0;
    } while (depth > 0 || line[at] != ')');
    line.remove_prefix(at + 1);
  }
}

// Where an assignment's left side ends, and whether it reads that side, too (+=); npos when the line has none, or several.
std::size_t end_of_left_side(std::string_view line, bool& reads_it) {
  std::size_t found = std::string_view::npos;
  for (std::size_t i = 1; i + 1 < line.size(); ++i) {
    if (line[i] != '=' || line[i + 1] == '=' || std::string_view("=<>!").find(line[i - 1]) < 4) continue;
    if (found != std::string_view::npos) return std::string_view::npos;
    found = i;
    reads_it = std::string_view("+-*/%&|^").find(line[i - 1]) != std::string_view::npos;
  }
  return found;
}

// The names in front of a "[", "scores.data()[" included; of a chain `w[i][j]` or `a.b[i]` the last name.
std::vector<std::string> names_before_brackets(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '[') continue;
    std::size_t end = i;
    while (end > 0 && text[end - 1] == ' ') --end;
    constexpr std::string_view kData = ".data()";
    if (text.substr(0, end).ends_with(kData)) end -= kData.size();
    std::size_t begin = end;
    while (begin > 0 && is_name_part(text[begin - 1])) --begin;
    const std::string name(text.substr(begin, end - begin));
    // "new double[n]", "delete[]", and the list of captures of a lambda index nothing.
    const std::string_view before = text.substr(0, begin);
    if (name.empty() || !is_name_start(name[0]) || name == "delete" || name == "return" ||
        before.ends_with("new ") || before.ends_with("::"))
      continue;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::string in_line(const char* what, int line) {
  return line > 0 ? std::string(what) + " in line " + std::to_string(line) : "";
}

std::string joined(std::initializer_list<std::string> parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  }
  return text;
}

std::string in_brackets(const std::string& text) { return text.empty() ? "" : " (" + text + ")"; }

std::string count_text(std::int64_t n) { return n == 1 ? "one" : std::to_string(n); }

// Between two marks of a sanitizer's words.
std::string part_of(const std::string& words, std::string_view before, std::string_view behind) {
  const std::size_t at = words.find(before);
  if (at == std::string::npos) return "";
  const std::string rest = words.substr(at + before.size());
  return rest.substr(0, rest.find(behind));
}

// Finds the words for one finding; collects what several of them need.
class Words {
 public:
  Words(const Finding& finding, const Submission& submission, const Locate& locate)
      : finding_(finding), submission_(submission) {
    const CodeLine at = locate(finding.at);
    trace_ = at.trace;
    line_ = finding.line > 0 && finding.file == submission.name ? finding.line : at.line;
    made_ = locate(finding.made).line;
    freed_ = locate(finding.freed).line;
    name_ = own_name();
    if (name_.empty() && finding.variable.empty()) name_ = name_from_line();
  }

  Fault fault() const {
    return {printable_line(sentence()), line_ > 0 ? printable_line(submission_.name) : "", line_, trace_};
  }

 private:
  // The variable's name, where the file has it in the line that declares it: compilers number names, and invent some for temporaries.
  std::string own_name() const {
    std::string name = finding_.variable.substr(0, finding_.variable.find('.'));
    const std::string_view declared = source_line(submission_, finding_.variable_line);
    if (has_word(declared, name)) return name;
    while (!name.empty() && std::isdigit(static_cast<unsigned char>(name.back())) != 0) name.pop_back();
    return !name.empty() && has_word(declared, name) ? name : "";
  }

  std::string name_from_line() const {
    const auto names = indexed_names(source_line(submission_, line_), finding_.access);
    return names.size() == 1 ? names.front() : "";
  }

  std::string verb() const {
    return finding_.access == Access::read    ? "it read"
           : finding_.access == Access::write ? "it wrote"
                                              : "it used";
  }

  std::string quoted_name() const { return "`" + name_ + "`"; }

  // The element that was reached for is as long as the access, if that fits with everything else.
  std::int64_t element() const {
    const std::int64_t size = finding_.size;
    const bool is_plain = size == 1 || size == 2 || size == 4 || size == 8;
    return is_plain && finding_.region % size == 0 && finding_.distance % size == 0 ? size : 0;
  }

  std::string region() const {
    const std::int64_t n = element() > 0 ? finding_.region / element() : finding_.region;
    const std::string length = element() > 0 ? (n == 1 ? "one element" : std::to_string(n) + " elements")
                                             : std::to_string(n) + " bytes";
    const std::string origin = in_brackets(
        finding_.variable.empty() ? in_line("made", made_) : in_line("declared", finding_.variable_line));
    return name_.empty() ? "an array of " + length + origin
                         : quoted_name() + ", which has " + length + origin;
  }

  std::string overflow() const {
    if (!finding_.has_distance) {
      return verb() + " far outside of " + (name_.empty() ? "every array" : quoted_name());
    }
    const std::int64_t unit = element() > 0 ? element() : 1;
    const char* const bytes = element() > 0 ? "" : " bytes";
    if (finding_.distance < 0)
      return verb() + " " + count_text(-finding_.distance / unit) + bytes + " before the start of " +
             region();
    const std::int64_t past = finding_.distance - finding_.region;
    // A copy that begins inside, or one of many bytes: how far it went is not said.
    if (past < 0 || finding_.size > 8) return verb() + " past the end of " + region();
    return verb() + " " + count_text(past / unit + 1) + bytes + " past the end of " + region();
  }

  std::string freed() const {
    const bool same = made_ > 0 && made_ == freed_;
    const std::string_view made_text = source_line(submission_, made_);
    const std::string_view freed_text = source_line(submission_, freed_);
    if (same && has_word(made_text, "auto")) {
      return verb() + " a temporary of line " + std::to_string(made_) +
             " that is gone: with `auto` an Eigen expression keeps references to its parts and no values; "
             "give "
             "it a type (attest::Matrix), or end it with .eval()";
    }
    std::string text = verb() + " " +
                       (name_.empty() ? "memory that was already given back"
                                      : quoted_name() + " after its memory was given back") +
                       in_brackets(same ? "a temporary of line " + std::to_string(made_)
                                        : joined({in_line("made", made_), in_line("given back", freed_)}));
    for (const char* grows : {"push_back", "emplace_back", "resize", "insert"}) {
      if (!same && has_word(freed_text, grows))
        return text + ": " + grows +
               " may move the elements, and pointers and references to them are void then";
    }
    return text;
  }

  std::string out_of_scope() const {
    if (!name_.empty()) {
      return verb() + " " + quoted_name() + in_brackets(in_line("declared", finding_.variable_line)) +
             " after the end of the block that it lives in";
    }
    std::string text =
        verb() + " a temporary" +
        (finding_.variable_line > 0 ? " of line " + std::to_string(finding_.variable_line) : "") +
        " after the end of its statement";
    if (has_word(source_line(submission_, finding_.variable_line), "auto"))
      text +=
          ": with `auto` an Eigen expression keeps references to its parts and no values; give it a type "
          "(attest::Matrix), or end it with .eval()";
    return text;
  }

  std::string bad_free() const {
    const std::string got = part_of(finding_.words, "(operator ", " vs "),
                      back = part_of(finding_.words, " vs ", ")");
    const std::string how = got.empty() ? part_of(finding_.words, "(", " vs ") : got;
    if (!how.empty() && !back.empty()) {
      const std::string given = back.starts_with("operator ") ? back.substr(9) : back;
      return "it made memory with " + how + " and gave it back with " + given +
             in_brackets(in_line("made", made_));
    }
    return "it gave back memory" + (name_.empty() ? "" : " of " + quoted_name()) +
           " that does not come from new or malloc, or not from the start of it";
  }

  std::string null() const {
    if (finding_.file == "stl_vector.h") return "it used an element of a std::vector that has none";
    if (finding_.words.starts_with("member")) return "it used a member through a null pointer";
    if (finding_.words.starts_with("reference")) return "it made a reference out of a null pointer";
    return verb() + " through a null pointer";
  }

  std::string misaligned() const {
    return verb() + " a " + part_of(finding_.words, "for type '", "'") +
           " at an address that is not a multiple of " + part_of(finding_.words, "which requires ", " ") +
           ": a pointer to another type, or one that was never set";
  }

  std::string index() const {
    const std::string index = part_of(finding_.words, "index ", " ");
    const std::string type = part_of(finding_.words, "for type '", "'");
    const std::string length = part_of(type, "[", "]");
    const int n = std::atoi(length.substr(0, 9).c_str());
    const std::string of = name_.empty() ? "an array" : quoted_name();
    return "it used index " + index + " of " + of + ", which has " +
           (n == 1 ? "one element: 0" : length + " elements: 0 to " + std::to_string(n - 1));
  }

  std::string arithmetic() const {
    const std::string& words = finding_.words;
    std::string type = part_of(words, "type '", "'");
    if (type.starts_with("const ")) type.erase(0, 6);
    std::string what = part_of(words, "overflow: ", " cannot be");
    if (what.empty() && includes(words, " is outside")) what = words.substr(0, words.find(" is outside"));
    if (what.empty() && words.starts_with("negation of "))
      what = "-(" + part_of(words, "negation of ", " ") + ")";
    if (what.empty()) what = words.substr(0, words.find(" cannot be"));
    return "a number is too large for its type: " + what + " does not fit into " + type;
  }

  std::string shift() const {
    const std::string by = part_of(finding_.words, "shift exponent ", " ");
    if (by.empty()) return "a shift that is not defined: " + finding_.words;
    const std::string bits = part_of(finding_.words, "too large for ", "-bit");
    return "it shifted by " + by + " bits" +
           (bits.empty() ? "" : ", and " + part_of(finding_.words, "type '", "'") + " has " + bits);
  }

  std::string sentence() const {
    switch (finding_.kind) {
      case Kind::overflow:
        return overflow();
      case Kind::container:
        return verb() + " behind the last element of " + (name_.empty() ? "a std::vector" : quoted_name()) +
               in_brackets(in_line("made", made_)) +
               ": the memory is reserved there, but no element lives in it";
      case Kind::freed:
        return freed();
      case Kind::returned:
        return verb() + " " +
               (name_.empty()
                    ? ""
                    : quoted_name() + in_brackets(in_line("declared", finding_.variable_line)) + ", ") +
               "a local variable of a function that has already returned";
      case Kind::out_of_scope:
        return out_of_scope();
      case Kind::freed_twice:
        return "it gave the same memory back twice" +
               in_brackets(joined({in_line("made", made_), in_line("first given back", freed_)}));
      case Kind::bad_free:
        return bad_free();
      case Kind::null:
        return null();
      case Kind::wild:
        return verb() +
               " at an address that belongs to nothing: an index far outside its array, or a pointer that "
               "was never set";
      case Kind::misaligned:
        return misaligned();
      case Kind::bad_size:
        return finding_.words.starts_with("negative")
                   ? "it copied a negative number of bytes" +
                         in_brackets(part_of(finding_.words, "(size=", ")"))
                   : "it asked for an absurd amount of memory at once: a negative length is a huge one "
                     "without its sign";
      case Kind::overlap:
        return "it copied (memcpy) between places that overlap";
      case Kind::index:
        return index();
      case Kind::arithmetic:
        return arithmetic();
      case Kind::shift:
        return shift();
      case Kind::division:
        return "an integer was divided by zero";
      case Kind::missing_return:
        return "a function ended without a return, though it must return a value";
      case Kind::bad_length:
        return "an array of " + part_of(finding_.words, "value ", " ") + " elements was asked for";
      case Kind::bad_value:
        return "it read a " + part_of(finding_.words, "type '", "'") + " that was never set (its value is " +
               part_of(finding_.words, "value ", ",") + ")";
    }
    return finding_.words;
  }

  const Finding& finding_;
  const Submission& submission_;
  int line_ = 0, made_ = 0, freed_ = 0;
  std::string trace_, name_;
};

}  // namespace

std::vector<std::string> indexed_names(std::string_view line, Access access) {
  line = without_loops(line);
  bool reads_left = false;
  const std::size_t left = end_of_left_side(line, reads_left);
  if (left == std::string_view::npos || access == Access::none) return names_before_brackets(line);
  if (access == Access::write) {
    // The first name of the left side is what is written; those inside its brackets are read.
    auto names = names_before_brackets(line.substr(0, left));
    if (names.size() > 1) names.resize(1);
    return names;
  }
  auto names = names_before_brackets(line.substr(left));
  auto on_the_left = names_before_brackets(line.substr(0, left));
  if (!reads_left && !on_the_left.empty()) on_the_left.erase(on_the_left.begin());
  for (std::string& name : on_the_left) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

Fault fault_of(const Finding& finding, const Submission& submission, const Locate& locate) {
  return Words(finding, submission, locate).fault();
}

}  // namespace attest
