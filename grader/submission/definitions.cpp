// Finds functions by reading, not by parsing: comments and strings are blanked out first, then Python is read by its
// indentation and C++ by its braces. Good for choosing an exercise and for messages; compilers have the last word.
#include "grader/submission/submission.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace attest {
namespace {

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & 0x80) != 0;
}

void blank(std::string& text, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < to && i < text.size(); ++i) {
    if (text[i] != '\n') text[i] = ' ';
  }
}

// The end (one past) of a literal that `quote` opens at `at`.
std::size_t end_of_string(const std::string& text, std::size_t at, std::string_view quote) {
  for (std::size_t i = at + quote.size(); i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text.compare(i, quote.size(), quote) == 0) {
      return i + quote.size();
    } else if (quote.size() == 1 && text[i] == '\n') {
      return i;  // never closed: the rest of the file is still worth reading
    }
  }
  return text.size();
}

std::string python_code(std::string text) {
  // A blank, to Python; here it will be the end of a line in a string.
  std::replace(text.begin(), text.end(), '\f', ' ');
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (text[i] == '#') {
      end = std::min(text.find('\n', i), text.size());
      blank(text, i, end);
    } else if (text[i] == '"' || text[i] == '\'') {
      const std::string three(3, text[i]);
      end = end_of_string(
          text, i,
          text.compare(i, 3, three) == 0 ? std::string_view(three) : std::string_view(three).substr(0, 1));
      // A newline becomes a form feed: a docstring's lines never look like code, and lines are still counted right.
      for (std::size_t k = i; k < end; ++k) text[k] = text[k] == '\n' ? '\f' : '"';
    }
    i = end;
  }
  return text;
}

std::string cpp_code(std::string text) {
  std::replace(text.begin(), text.end(), '\f', ' ');
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (text.compare(i, 2, "//") == 0) {
      end = std::min(text.find('\n', i), text.size());
      blank(text, i, end);
    } else if (text.compare(i, 2, "/*") == 0) {
      const std::size_t close = text.find("*/", i + 2);
      end = close == std::string::npos ? text.size() : close + 2;
      blank(text, i, end);
    } else if (text[i] == 'R' && i + 1 < text.size() && text[i + 1] == '"' &&
               (i == 0 || !is_name(text[i - 1]))) {
      const std::size_t open = text.find('(', i);
      const std::string close =
          ")" + (open == std::string::npos ? "" : text.substr(i + 2, open - i - 2)) + "\"";
      const std::size_t at = text.find(close, i);
      end = at == std::string::npos ? text.size() : at + close.size();
      blank(text, i, end);
    } else if (text[i] == '"' ||
               (text[i] == '\'' && (i == 0 || !is_name(text[i - 1])))) {  // 1'000 is a number
      end = end_of_string(text, i, std::string_view(text).substr(i, 1).front() == '"' ? "\"" : "'");
      blank(text, i, end);
    } else if (text[i] == '#') {  // a directive, with its continuation lines
      end = i;
      do end = std::min(text.find('\n', end + 1), text.size());
      while (end < text.size() && text[end - 1] == '\\');
      blank(text, i, end);
    }
    i = end;
  }
  return text;
}

constexpr std::size_t kLongestList =
    4096;  // characters of parameters: each function is looked at up to there, not to the file's end

// Of places in a text, asked for from the first to the last mostly: what was counted is not counted again.
class LineCounter {
 public:
  explicit LineCounter(std::string_view text) : text_(text) {}
  int line_of(std::size_t at) {
    if (at < at_) at_ = 0, line_ = 1;
    for (; at_ < std::min(at, text_.size()); ++at_) line_ += text_[at_] == '\n' || text_[at_] == '\f';
    return line_;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

std::string trimmed(std::string_view text) {
  const auto space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && space(text.front())) text.remove_prefix(1);
  while (!text.empty() && space(text.back())) text.remove_suffix(1);
  return std::string(text);
}

// Splits at commas outside brackets.
std::vector<std::string> split_parameters(std::string_view list) {
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  for (const char c : list) {
    depth += c == '(' || c == '[' || c == '{' || c == '<';
    depth -= c == ')' || c == ']' || c == '}' || c == '>';
    if (c == ',' && depth == 0) {
      parts.push_back(trimmed(part));
      part.clear();
    } else {
      part.push_back(c);
    }
  }
  if (!trimmed(part).empty()) parts.push_back(trimmed(part));
  return parts;
}

// One past the bracket that closes the one at `open`.
std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '(' || text[i] == '[' || text[i] == '{';
    depth -= text[i] == ')' || text[i] == ']' || text[i] == '}';
    if (depth == 0) return i + 1;
  }
  return text.size();
}

std::string leading_name(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && is_name(text[n])) ++n;
  return std::string(text.substr(0, n));
}

std::string trailing_name(std::string_view text) {
  std::size_t n = text.size();
  while (n > 0 && is_name(text[n - 1])) --n;
  return std::string(text.substr(n));
}

std::vector<std::string> python_parameters(std::string_view list) {
  std::vector<std::string> names;
  for (const std::string& part : split_parameters(list)) {
    const std::size_t stars = part.find_first_not_of('*');
    const std::string name =
        stars == std::string::npos ? "" : leading_name(std::string_view(part).substr(stars));
    if (!name.empty())
      names.push_back(std::string(stars, '*') + name);  // "*" and "/" alone are no parameters
  }
  return names;
}

