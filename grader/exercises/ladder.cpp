#include "grader/exercises/ladder.hpp"

#include "grader/exercises/nearest.hpp"
#include "grader/submission/sha256.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <set>

namespace attest {
namespace {

// "exercises.toml:12:8: what was expected"
[[noreturn]] void fail(const toml::source_region& where, const std::string& what) {
  const std::string file =
      where.path ? std::filesystem::path(*where.path).filename().string() : std::string("exercises.toml");
  throw LadderError(fmt::format("{}:{}:{}: {}", file, where.begin.line, where.begin.column, what));
}

// One table of the file, with errors that say where. Keys nobody asked for are errors too: a misspelt key must not be
// silently ignored.
class Row {
 public:
  Row(const toml::table& table, std::string what) : table_(table), what_(std::move(what)) {}

  std::string text(std::string_view key) {
    const toml::node& node = required(key, "a text in quotes");
    if (const auto value = node.value<std::string>(); value && node.is_string() && !value->empty())
      return *value;
    fail(node.source(), fmt::format("{}: '{}' must be a text in quotes that is not empty", what_, key));
  }
  std::optional<std::string> optional_text(std::string_view key) {
    if (!table_.contains(key)) return std::nullopt;
    return text(key);
  }
  bool flag(std::string_view key) {
    seen_.insert(std::string(key));
    const toml::node* node = table_.get(key);
    if (node == nullptr) return false;
    if (const auto value = node->value<bool>(); value && node->is_boolean()) return *value;
    fail(node->source(), fmt::format("{}: '{}' must be true or false", what_, key));
  }
  double number(std::string_view key) {
    const toml::node& node = required(key, "a number");
    const auto value = node.value<double>();
    if (!value || !node.is_number() || !std::isfinite(*value) || *value < 0) {
      fail(node.source(), fmt::format("{}: '{}' must be a number that is not negative", what_, key));
    }
    return *value;
  }
  std::optional<std::vector<std::string>> texts(std::string_view key) {
    seen_.insert(std::string(key));
    const toml::node* node = table_.get(key);
    if (node == nullptr) return std::nullopt;
    const toml::array* array = node->as_array();
    if (array == nullptr) fail(node->source(), fmt::format("{}: '{}' must be a list of texts", what_, key));
    std::vector<std::string> values;
    for (const toml::node& element : *array) {
      if (!element.is_string()) fail(element.source(), fmt::format("{}: '{}' holds texts only", what_, key));
      values.push_back(*element.value<std::string>());
    }
    return values;
  }
  // The tables of a list ([[exercise.property]], or inline ones).
  std::vector<const toml::table*> tables(std::string_view key, bool at_least_one) {
    seen_.insert(std::string(key));
    const toml::node* node = table_.get(key);
    std::vector<const toml::table*> rows;
    if (node != nullptr) {
      const toml::array* array = node->as_array();
      if (array == nullptr)
        fail(node->source(), fmt::format("{}: '{}' must be a list of tables", what_, key));
      for (const toml::node& element : *array) {
        if (!element.is_table())
          fail(element.source(), fmt::format("{}: '{}' holds tables only", what_, key));
        rows.push_back(element.as_table());
      }
    }
    if (rows.empty() && at_least_one) {
      fail(table_.source(), fmt::format("{}: '{}' is missing; expected at least one table", what_, key));
    }
    return rows;
  }
  // To be called when every key has been asked for.
  void no_other_keys() const {
    const std::vector<std::string> known(seen_.begin(), seen_.end());
    for (const auto& [key, value] : table_) {
      if (!seen_.contains(std::string(key.str()))) {
        fail(value.source(), fmt::format("{}: nothing reads the key '{}'{}", what_, key.str(),
                                         did_you_mean(key.str(), known)));
      }
    }
  }
  bool has(std::string_view key) const { return table_.contains(key); }
  const toml::source_region& where() const { return table_.source(); }
  const toml::source_region& where(std::string_view key) const { return table_.get(key)->source(); }
  const std::string& what() const { return what_; }

