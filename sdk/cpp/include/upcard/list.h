// A list that lives in place: what is in it is never more than a pack of cards.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>

namespace upcard {

/// At most `Most` values, without memory from the heap. What is pushed beyond that throws
/// `std::out_of_range`.
template <class T, std::size_t Most>
class List {
 public:
  using value_type = T;

  constexpr List() = default;
  constexpr List(std::initializer_list<T> values) {
    for (const T& value : values) push_back(value);
  }

  constexpr void push_back(const T& value) { values_.at(size_++) = value; }
  constexpr void pop_back() { --size_; }
  constexpr void clear() { size_ = 0; }

  constexpr T* begin() { return values_.data(); }
  constexpr T* end() { return values_.data() + size_; }
  constexpr const T* begin() const { return values_.data(); }
  constexpr const T* end() const { return values_.data() + size_; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T& operator[](std::size_t place) { return values_[place]; }
  constexpr const T& operator[](std::size_t place) const { return values_[place]; }

 private:
  std::array<T, Most> values_{};
  std::size_t size_ = 0;
};

}  // namespace upcard