std::vector<Definition> python_definitions(const std::string& source) {
  const std::string text = python_code(source);
  LineCounter lines(text);
  std::vector<Definition> found;
  for (std::size_t at = 0; at < text.size(); at = std::min(text.find('\n', at), text.size()) + 1) {
    const std::string_view line = std::string_view(text).substr(at, kLongestList);
    std::size_t skip = 0;
    for (const std::string_view word : {"async ", "def "}) {
      if (line.substr(skip, word.size()) == word) skip += word.size();
    }
    Definition definition;
    definition.line = lines.line_of(at);
    if (skip >= 4 && line.substr(skip - 4, 4) == "def ") {
      const std::size_t name = line.find_first_not_of(' ', skip);
      if (name == std::string_view::npos) continue;
      definition.name = leading_name(line.substr(name));
      const std::size_t open = line.find_first_not_of(' ', name + definition.name.size());
      if (definition.name.empty() || open == std::string_view::npos || line[open] != '(') continue;
      definition.parameters = python_parameters(line.substr(open + 1, closing(line, open) - open - 2));
      found.push_back(definition);
    } else if (const std::string name = leading_name(line); !name.empty()) {  // name = lambda a, b: ...
      std::size_t i = line.find_first_not_of(' ', name.size());
      if (i == std::string_view::npos || line[i] != '=') continue;
      i = line.find_first_not_of(' ', i + 1);
      if (i == std::string_view::npos || line.substr(i, 6) != "lambda" ||
          !leading_name(line.substr(i + 6)).empty()) {
        continue;
      }
      int depth = 0;
      std::size_t colon = i + 6;
      for (; colon < line.size() && !(line[colon] == ':' && depth == 0); ++colon) {
        depth += line[colon] == '(' || line[colon] == '[' || line[colon] == '{';
        depth -= line[colon] == ')' || line[colon] == ']' || line[colon] == '}';
      }
      definition.name = name;
      definition.parameters = python_parameters(line.substr(i + 6, colon - i - 6));
      found.push_back(definition);
    }
  }
  return found;
}

// "const attest::Matrix& x = {}" -> "x"; a parameter without a name keeps its type.
std::string cpp_parameter(const std::string& part) {
  const std::string declared = trimmed(std::string_view(part).substr(0, part.find('=')));
  const std::string name = trailing_name(declared);
  return name.empty() || name == declared ? declared : name;
}

std::vector<Definition> cpp_definitions(const std::string& source) {
  const std::string text = cpp_code(source);
  LineCounter lines(text);
  std::vector<Definition> found;
  // Statements at namespace scope: from `start` to the brace or semicolon that ends them.
  for (std::size_t i = 0, start = 0; i < text.size(); ++i) {
    if (text[i] == ';' || text[i] == '}') {
      start = i + 1;
    } else if (text[i] == '(') {
      i = closing(text, i) - 1;
    } else if (text[i] == '{') {
      const std::string head = trimmed(std::string_view(text).substr(start, i - start));
      const std::string first = leading_name(head);
      if (first == "namespace" || head == "inline namespace" ||
          (first == "extern" && head.find('(') == std::string::npos)) {
        start = i + 1;  // look inside
        continue;
      }
      // The parameter list is the first pair of brackets that follows a name.
      const std::size_t open = head.find('(');
      const std::string before =
          open == std::string::npos ? "" : trimmed(std::string_view(head).substr(0, open));
      const std::string name = trailing_name(before);
      const bool declares = name.size() < before.size() && before.find('=') == std::string::npos &&
                            first != "struct" && first != "class" && first != "enum" && first != "union" &&
                            first != "using";
      if (!name.empty() && declares &&
          before.substr(0, before.size() - name.size()).rfind("::") != before.size() - name.size() - 2) {
        Definition definition;
        definition.name = name;
        const std::string_view list = std::string_view(head).substr(open + 1, closing(head, open) - open - 2);
        for (const std::string& part : split_parameters(list)) {
          if (part != "void") definition.parameters.push_back(cpp_parameter(part));
        }
        const std::size_t at = text.find(name + head.substr(before.size(), 1), start);
        definition.line = lines.line_of(at == std::string::npos ? start : at);
        found.push_back(definition);
      }
      i = closing(text, i) - 1;
      start = i + 1;
    }
  }
  return found;
}

// The name that is a literal in `text` at `at`, behind an opening bracket and blanks.
std::string literal_at(std::string_view text, std::size_t at) {
  at = text.find_first_not_of(" (", at);
  if (at == std::string_view::npos || (text[at] != '"' && text[at] != '\'')) return "";
  return leading_name(text.substr(at + 1));
}

}  // namespace

std::vector<Import> imports(const Submission& submission) {
  std::vector<Import> found;
  std::set<std::string> known;
  if (submission.language != Language::python) return found;
  const std::string text = python_code(submission.text);
  LineCounter lines(text);
  const auto add = [&](const std::string& module, std::size_t at) {
    if (!module.empty() && known.insert(module).second) found.push_back({module, lines.line_of(at)});
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_name(text[at]) || (at > 0 && is_name(text[at - 1]))) continue;
    const std::string word = leading_name(std::string_view(text).substr(at));
    const std::size_t end = at + word.size();
    const std::size_t before = text.find_last_not_of(' ', at - 1);
    const bool starts_statement = at == 0 || before == std::string::npos || text[before] == '\n' ||
                                  text[before] == ';' || text[before] == ':' || text[before] == '\t';
    if (word == "__import__" || word == "import_module") {
      add(literal_at(submission.text, end), at);
    } else if (starts_statement && (word == "import" || word == "from")) {
      const std::string_view line = std::string_view(text).substr(end, text.find_first_of(";\n", end) - end);
      for (const std::string& part :
           split_parameters(word == "from" ? line.substr(0, line.find(" import")) : line))
        add(leading_name(part), at);
    }
    at = end - 1;
  }
  return found;
}

std::vector<Definition> definitions(const Submission& submission) {
  return submission.language == Language::python ? python_definitions(submission.text)
                                                 : cpp_definitions(submission.text);
}

}  // namespace attest