 private:
  const toml::node& required(std::string_view key, std::string_view expected) {
    seen_.insert(std::string(key));
    const toml::node* node = table_.get(key);
    if (node == nullptr)
      fail(table_.source(), fmt::format("{}: '{}' is missing; expected {}", what_, key, expected));
    return *node;
  }

  const toml::table& table_;
  std::string what_;
  std::set<std::string> seen_;
};

std::vector<std::string> ids_of(std::span<const Property> known) {
  std::vector<std::string> ids;
  for (const Property& property : known) ids.emplace_back(property.id);
  return ids;
}

void require_symbols(const Row& row, std::string_view key, const std::vector<std::string>& dims,
                     const Spec& spec) {
  std::vector<std::string> names;
  for (const Symbol& symbol : spec.symbols) names.push_back(symbol.name);
  for (const std::string& name : dims) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      fail(row.where(key),
           fmt::format("{}: '{}' is not among the symbols{}", row.what(), name, did_you_mean(name, names)));
    }
  }
}

// The arguments and results of one function, in the spec's symbols.
void read_call(Row& row, Spec& spec) {
  for (const toml::table* table : row.tables("arguments", true)) {
    Row argument(*table, row.what() + ", argument");
    ArgumentSpec parsed;
    parsed.role = argument.text("role");
    parsed.integer = argument.has("integer");
    const std::string_view key = parsed.integer ? "integer" : "dims";
    parsed.dims = parse_dims(argument.text(key));
    require_symbols(argument, key, parsed.dims, spec);
    if (parsed.integer && parsed.dims.size() != 1) {
      fail(argument.where(key), fmt::format("{}: an integer stands for exactly one symbol", argument.what()));
    }
    argument.no_other_keys();
    spec.arguments.push_back(std::move(parsed));
  }
  for (const toml::table* table : row.tables("results", true)) {
    Row result(*table, row.what() + ", result");
    ResultSpec parsed{result.text("name"), parse_dims(result.text("dims")), result.flag("optional")};
    require_symbols(result, "dims", parsed.dims, spec);
    result.no_other_keys();
    spec.results.push_back(std::move(parsed));
  }
}

Spec read_spec(Row& row) {
  Spec spec;
  spec.slug = row.text("slug");
  spec.entry = row.text("entry");
  spec.subject = row.text("subject");
  for (const std::string& text : row.texts("symbols").value_or(std::vector<std::string>{})) {
    try {
      spec.symbols.push_back(parse_symbol(text));
    } catch (const std::invalid_argument& error) {
      fail(row.where("symbols"), fmt::format("{}: {}", row.what(), error.what()));
    }
  }
  read_call(row, spec);
  for (const toml::table* table : row.tables("also", false)) {
    Row other(*table, row.what() + ", also");
    Spec call;
    call.slug = spec.slug;
    call.subject = spec.subject;
    call.symbols = spec.symbols;
    call.entry = other.text("entry");
    read_call(other, call);
    other.no_other_keys();
    spec.also.push_back(std::move(call));
  }
  return spec;
}

// The roles of the default call that an argument is made of.
std::vector<std::string> known_roles(Row& row, std::string_view key, const Spec& spec) {
  std::vector<std::string> roles = row.texts(key).value_or(std::vector<std::string>{});
  for (const std::string& role : roles) {
    if (spec.argument(role) == nullptr)
      fail(row.where(key), fmt::format("{}: there is no argument '{}'", row.what(), role));
  }
  return roles;
}

