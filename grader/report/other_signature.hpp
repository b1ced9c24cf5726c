// The other ways in which a submission may be called: parameters alike in number can mean different things, (out, in) weights or a batch.
#pragma once

#include "grader/exercises/signature.hpp"
#include "grader/report/grade.hpp"

namespace attest {

// Calls act(exercise, candidate) with the submission as something that answers the exercise's default call.
template <class Act>
void as_default_call(const Exercise& exercise, const Signature& signature, Worker& worker, Dtype dtype,
                     const Act& act) {
  if (signature.forms.empty()) return act(exercise, static_cast<Candidate&>(worker));
  AsDefault adapted(signature, dtype, worker);
  Exercise asked = exercise;
  asked.spec = signature.asked;
  act(asked, static_cast<Candidate&>(adapted));
}

// A signature under which all holds that is tried, if the submission may have been written for it; nullptr: none but perhaps `used`.
const Signature* right_signature(const Submission& submission, const Exercise& exercise,
                                 const Signature& used, const GradeOptions& options, Worker& worker);

}  // namespace attest
