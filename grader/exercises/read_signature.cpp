#include "grader/exercises/row.hpp"

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace attest {
namespace {

using CallPlan = nlohmann::ordered_json;

// One argument of the call: what worker.py builds it of, and how it is told.
struct Parameter {
  std::string role;
  CallPlan plan;
  std::string text;
};

// Reads a row's arguments into the signature: one form for each array and integer that travels, one parameter for each argument.
class ArgumentReader {
 public:
  ArgumentReader(const Spec& spec, Signature& signature) : spec_(spec), signature_(signature) {}

  Parameter read(const toml::table& table, const std::string& what, const std::string& owner = "") {
    Row row(table, what);
    const std::string role = row.text("role");
    Parameter made{role, {}, role};
    if (row.has("dict") || row.has("tuple") || row.has("object")) {
      made = group(row, role, what, owner + role + ".");
    } else if (row.has("value")) {
      made.plan = CallPlan::array({"value", constant(row, table)});
      made.text = fmt::format("{}={}", role, python(made.plan[1]));
    } else {
      ArgumentSpec argument;
      Form form = read_form(row, argument);
      made.plan = signature_.forms.size();
      if (form.kind == Form::Kind::mask && form.mask != Form::Mask::additive)
        made.plan = CallPlan::array({"bool", made.plan});
      if (row.flag("list")) {
        if (form.per_head == Form::PerHead::no)
          fail(row.where("list"), what + ": only what is 'per_head' can be a list: of one matrix a head");
        made.plan = CallPlan::array({"list", made.plan});
      }
      form.role = argument.role = owner + role;
      signature_.forms.push_back(std::move(form));
      signature_.call.arguments.push_back(std::move(argument));
    }
    row.no_other_keys();
    return made;
  }

 private:
  // {role="c_attn", dict=[{role="w", ...}, {role="b", ...}]}, and likewise a tuple or an object with attributes.
  Parameter group(Row& row, const std::string& role, const std::string& what, const std::string& owner) {
    const char* kind = row.has("dict") ? "dict" : row.has("tuple") ? "tuple" : "object";
    CallPlan inside = kind == std::string("tuple") ? CallPlan::array() : CallPlan::object();
    std::vector<std::string> names;
    for (const toml::table* table : row.tables(kind, true)) {
      const Parameter part = read(*table, what, owner);
      names.push_back(part.text);
      if (inside.is_array())
        inside.push_back(part.plan);
      else
        inside[part.role] = part.plan;
    }
    const bool tuple = inside.is_array();
    const std::string text =
        fmt::format("{}={}{}{}", role, tuple ? "(" : "{", fmt::join(names, ", "), tuple ? ")" : "}");
    return {role, CallPlan::array({kind, inside}), text};
  }

  static CallPlan constant(Row& row, const toml::table& table) {
    const toml::node& node = *table.get("value");
    if (row.has("value") && node.is_boolean()) return row.flag("value");
    if (node.is_integer()) return static_cast<std::int64_t>(row.number("value"));
    if (node.is_number()) return row.number("value");
    return row.text("value");
  }
  static std::string python(const CallPlan& value) {
    return value.is_boolean() ? (value.get<bool>() ? "True" : "False") : value.dump();
  }

  // The roles of the default call that an argument is made of.
  std::vector<std::string> known_roles(Row& row, std::string_view key, std::size_t fewest, std::size_t most) {
    std::vector<std::string> roles = row.texts(key).value_or(std::vector<std::string>{});
    if (roles.size() < fewest || roles.size() > most) {
      const char* expected = fewest == 1 ? "at least one argument"
                             : most == 2 ? "two arguments"
                                         : "at least two arguments";
      fail(row.where(key), fmt::format("{}: '{}' must name {}", row.what(), key, expected));
    }
    for (const std::string& role : roles) require_role(row, key, role);
    return roles;
  }
  const ArgumentSpec& require_role(const Row& row, std::string_view key, const std::string& role) {
    const ArgumentSpec* argument = spec_.argument(role);
    if (argument == nullptr)
      fail(row.where(key), fmt::format("{}: there is no argument '{}'", row.what(), role));
    return *argument;
  }
  // One of a few words.
  template <class Choice>
  Choice choice(Row& row, std::string_view key, const std::vector<std::pair<std::string, Choice>>& choices) {
    std::vector<std::string> words;
    const std::string text = row.text(key);
    for (const auto& [word, value] : choices) {
      if (word == text) return value;
      words.push_back('"' + word + '"');
    }
    fail(row.where(key), fmt::format("{}: '{}' must be one of {}", row.what(), key, fmt::join(words, ", ")));
  }

  Form read_form(Row& row, ArgumentSpec& argument) {
    Form form;
    if (row.has("product")) {
      form.kind = Form::Kind::product;
      form.of = known_roles(row, "product", 2, 2);
      argument.dims = {"rows", "columns"};
    } else if (row.has("mask")) {
      using Mask = Form::Mask;
      form.kind = Form::Kind::mask;
      form.mask = choice<Mask>(
          row, "mask", {{"additive", Mask::additive}, {"visible", Mask::visible}, {"hidden", Mask::hidden}});
      argument.dims = {"T", "T"};
    } else if (row.has("bias")) {
      form.kind = Form::Kind::bias;
      form.of = known_roles(row, "bias", 1, spec_.arguments.size());
      argument.dims = {"columns"};
    } else if (row.has("integer")) {
      form.kind = Form::Kind::extent;
      form.of = {row.text("integer")};
      require_symbols(row, "integer", form.of, spec_);
      argument.dims = form.of;
      argument.integer = true;
    } else {
      read_given(row, form, argument);
    }
    if (signature_.batch && !argument.integer && !form.of.empty() && form.of[0] == spec_.arguments[0].role)
      argument.dims.insert(argument.dims.begin(), "B");
    return form;
  }

  void read_given(Row& row, Form& form, ArgumentSpec& argument) {
    const std::string_view key = row.has("is") ? "is" : "role";
    if (row.has("joint")) {
      form.of = known_roles(row, "joint", 2, spec_.arguments.size());
      argument.dims = {"rows", "columns"};
    } else {
      argument = require_role(row, key, row.text(key));
      form.of = {argument.role};
    }
    form.is_transposed = row.flag("transposed");
    if (row.has("per_head")) {
      using PerHead = Form::PerHead;
      form.per_head =
          choice<PerHead>(row, "per_head", {{"columns", PerHead::columns}, {"rows", PerHead::rows}});
      require_symbols(row, "per_head", {"n_heads"}, spec_);
      argument.dims = {"n_heads", "rows", "columns"};
    } else if (form.is_transposed) {
      std::reverse(argument.dims.begin(), argument.dims.end());
    }
  }

  const Spec& spec_;
  Signature& signature_;
};

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// A function, or a class that is constructed, gets its weights and is then called: "m = A(d_model); m.w_q, ... = ...; m(x)".
class CallReader {
 public:
  CallReader(Row& row, const std::vector<Parameter>& parameters) : row_(row), parameters_(parameters) {}

  Spec::Calling function(const std::string& entry) {
    Spec::Calling calling = read_list({"call", false}, entry);
    const CallPlan& parts = plan_["call"];
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i] != i) calling.plan = plan_.dump();  // not just its arguments in their order
    }
    if (calling.plan.empty()) return {};
    return calling;
  }

  Spec::Calling object(const std::string& entry) {
    Spec::Calling calling = read_list({"construct", true}, entry);
    const std::string made = calling.text;
    plan_["assign"] = CallPlan::array();
    std::vector<std::string> attributes;
    for (const std::string& text : row_.texts("assign").value_or(std::vector<std::string>{})) {
      const std::size_t equals = text.find('=');
      const std::string path = trimmed(text.substr(0, equals));
      const std::string role = equals == std::string::npos ? path : trimmed(text.substr(equals + 1));
      plan_["assign"].push_back(CallPlan::array({path, find("assign", role).plan}));
      attributes.push_back(path);
    }
    const std::string method = row_.optional_text("method").value_or("");
    plan_["method"] = method;
    const std::string call = read_list({"call", true}, method.empty() ? "" : "." + method).text;
    const std::string set =
        attributes.empty() ? "" : fmt::format(" with {} set", fmt::join(attributes, ", "));
    return {plan_.dump(), calling.parameters, made + call + set};
  }

 private:
  // The arguments that a list of the row names: all where there is no such list and none is needed.
  Spec::Calling read_list(std::pair<const char*, bool> key, const std::string& name) {
    Spec::Calling calling;
    std::vector<std::string> roles, texts;
    if (key.second)
      roles = row_.texts(key.first).value_or(roles);
    else
      for (const Parameter& parameter : parameters_) roles.push_back(parameter.role);
    plan_[key.first] = CallPlan::array();
    for (const std::string& role : roles) {
      const Parameter& parameter = find(key.first, role);
      plan_[key.first].push_back(parameter.plan);
      calling.parameters.push_back(role);
      texts.push_back(parameter.text);
    }
    calling.text = fmt::format("{}({})", name, fmt::join(texts, ", "));
    return calling;
  }
  const Parameter& find(const char* key, const std::string& role) const {
    const auto it = std::find_if(parameters_.begin(), parameters_.end(),
                                 [&](const Parameter& parameter) { return parameter.role == role; });
    if (it == parameters_.end())
      fail(row_.where(key), fmt::format("{}: there is no argument '{}'", row_.what(), role));
    return *it;
  }

  Row& row_;
  const std::vector<Parameter>& parameters_;
  CallPlan plan_;
};

