// Points at what is in a message, so that nothing is copied before a bot asks for it.
#include "reading.h"

#include <algorithm>

#include "upcard/bot.h"
#include "wire.h"

namespace upcard::detail {
namespace {

template <class Numbers>
std::span<const int> list(const Numbers& numbers) {
  return {numbers.data(), std::size_t(numbers.size())};
}

template <class Message>
void read_shared(Told& told, const Message& message) {
  told.seat = message.seat();
  told.dealer = message.dealer();
  told.points_north_south = message.points_north_south();
  told.points_east_west = message.points_east_west();
  told.hand_number = message.hand_number();
  told.hand = list(message.hand());
  told.played = list(message.played());
  told.leaders = list(message.leaders());
  told.legal_cards = list(message.legal_cards());
}

void read_euchre(Told& told, const v1::EuchreView& message) {
  told.game = Game::euchre;
  told.phase = message.phase();
  told.dealer_stuck = message.dealer_stuck();
  told.upcard = message.upcard();
  told.trump = message.trump();
  told.maker = message.maker();
  told.sits_out = message.sits_out();
  told.discard = message.discard();
  told.calls = list(message.calls());
  told.legal_calls = list(message.legal_calls());
  read_shared(told, message);
}

void read_whist(Told& told, const v1::WhistView& message) {
  told.game = Game::whist;
  told.trump_card = message.trump_card();
  read_shared(told, message);
}

void check(const Told& told) {
  if (!is_phase(told.phase)) throw NotKnown("the referee asks for a kind of decision");
  if (!std::ranges::all_of(told.legal_calls, is_call) ||
      !std::ranges::all_of(told.legal_cards, is_card)) {
    throw NotKnown("the referee offers an action");
  }
}

}  // namespace

Game game_of(const v1::Welcome& welcome) {
  if (welcome.has_euchre()) return Game::euchre;
  if (welcome.has_whist()) return Game::whist;
  throw NotKnown("the referee plays a game");
}

Rules rules_of(const v1::Welcome& welcome) {
  if (game_of(welcome) == Game::whist) return {.target = int(welcome.whist().target())};
  const v1::EuchreRules& euchre = welcome.euchre();
  return {int(euchre.target()), euchre.alone(), euchre.stick_dealer(),
          euchre.partner_must_go_alone()};
}

Told told_of(const v1::Turn& turn, Game game) {
  Told told;
  told.table = turn.table_id();
  told.turn = turn.turn_id();
  told.time_left_ms = turn.time_left_ms();
  if (game == Game::euchre && turn.has_euchre()) {
    read_euchre(told, turn.euchre());
  } else if (game == Game::whist && turn.has_whist()) {
    read_whist(told, turn.whist());
  } else {
    throw NotKnown("the referee shows a view");
  }
  check(told);
  return told;
}

}  // namespace upcard::detail
