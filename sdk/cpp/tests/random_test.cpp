// The generator that the referee seeds.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "upcard/upcard.h"

namespace upcard {
namespace {

TEST(Random, IsSplitMix64) { EXPECT_EQ(Random(1234567)(), 6457827717110365317U); }

TEST(Random, DrawsTheSameFromTheSameSeed) { EXPECT_EQ(Random(5)(), Random(5)()); }

TEST(Random, DrawsEveryNumberBelowABound) {
  Random random(1);
  std::array<int, 5> drawn{};
  for (int time = 0; time < 1000; ++time) ++drawn.at(random.below(5));
  EXPECT_GT(*std::ranges::min_element(drawn), 100);
}

TEST(Random, ShufflesAsTheStandardLibraryDoes) {
  CardList cards{"9C"_card, "TC"_card, "JC"_card, "QC"_card};
  Random random(3);
  std::ranges::shuffle(cards, random);
  std::ranges::sort(cards);
  EXPECT_EQ(to_string(Cards(cards)), "9C TC JC QC");
}

}  // namespace
}  // namespace upcard
