// A bot's chance: a small generator that the referee seeds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ranges>

namespace upcard {

/// SplitMix64. It fits the standard library too: `std::ranges::shuffle(cards, random())`.
class Random {
 public:
  using result_type = std::uint64_t;

  explicit constexpr Random(std::uint64_t seed) : state_(seed) {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }

  constexpr result_type operator()() {
    std::uint64_t bits = state_ += 0x9e3779b97f4a7c15;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    return bits ^ (bits >> 31);
  }

  /// A number from 0 up, less than `bound`, which is not 0.
  constexpr std::size_t below(std::size_t bound) {
    return std::size_t((static_cast<unsigned __int128>((*this)()) * bound) >> 64);
  }

  /// One of the values of a list that is not empty.
  template <std::ranges::random_access_range Values>
  constexpr auto pick(const Values& values) {
    return std::ranges::begin(values)[std::ptrdiff_t(below(std::ranges::size(values)))];
  }

 private:
  std::uint64_t state_;
};

}  // namespace upcard
