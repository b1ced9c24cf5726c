#include "properties/batches.hpp"

#include "properties/generate.hpp"

#include <algorithm>
#include <utility>

namespace attest {
namespace {

constexpr std::size_t kBatch = 64;  // questions that travel together

}  // namespace

Cases::Cases(const Property& property, const Subject& subject, const Plan& plan, Avoid avoid,
             const Answers* answers)
    : property_(property), subject_(subject), plan_(plan), avoid_(std::move(avoid)), answers_(answers) {
  const int planned = std::max(plan.cases, kFewestCases);
  wanted_ = plan.only ? 1 : property.most_cases > 0 ? std::min(planned, property.most_cases) : planned;
}

Batch Cases::next() {
  Batch batch;
  while (index_ < wanted_ && batch.questions.size() < kBatch && batch.cases.size() < kMostCases) {
    const int own = index_++;
    Case c = plan_.only ? *plan_.only : drawn_case(*subject_.spec, property_, plan_.seed, own);
    std::vector<Question> questions = property_.ask(subject_, c);
    if (questions.empty()) continue;
    if (avoid_ && avoid_(questions)) {
      avoided_.insert(own);
      continue;
    }
    add({std::move(c), own, std::move(questions), {}}, batch);
  }
  return batch;
}

void Cases::add(Batch::Asked asked, Batch& batch) const {
  asked.replies.resize(asked.questions.size());
  for (std::size_t q = 0; q < asked.questions.size(); ++q) {
    Question& question = asked.questions[q];
    const auto key = answers_ ? Answers::key_of(question) : std::nullopt;
    if (const Reply* known = key ? answers_->find(*key) : nullptr) {
      asked.replies[q] = *known;
      continue;
    }
    batch.travellers.push_back({batch.cases.size(), q, key});
    batch.questions.push_back(std::move(question));
  }
  batch.cases.push_back(std::move(asked));
}

void come_home(std::vector<Reply> replies, Batch& batch) {
  for (std::size_t k = 0; k < batch.travellers.size(); ++k) {
    const auto [asked, question, key] = batch.travellers[k];
    Batch::Asked& home = batch.cases[asked];
    home.questions[question] = std::move(batch.questions[k]);
    if (k < replies.size()) {
      home.replies[question] = std::move(replies[k]);
    } else if (question < home.replies.size()) {
      const bool first = k == 0 || batch.travellers[k - 1].asked != asked;
      home.replies.resize(first ? 0 : question);
    }
  }
}

}  // namespace attest
