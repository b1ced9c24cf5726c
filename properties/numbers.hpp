// The two parts of a tensor. Both are copied for every question that is asked, so a copy costs next to nothing: a shape has room of its
// own, and numbers are shared until somebody changes them.
#pragma once

#include "properties/fingerprint.hpp"
#include "reference/attention.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace attest {

// The extents of a tensor, outermost first.
class Dims {
 public:
  static constexpr std::size_t kMaxRank = 6;  // one more than any argument or result has
  using value_type = Index;
  using const_iterator = const Index*;

  Dims() = default;
  Dims(std::initializer_list<Index> dims) : Dims(dims.begin(), dims.end()) {}
  template <class Iterator>
  Dims(Iterator first, Iterator last) {
    for (; first != last; ++first) push_back(*first);
  }

  std::size_t size() const { return rank_; }
  bool empty() const { return rank_ == 0; }
  const Index* begin() const { return dims_.data(); }
  const Index* end() const { return begin() + rank_; }
  Index* begin() { return dims_.data(); }
  Index* end() { return begin() + rank_; }
  Index operator[](std::size_t d) const { return dims_[d]; }
  Index& operator[](std::size_t d) { return dims_[d]; }
  Index at(std::size_t d) const {
    if (d >= rank_) throw std::out_of_range("a tensor has fewer dimensions");
    return dims_[d];
  }
  Index back() const { return dims_[rank_ - 1]; }
  // std::length_error beyond kMaxRank.
  void push_back(Index dim) {
    if (rank_ == kMaxRank) throw std::length_error("a tensor of too many dimensions");
    dims_[rank_++] = dim;
  }
  bool operator==(const Dims& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

 private:
  std::array<Index, kMaxRank> dims_ = {};
  std::size_t rank_ = 0;
};

// As many numbers as it was made with. Whoever may change them gets a copy of its own first, if they are shared: read through a const
// reference what is only read. One number alone needs no memory.
class Numbers {
 public:
  using value_type = double;
  using iterator = double*;
  using const_iterator = const double*;

  Numbers() = default;
  explicit Numbers(std::size_t n) : size_(n) {
    if (n > 1) many_ = std::make_shared<double[]>(n);
  }
  template <class Iterator>
  Numbers(Iterator first, Iterator last) : size_(static_cast<std::size_t>(std::distance(first, last))) {
    if (size_ > 1) many_ = std::make_shared_for_overwrite<double[]>(size_);
    std::copy(first, last, size_ > 1 ? many_.get() : &one_);
  }
  Numbers(std::initializer_list<double> all) : Numbers(all.begin(), all.end()) {}
  Numbers(const std::vector<double>& all) : Numbers(all.begin(), all.end()) {}

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const double* data() const { return size_ > 1 ? many_.get() : &one_; }
  const double* begin() const { return data(); }
  const double* end() const { return data() + size_; }
  double operator[](std::size_t k) const { return data()[k]; }
  double at(std::size_t k) const { return data()[checked(k)]; }

  double* data() {
    print_.reset();
    if (size_ <= 1) return &one_;
    if (many_.use_count() > 1) *this = Numbers(std::as_const(*this).begin(), std::as_const(*this).end());
    return many_.get();
  }
  double* begin() { return data(); }
  double* end() { return data() + size_; }
  double& operator[](std::size_t k) { return data()[k]; }
  double& at(std::size_t k) { return data()[checked(k)]; }

  // Of the numbers to the last bit; copies made from now on know it, too. Not for what several threads read: it is written down.
  const Fingerprint& fingerprint() const {
    if (!print_) {
      print_.emplace();
      for (const double number : *this) print_->add(number);
    }
    return *print_;
  }

  bool shares_memory_with(const Numbers& other) const { return size_ > 1 && many_ == other.many_; }
  bool operator==(const Numbers& other) const {
    return shares_memory_with(other) || std::equal(begin(), end(), other.begin(), other.end());
  }

 private:
  std::size_t checked(std::size_t k) const {
    if (k >= size_) throw std::out_of_range("a tensor has fewer numbers");
    return k;
  }

  std::shared_ptr<double[]> many_;
  mutable std::optional<Fingerprint> print_;  // where it was asked for, since the last change
  double one_ = 0;
  std::size_t size_ = 0;
};

}  // namespace attest