bool is_given(const Signature& signature, const std::string& role) {
  return std::any_of(signature.forms.begin(), signature.forms.end(), [&](const Form& form) {
    return form.kind == Form::Kind::given && std::find(form.of.begin(), form.of.end(), role) != form.of.end();
  });
}

// What is moved out of the tokens is moved for all that they are multiplied with (bias.hpp).
void read_biases(const Row& row, Signature& signature) {
  for (const Form& form : signature.forms) {
    if (form.kind == Form::Kind::bias) signature.biased.insert(form.of.begin(), form.of.end());
  }
  const auto projections = static_cast<std::size_t>(
      std::count_if(signature.biased.begin(), signature.biased.end(),
                    [](const std::string& w) { return w == "w_q" || w == "w_k" || w == "w_v"; }));
  if (projections != 0 && projections != 3)
    fail(row.where(),
         fmt::format("{}: w_q, w_k and w_v must all have a 'bias', or none of them", row.what()));
  for (const std::string& weight : signature.biased) {
    if (!weight.starts_with("w_"))
      fail(row.where(), fmt::format("{}: 'bias' names weights; '{}' is none", row.what(), weight));
    if (!is_given(signature, weight))
      fail(row.where(), fmt::format("{}: {} has a bias, but is not itself an argument", row.what(), weight));
  }
  signature.asked.ends_with_one = !signature.biased.empty();
}

