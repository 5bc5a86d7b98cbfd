#include "bot.h"

#include <algorithm>
#include <vector>

using upcard::Action;
using upcard::Actions;
using upcard::Card;
using upcard::Cards;
using upcard::Suit;
using upcard::View;

namespace {

// How many of our cards would be trumps; the left bower is one of them.
auto trumps(const View& view, Suit trump) {
  return std::ranges::count_if(
      view.hand(), [&](Card card) { return view.effective_suit(card, trump) == trump; });
}

// Any trump is dearer than any other card.
int price(const View& view, Card card) {
  return view.strength(card) + (view.effective_suit(card) == view.trump() ? 100 : 0);
}

Card cheapest(const View& view, Cards cards) {
  return std::ranges::min(cards, {}, [&](Card card) { return price(view, card); });
}

}  // namespace

// Euchre, both rounds of the bidding: make trump with three of them. Try what else a hand is worth:
// aces, the bowers (`view.strength(card, trump)`), whether the dealer is your partner.
Action Player::bid(const View& view, Actions legal) {
  if (view.may(Action::order_up()) && trumps(view, view.upcard()->suit()) >= 3) {
    return Action::order_up();
  }
  for (const Suit suit : upcard::suits) {
    if (view.may(Action::name(suit)) && trumps(view, suit) >= 3) return Action::name(suit);
  }
  return legal.front();  // a pass, where you may
}

// Euchre: the dealer took the upcard, and lays a card away.
Action Player::discard(const View& view, Actions) {
  return Action::discard(cheapest(view, view.hand()));
}

// A card to a trick of either game. Here our dearest card leads; a good player draws trumps first,
// or saves them: `view.we_made_trump()` and `view.still_out(suit)` tell more.
Action Player::play(const View& view, Actions) {
  const Cards cards = view.legal_cards();
  if (view.trick().empty()) {
    return Action::play(std::ranges::max(cards, {}, [&](Card card) { return price(view, card); }));
  }
  std::vector<Card> takers;
  std::ranges::copy_if(cards, std::back_inserter(takers),
                       [&](Card card) { return view.takes_trick(card); });
  const bool take = !view.partner_is_winning() && !takers.empty();
  return Action::play(cheapest(view, take ? Cards(takers) : cards));
}