// One argument of another call: {role="w_q"}, {role="w_q", transposed=true}, {role="w_qkv", joint=["w_q", "w_k", "w_v"]},
// {role="q", product=["x", "w_q"]}, {role="mask", mask=true}, {role="b_q", zeros="d_model"}, {role="d_model", integer="d_model"}.
Form read_form(Row& row, const Spec& spec, ArgumentSpec& argument) {
  Form form;
  form.role = argument.role = row.text("role");
  form.is_transposed = row.flag("transposed");
  if (row.has("joint")) {
    form.kind = Form::Kind::joint;
    form.of = known_roles(row, "joint", spec);
    argument.dims = {"rows", "columns"};
  } else if (row.has("product")) {
    form.kind = Form::Kind::product;
    form.of = known_roles(row, "product", spec);
    argument.dims = {"rows", "columns"};
  } else if (row.flag("mask")) {
    form.kind = Form::Kind::mask;
    argument.dims = {"T", "T"};
  } else if (row.has("zeros")) {
    form.kind = Form::Kind::zeros;
    form.of = {row.text("zeros")};
    argument.dims = form.of;
  } else if (row.has("integer")) {
    form.kind = Form::Kind::extent;
    form.of = {row.text("integer")};
    argument.dims = form.of;
    argument.integer = true;
  } else {
    const ArgumentSpec* own = spec.argument(form.role);
    if (own == nullptr)
      fail(row.where("role"), fmt::format("{}: there is no argument '{}'", row.what(), form.role));
    form.kind = form.is_transposed ? Form::Kind::transposed : Form::Kind::as_is;
    form.of = {form.role};
    argument = *own;
  }
  return form;
}

// "c0,1;a2=w_q;i3" of the roles that a class is constructed with, gets assigned and is called with.
std::string calling_of(Row& row, const Spec& call) {
  std::string text;
  for (const auto& [key, mark] : {std::pair{"construct", 'c'}, {"assign", 'a'}, {"call", 'i'}}) {
    text += (text.empty() ? "" : ";") + std::string(1, mark);
    std::string list;
    for (const std::string& role : row.texts(key).value_or(std::vector<std::string>{})) {
      const auto it = std::find_if(call.arguments.begin(), call.arguments.end(),
                                   [&](const auto& a) { return a.role == role; });
      if (it == call.arguments.end())
        fail(row.where(key), fmt::format("{}: there is no argument '{}'", row.what(), role));
      list += (list.empty() ? "" : ",") + std::to_string(it - call.arguments.begin()) +
              (mark == 'a' ? "=" + role : "");
    }
    text += list;
  }
  return text;
}

Signature read_signature(Row& row, const Spec& spec) {
  Signature signature;
  signature.name = row.text("name");
  signature.batch = row.flag("batch");
  signature.call = spec;
  signature.call.entry = row.optional_text("entry").value_or(spec.entry);
  signature.call.arguments.clear();
  for (const toml::table* table : row.tables("arguments", true)) {
    Row argument(*table, row.what() + ", argument");
    ArgumentSpec made;
    signature.forms.push_back(read_form(argument, spec, made));
    argument.no_other_keys();
    signature.call.arguments.push_back(std::move(made));
  }
  if (signature.batch) {
    signature.call.arguments[0].dims.insert(signature.call.arguments[0].dims.begin(), "B");
    for (ResultSpec& result : signature.call.results) result.dims.insert(result.dims.begin(), "B");
  }
  if (row.has("construct") || row.has("assign") || row.has("call"))
    signature.call.calling = calling_of(row, signature.call);
  for (const ArgumentSpec& argument : spec.arguments) {
    const bool used = std::any_of(signature.forms.begin(), signature.forms.end(), [&](const Form& form) {
      return std::find(form.of.begin(), form.of.end(), argument.role) != form.of.end() ||
             (argument.integer && form.kind == Form::Kind::extent);
    });
    if (used) continue;
    if (argument.role != "w_o") {
      fail(row.where(), fmt::format("{}: '{}' does not reach the call; only w_o can be left to the grader",
                                    row.what(), argument.role));
    }
    signature.missing.push_back(argument.role);
  }
  row.no_other_keys();
  return signature;
}

// Every name must be the id of a property of this exercise or (where allowed) a group of one.
void require_names(const Row& row, std::string_view key, const std::vector<std::string>& names,
                   const std::set<std::string>& allowed) {
  const std::vector<std::string> known(allowed.begin(), allowed.end());
  for (const std::string& name : names) {
    if (!allowed.contains(name)) {
      fail(row.where(key), fmt::format("{}: '{}' names '{}', which this exercise does not have{}", row.what(),
                                       key, name, did_you_mean(name, known)));
    }
  }
}