void require_all_arguments(const Row& row, const Spec& spec, Signature& signature) {
  for (const ArgumentSpec& argument : spec.arguments) {
    const bool used = std::any_of(signature.forms.begin(), signature.forms.end(), [&](const Form& form) {
      const bool named = form.kind != Form::Kind::bias &&
                         std::find(form.of.begin(), form.of.end(), argument.role) != form.of.end();
      // n_heads, as itself or as the number of matrices that there are
      return named ||
             (argument.integer && (form.kind == Form::Kind::extent ||
                                   (argument.role == "n_heads" && form.per_head != Form::PerHead::no)));
    });
    if (used) continue;
    if (argument.role != "w_o") {
      fail(row.where(), fmt::format("{}: '{}' does not reach the call; only w_o can be left to the grader",
                                    row.what(), argument.role));
    }
    signature.missing.push_back(argument.role);
  }
}

}  // namespace

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

Signature read_signature(Row& row, const Spec& spec) {
  Signature signature;
  signature.name = row.text("name");
  signature.batch = row.flag("batch");
  signature.asked = signature.call = spec;
  signature.call.entry = row.optional_text("entry").value_or(spec.entry);
  signature.call.arguments.clear();
  ArgumentReader arguments(spec, signature);
  std::vector<Parameter> parameters;
  for (const toml::table* table : row.tables("arguments", true))
    parameters.push_back(arguments.read(*table, row.what() + ", argument"));
  if (signature.batch) {
    for (ResultSpec& result : signature.call.results) result.dims.insert(result.dims.begin(), "B");
  }
  CallReader call(row, parameters);
  const bool is_class = row.has("construct") || row.has("assign") || row.has("call") || row.has("method");
  signature.call.calling = is_class ? call.object(signature.call.entry) : call.function(signature.call.entry);
  read_biases(row, signature);
  require_all_arguments(row, spec, signature);
  row.no_other_keys();
  return signature;
}

}  // namespace attest
