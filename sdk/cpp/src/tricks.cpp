// The packs of both games.
#include "upcard/tricks.h"

#include <array>

namespace upcard {
namespace {

constexpr CardList from(Rank lowest) {
  CardList pack;
  for (int number = 1; number <= 52; ++number) {
    const Card card = Card::numbered(number);
    if (card.rank() >= lowest) pack.push_back(card);
  }
  return pack;
}

constexpr CardList euchre_pack = from(Rank::nine);
constexpr CardList whist_pack = from(Rank::two);

}  // namespace

Cards pack_of(Game game) { return game == Game::euchre ? euchre_pack : whist_pack; }

}  // namespace upcard