// Whether the failure of `from` may follow, in however many steps, from the failure of `to`.
bool leads_to(const Rubric& from, const Rubric& to, const std::vector<Rubric>& rubric,
              std::set<const Rubric*>& seen) {
  for (const Rubric& next : rubric) {
    const bool named = std::any_of(from.follows.begin(), from.follows.end(), [&](const std::string& name) {
      return name == next.property->id ||
             (name == next.property->group && next.property->group != from.property->group);
    });
    if (!named) continue;
    if (&next == &to) return true;
    if (seen.insert(&next).second && leads_to(next, to, rubric, seen)) return true;
  }
  return false;
}

std::vector<Rubric> read_rubric(Row& exercise, std::span<const Property> known) {
  const std::vector<const toml::table*> tables = exercise.tables("property", true);
  std::vector<Rubric> rubric;
  std::set<std::string> ids;
  std::set<std::string> ids_and_groups;
  for (const toml::table* table : tables) {
    Row row(*table, exercise.what() + ", property");
    const std::string id = row.text("id");
    const auto property =
        std::find_if(known.begin(), known.end(), [&](const Property& p) { return p.id == id; });
    if (property == known.end()) {
      fail(row.where("id"),
           fmt::format("{}: there is no property '{}'{}", row.what(), id, did_you_mean(id, ids_of(known))));
    }
    if (!ids.insert(id).second)
      fail(row.where("id"), fmt::format("{}: '{}' stands here twice", row.what(), id));
    ids_and_groups.insert({id, std::string(property->group)});
    rubric.push_back({&*property, 0, std::string(property->title), false, {}, {}});
  }

  const std::vector<std::string> needs = exercise.texts("needs").value_or(std::vector<std::string>{});
  if (!needs.empty()) require_names(exercise, "needs", needs, ids);
  double sum = 0;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    Row row(*tables[i], exercise.what() + ", property " + std::string(rubric[i].property->id));
    row.text("id");
    if (const auto kind = row.optional_text("kind")) {
      if (*kind != "advice")
        fail(row.where("kind"), fmt::format("{}: 'kind' can only be \"advice\"", row.what()));
      rubric[i].advice = true;
    }
    rubric[i].points = rubric[i].advice && !row.has("points") ? 0 : row.number("points");
    if (rubric[i].advice && rubric[i].points > 0) {
      fail(row.where("points"), fmt::format("{}: advice earns no points", row.what()));
    }
    if (const auto title = row.optional_text("title")) rubric[i].title = *title;
    rubric[i].needs = row.texts("needs").value_or(needs);
    if (row.has("needs")) require_names(row, "needs", rubric[i].needs, ids);
    std::erase(rubric[i].needs,
               std::string(rubric[i].property->id));  // of the exercise's own list: nothing needs itself
    rubric[i].follows = row.texts("follows").value_or(std::vector<std::string>{});
    if (row.has("follows")) require_names(row, "follows", rubric[i].follows, ids_and_groups);
    row.no_other_keys();
    sum += rubric[i].points;
  }
  if (std::abs(sum - 100) > 1e-9) {
    fail(exercise.where(), fmt::format("{}: the points of its properties sum to {:g}; they must sum to 100",
                                       exercise.what(), sum));
  }
  for (std::size_t i = 0; i < tables.size(); ++i) {
    std::set<const Rubric*> seen;
    if (leads_to(rubric[i], rubric[i], rubric, seen)) {
      fail(tables[i]->source(),
           fmt::format("{}, property {}: 'follows' leads back to itself; a failure cannot be its own cause",
                       exercise.what(), rubric[i].property->id));
    }
  }
  // The catalogue's order is the order of judging: prerequisites first, the comparison with the reference last.
  std::stable_sort(rubric.begin(), rubric.end(),
                   [](const Rubric& a, const Rubric& b) { return a.property < b.property; });
  return rubric;
}

std::string fingerprint(const std::vector<Rubric>& rubric) {
  std::string text;
  for (const Rubric& row : rubric) {
    text += fmt::format("{} {:g} {} [{}] [{}]\n", row.property->id, row.points, row.advice,
                        fmt::join(row.needs, " "), fmt::join(row.follows, " "));
  }
  return sha256(text);
}

