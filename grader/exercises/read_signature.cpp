#include "grader/exercises/row.hpp"

#include <algorithm>

namespace attest {
namespace {

// The roles of the default call that an argument is made of.
std::vector<std::string> known_roles(Row& row, std::string_view key, std::size_t fewest, std::size_t most,
                                     const Spec& spec) {
  std::vector<std::string> roles = row.texts(key).value_or(std::vector<std::string>{});
  if (roles.size() < fewest || roles.size() > most)
    fail(row.where(key), fmt::format("{}: '{}' must name {} arguments", row.what(), key,
                                     fewest == most ? "two" : "at least two"));
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
    form.of = known_roles(row, "joint", 2, spec.arguments.size(), spec);
    argument.dims = {"rows", "columns"};
  } else if (row.has("product")) {
    form.kind = Form::Kind::product;
    form.of = known_roles(row, "product", 2, 2, spec);
    argument.dims = {"rows", "columns"};
  } else if (row.flag("mask")) {
    form.kind = Form::Kind::mask;
    argument.dims = {"T", "T"};
  } else if (row.has("zeros")) {
    form.kind = Form::Kind::zeros;
    form.of = {row.text("zeros")};
    require_symbols(row, "zeros", form.of, spec);
    argument.dims = form.of;
  } else if (row.has("integer")) {
    form.kind = Form::Kind::extent;
    form.of = {row.text("integer")};
    require_symbols(row, "integer", form.of, spec);
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

}  // namespace attest
