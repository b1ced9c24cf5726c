#include "grader/exercises/ladder.hpp"

#include "grader/exercises/row.hpp"
#include "grader/submission/sha256.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace attest {
namespace {

std::vector<std::string> ids_of(std::span<const Property> known) {
  std::vector<std::string> ids;
  for (const Property& property : known) ids.emplace_back(property.id);
  return ids;
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

// What is not said stays as it is in `imports`.
void read_imports(Row& row, Imports& imports) {
  const std::vector<const toml::table*> tables = row.tables("imports", false);
  if (tables.size() > 1)
    fail(tables[1]->source(), fmt::format("{}: 'imports' stands here twice", row.what()));
  for (const toml::table* table : tables) {
    Row own(*table, row.what() + ", imports");
    if (auto packages = own.texts("packages")) imports.packages = std::move(*packages);
    if (auto reported = own.texts("reported")) imports.reported = std::move(*reported);
    if (auto refused = own.texts("refused")) imports.refused = std::move(*refused);
    own.no_other_keys();
  }
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
    if (rubric[i].property->warning && !rubric[i].advice)
      fail(row.where("id"),
           fmt::format("{}: right answers may fail it, so its kind is \"advice\"", row.what()));
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
                       std::span<const Property> known, const Imports& imports) {
  std::string name = "[[exercise]]";
  if (const auto slug = table["slug"].value<std::string>()) name = "exercise " + *slug;
  Row row(table, name);
  Exercise exercise;
  exercise.spec = read_spec(row);
  exercise.spec.imports = imports;
  read_imports(row, exercise.spec.imports);
  exercise.title = row.text("title");
  exercise.folder = folder / row.text("folder");
  if (!std::filesystem::is_directory(exercise.folder)) {
    fail(row.where("folder"),
         fmt::format("{}: there is no folder '{}' beside this file", name, row.text("folder")));
  }
  exercise.signatures.push_back({"default", exercise.spec, exercise.spec, {}, false, {}, {}});
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
  Imports imports;
  read_imports(root, imports);
  for (const toml::table* table : root.tables("exercise", true)) {
    Exercise exercise = read_exercise(*table, folder, known, imports);
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
