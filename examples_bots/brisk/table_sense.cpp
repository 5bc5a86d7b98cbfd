#include "table_sense.h"

#include <algorithm>
#include <iterator>
#include <tuple>

using upcard::Card;
using upcard::Cards;
using upcard::View;

namespace table_sense {
namespace {

template <class Wanted>
std::vector<Card> those(Cards cards, Wanted wanted) {
  std::vector<Card> found;
  std::ranges::copy_if(cards, std::back_inserter(found), wanted);
  return found;
}

int length(const View& view, Card card) {
  return int(view.holding(view.effective_suit(card)).size());
}

}  // namespace

bool is_master(const View& view, Card card) {
  const Cards others = view.still_out(view.effective_suit(card));
  return others.empty() || view.strength(card) > view.strength(others.front());
}

bool is_trump(const View& view, Card card) { return view.effective_suit(card) == view.trump(); }

std::vector<Card> takers(const View& view) {
  return those(view.legal_cards(), [&](Card card) { return view.takes_trick(card); });
}

std::vector<Card> side_cards(const View& view) {
  return those(view.hand(), [&](Card card) { return !is_trump(view, card); });
}

std::vector<Card> masters(const View& view, Cards cards) {
  return those(cards, [&](Card card) { return is_master(view, card); });
}

Card cheapest(const View& view, Cards cards) {
  return std::ranges::min(cards, {}, [&](Card card) {
    return std::tuple(is_trump(view, card), is_master(view, card), view.strength(card),
                      length(view, card));
  });
}

Card from_shortest(const View& view, Cards cards) {
  return std::ranges::min(
      cards, {}, [&](Card card) { return std::pair(length(view, card), -view.strength(card)); });
}

}  // namespace table_sense
