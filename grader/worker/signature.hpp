// The call that an exercise asks for, written out in either language, and the advice to somebody whose file lacks it.
#pragma once

#include "grader/submission/submission.hpp"
#include "properties/spec.hpp"

#include <string>
#include <vector>

namespace attest {

// The parameters that the entry itself has: of a class, those that it is constructed with.
std::vector<std::string> parameters(const Spec& spec);

// "causal_attention(x, w_q, w_k, w_v)"
std::string call_text(const Spec& spec);
// The definition's first line: "def causal_attention(x, w_q, w_k, w_v):", or the C++ declaration without its semicolon.
std::string signature_text(const Spec& spec, Language language);

// Whether a definition has this spec's parameters by their names: W_q, Wq and w_q are one.
bool has_parameters_of(const Definition& definition, const Spec& spec);

// Whether what can be called in one way can be called in the other as well: with the same names, and in C++ the same types.
bool is_called_alike(const Spec& one, const Spec& other, Language language);

// Of the functions that are called as `spec` is, in its exercise: the first with as many parameters as the file's, and with their names; else the
// first with as many; else `spec`.
const Spec* way_of_calling(const Spec& spec, const std::vector<const Spec*>& specs,
                           const std::vector<Definition>& found);

// That the file defines none of the entries: which functions it has, and an adapter for the nearest one.
Problem no_entry(const std::string& file, Language language, const std::vector<const Spec*>& specs,
                 const std::vector<Definition>& found);

// That the entry is there but takes other parameters.
Problem wrong_signature(const std::string& file, Language language, const Spec& spec,
                        const std::string& parameters, int line);

}  // namespace attest
