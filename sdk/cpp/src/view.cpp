// Works out what a card player would ask of a turn.
#include "upcard/view.h"

#include <algorithm>
#include <bitset>
#include <functional>
#include <ostream>

#include "wire.h"

namespace upcard {
namespace {

CardList cards_of(std::span<const int> numbers) {
  CardList cards;
  for (const int number : numbers) cards.push_back(Card::numbered(number));
  return cards;
}

List<Action, 16> legal_of(const detail::Told& told) {
  List<Action, 16> legal;
  const auto act = Phase(told.phase) == Phase::discarding ? Action::discard : Action::play;
  for (const int call : told.legal_calls) legal.push_back(detail::call_of.at(std::size_t(call)));
  for (const int card : told.legal_cards) legal.push_back(act(Card::numbered(card)));
  return legal;
}

std::optional<Suit> trump_of(const detail::Told& told) {
  if (told.game == Game::whist) return Card::numbered(told.trump_card).suit();
  return detail::suit_of(told.trump);
}

}  // namespace

View::View(const detail::Told& told, const Rules& rules)
    : told_(told), rules_(rules), trump_(trump_of(told)), legal_(legal_of(told)) {}

std::optional<std::chrono::milliseconds> View::time_left() const {
  if (told_.time_left_ms == 0) return std::nullopt;
  return std::chrono::milliseconds(told_.time_left_ms);
}

Sides View::score() const {
  const int north_south = int(told_.points_north_south), east_west = int(told_.points_east_west);
  return same_team(seat(), Seat::north) ? Sides{north_south, east_west}
                                        : Sides{east_west, north_south};
}

bool View::may(Action action) const { return std::ranges::find(legal_, action) != legal_.end(); }

Cards View::legal_cards() const {
  return legal_cards_.get([this] { return cards_of(told_.legal_cards); });
}

Cards View::hand() const {
  return hand_.get([this] { return cards_of(told_.hand); });
}

Cards View::played() const {
  return played_.get([this] { return cards_of(told_.played); });
}

std::optional<Card> View::upcard() const { return detail::card_of(told_.upcard); }

std::optional<Card> View::trump_card() const { return detail::card_of(told_.trump_card); }

std::optional<Card> View::discard() const { return detail::card_of(told_.discard); }

std::optional<Seat> View::maker() const { return detail::seat_of(told_.maker); }

std::optional<Seat> View::sits_out() const { return detail::seat_of(told_.sits_out); }

bool View::we_made_trump() const { return maker() && same_team(*maker(), seat()); }

bool View::picked_up() const { return maker() && told_.calls.size() <= 4; }

Actions View::calls() const {
  return calls_.get([this] {
    List<Action, 8> calls;
    for (const int call : told_.calls) calls.push_back(detail::call_of.at(std::size_t(call)));
    return calls;
  });
}

Cards View::BySuit::of(std::optional<Suit> suit) const {
  if (!suit) return {};
  const auto place = std::size_t(*suit);
  return Cards(cards).subspan(ends[place], ends[place + 1] - ends[place]);
}

View::BySuit View::by_suit(Cards cards) const {
  BySuit sorted;
  const auto worth = [this](Card card) { return strength(card); };
  for (const Suit suit : suits) {
    const auto first = sorted.cards.size();
    for (const Card card : cards) {
      if (effective_suit(card) == suit) sorted.cards.push_back(card);
    }
    std::ranges::sort(sorted.cards.begin() + first, sorted.cards.end(), std::greater{}, worth);
    sorted.ends[std::size_t(suit) + 1] = sorted.cards.size();
  }
  return sorted;
}

Cards View::holding(std::optional<Suit> suit) const {
  return holdings_.get([this] { return by_suit(hand()); }).of(suit);
}

Cards View::still_out(std::optional<Suit> suit) const {
  return suits_out_.get([this] { return by_suit(cards_still_out()); }).of(suit);
}

Cards View::cards_still_out() const {
  return still_out_.get([this] { return worked_out_still_out(); });
}

CardList View::worked_out_still_out() const {
  std::bitset<53> gone;
  for (const int card : told_.hand) gone.set(std::size_t(card));
  for (const int card : told_.played) gone.set(std::size_t(card));
  gone.set(std::size_t(told_.discard));
  if (!picked_up()) gone.set(std::size_t(told_.upcard));
  CardList out;
  for (const Card card : pack()) {
    if (!gone.test(std::size_t(card.number()))) out.push_back(card);
  }
  return out;
}

std::optional<Seat> View::leader() const {
  return told_.leaders.empty() ? std::nullopt : detail::seat_of(told_.leaders.back());
}

Cards View::trick() const {
  const Cards all = played();
  return all.last(all.size() % trick_size());
}

std::optional<Suit> View::suit_led() const {
  if (trick().empty()) return std::nullopt;
  return effective_suit(trick().front());
}

std::optional<Play> View::winning() const {
  return winning_.get([this]() -> std::optional<Play> {
    if (trick().empty() || !leader()) return std::nullopt;
    return winner_of(game(), trick(), *leader(), trump_, sits_out());
  });
}

std::optional<Card> View::winning_card() const {
  return winning() ? std::optional(winning()->card) : std::nullopt;
}

std::optional<Seat> View::winning_seat() const {
  return winning() ? std::optional(winning()->seat) : std::nullopt;
}

bool View::takes_trick(Card card) const { return !winning() || beats(card, winning()->card); }

bool View::last_to_play() const { return told_.played.size() % trick_size() == trick_size() - 1; }

std::span<const Trick> View::tricks() const {
  return tricks_.get([this] { return worked_out_tricks(); });
}

List<Trick, 13> View::worked_out_tricks() const {
  List<Trick, 13> tricks;
  const Cards all = played();
  const std::size_t size = trick_size();
  for (std::size_t next = 1; next < told_.leaders.size(); ++next) {
    const auto leader = Seat(told_.leaders[next - 1] - 1), winner = Seat(told_.leaders[next] - 1);
    tricks.push_back({leader, all.subspan((next - 1) * size, size), winner});
  }
  return tricks;
}

Sides View::tricks_won() const {
  Sides won;
  for (std::size_t next = 1; next < told_.leaders.size(); ++next) {
    ++(same_team(Seat(told_.leaders[next] - 1), seat()) ? won.us : won.them);
  }
  return won;
}

std::span<const Play> View::plays() const {
  return plays_.get([this] { return worked_out_plays(); });
}

List<Play, 52> View::worked_out_plays() const {
  List<Play, 52> plays;
  Seat who{};
  for (const Card card : played()) {
    const std::size_t place = plays.size();
    const bool leads = place % trick_size() == 0;
    who = leads ? Seat(told_.leaders[place / trick_size()] - 1) : left_of(who, sits_out());
    plays.push_back({who, card});
  }
  return plays;
}

std::span<const Suit> View::void_suits(Seat seat) const {
  return voids_.get([this] { return worked_out_voids(); })[std::size_t(seat)];
}

bool View::is_void(Seat seat, Suit suit) const {
  return std::ranges::find(void_suits(seat), suit) != void_suits(seat).end();
}

std::array<View::SuitList, 4> View::worked_out_voids() const {
  std::array<std::bitset<4>, 4> shown;
  Suit led{};
  for (std::size_t place = 0; const Play& play : plays()) {
    const Suit suit = effective_suit(play.card);
    if (place++ % trick_size() == 0) led = suit;
    if (suit != led) shown[std::size_t(play.seat)].set(std::size_t(led));
  }
  std::array<SuitList, 4> voids;
  for (const Seat seat : seats) {
    for (const Suit suit : suits) {
      if (shown[std::size_t(seat)].test(std::size_t(suit)))
        voids[std::size_t(seat)].push_back(suit);
    }
  }
  return voids;
}

Suit View::effective_suit(Card card, std::optional<Suit> trump) const {
  return upcard::effective_suit(game(), card, trump ? trump : trump_);
}

int View::strength(Card card, std::optional<Suit> trump) const {
  return upcard::strength(game(), card, trump ? trump : trump_);
}

bool View::beats(Card card, Card other, std::optional<Suit> trump) const {
  return upcard::beats(game(), card, other, trump ? trump : trump_);
}

std::string to_string(Phase phase) {
  if (phase == Phase::bidding) return "bidding";
  return phase == Phase::discarding ? "discarding" : "playing";
}

std::string to_string(const View& view) {
  std::string line = to_string(view.game()) + ", " + to_string(view.phase()) + ": hand ";
  line += to_string(view.hand());
  if (view.phase() == Phase::bidding && view.upcard())
    line += ", upcard " + to_string(*view.upcard());
  if (view.trump()) line += ", trump " + to_string(*view.trump());
  if (!view.trick().empty()) line += ", trick " + to_string(view.trick());
  return line;
}

std::ostream& operator<<(std::ostream& out, Phase phase) { return out << to_string(phase); }
std::ostream& operator<<(std::ostream& out, const View& view) { return out << to_string(view); }

}  // namespace upcard