Exercise read_exercise(const toml::table& table, const std::filesystem::path& folder,
                       std::span<const Property> known) {
  std::string name = "[[exercise]]";
  if (const auto slug = table["slug"].value<std::string>()) name = "exercise " + *slug;
  Row row(table, name);
  Exercise exercise;
  exercise.spec = read_spec(row);
  exercise.title = row.text("title");
  exercise.folder = folder / row.text("folder");
  if (!std::filesystem::is_directory(exercise.folder)) {
    fail(row.where("folder"),
         fmt::format("{}: there is no folder '{}' beside this file", name, row.text("folder")));
  }
  exercise.signatures.push_back({"default", exercise.spec, {}, false, {}});
  for (const toml::table* signature : row.tables("signature", false)) {
    Row own(*signature, name + ", signature");
    exercise.signatures.push_back(read_signature(own, exercise.spec));
  }
  exercise.is_default = row.flag("default");
  exercise.rubric = read_rubric(row, known);
  exercise.rubric_sha256 = fingerprint(exercise.rubric);
  row.no_other_keys();
  return exercise;
}

}  // namespace

const Exercise* Ladder::find(std::string_view slug) const {
  const auto found = std::find_if(exercises.begin(), exercises.end(),
                                  [&](const Exercise& e) { return e.spec.slug == slug; });
  return found == exercises.end() ? nullptr : &*found;
}

const Exercise& Ladder::preferred() const {
  for (const Exercise& exercise : exercises) {
    if (exercise.is_default) return exercise;
  }
  return exercises.back();
}

std::vector<std::string> Ladder::slugs() const {
  std::vector<std::string> names;
  for (const Exercise& exercise : exercises) names.push_back(exercise.spec.slug);
  return names;
}

Ladder read_ladder(const std::filesystem::path& folder, std::span<const Property> known) {
  const std::filesystem::path file = folder / "exercises.toml";
  toml::table document;
  try {
    document = toml::parse_file(file.string());
  } catch (const toml::parse_error& error) {
    if (error.source().begin.line == 0)
      throw LadderError(fmt::format("{}: {}", file.string(), error.description()));
    fail(error.source(), std::string(error.description()));
  }

  Ladder ladder;
  ladder.folder = folder;
  Row root(document, "the file");
  for (const toml::table* table : root.tables("exercise", true)) {
    Exercise exercise = read_exercise(*table, folder, known);
    if (ladder.find(exercise.spec.slug) != nullptr) {
      fail(table->get("slug")->source(),
           fmt::format("the slug '{}' is taken by an exercise above", exercise.spec.slug));
    }
    if (exercise.is_default && !ladder.exercises.empty() && ladder.preferred().is_default) {
      fail(table->get("default")->source(),
           fmt::format("'{}' is the default already; only one can be", ladder.preferred().spec.slug));
    }
    ladder.exercises.push_back(std::move(exercise));
  }
  root.no_other_keys();
  return ladder;
}

std::filesystem::path find_exercises(const std::filesystem::path& executable) {
  std::vector<std::filesystem::path> places;
  if (const char* home = std::getenv("ATTEST_HOME"); home != nullptr && *home != '\0') {
    places.push_back(std::filesystem::path(home) / "exercises");  // set on purpose: nothing else is tried
  } else {
    std::error_code unreadable;
    const auto resolved = std::filesystem::canonical(executable, unreadable);
    if (!unreadable)
      places.push_back(resolved.parent_path().parent_path() / "share" / "attest" / "exercises");
    places.push_back(ATTEST_SOURCE_EXERCISES);
  }
  for (const auto& place : places) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(place / "exercises.toml", ignored)) return place;
  }
  std::string looked;
  for (const auto& place : places) looked += "\n  " + place.string();
  throw LadderError("the exercises are not where they should be; looked for exercises.toml in" + looked +
                    "\nset ATTEST_HOME to the folder that holds exercises/");
}

}  // namespace attest
