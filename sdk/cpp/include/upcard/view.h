// What a seat knows when it is to act, under the names a card player would use.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>

#include "upcard/actions.h"
#include "upcard/cards.h"
#include "upcard/detail/lazy.h"
#include "upcard/detail/told.h"
#include "upcard/rules.h"
#include "upcard/seats.h"
#include "upcard/tricks.h"

namespace upcard {

/// What is due: a call, the dealer's discard, or a card to the trick.
enum class Phase : std::uint8_t { bidding = 1, discarding, playing };

/// A finished trick.
struct Trick {
  Seat leader{};
  /// In the order they were played.
  Cards cards;
  Seat winner{};
};

/// What your seat knows. It works out only what it is asked for, once.
///
/// All names are there in both games; what a game does not have is `std::nullopt`, false or empty.
/// The lists it gives live as long as the view, which is one decision: copy what you want to keep.
class View {
 public:
  View(const detail::Told& told, const Rules& rules);
  View(const View&) = delete;
  View& operator=(const View&) = delete;

  // Where and when.

  Game game() const { return told_.game; }
  Phase phase() const { return Phase(told_.phase); }
  /// The table: a number that means nothing, another one for every match.
  std::uint32_t table() const { return told_.table; }
  /// The number of this decision; the referee counts them.
  std::uint32_t turn() const { return told_.turn; }
  /// What is left for this match; nothing if only each decision is limited.
  std::optional<std::chrono::milliseconds> time_left() const;
  /// The number of this hand in its match, from 0.
  int hand_number() const { return int(told_.hand_number); }

  // Who.

  Seat seat() const { return Seat(told_.seat - 1); }
  Seat partner() const { return partner_of(seat()); }
  Seat dealer() const { return Seat(told_.dealer - 1); }

  // The score.

  const Rules& rules() const { return rules_; }
  /// The points of both teams before this hand.
  Sides score() const;
  /// How many points win the match.
  int target() const { return rules_.target; }

  // What you may do.

  /// One of these is to be returned.
  Actions legal() const { return legal_; }
  /// The cards you may play or discard, in the order of `legal`.
  Cards legal_cards() const;
  /// Whether an action is among the legal ones.
  bool may(Action action) const;

  // The cards.

  /// The cards you hold, in the order of the pack.
  Cards hand() const;
  /// Every card of the game.
  Cards pack() const { return pack_of(game()); }
  /// Euchre: the card turned up.
  std::optional<Card> upcard() const;
  /// Whist: the last card dealt, the dealer's until she plays it.
  std::optional<Card> trump_card() const;
  /// The trump suit; nothing until it is made.
  std::optional<Suit> trump() const { return trump_; }
  /// The cards you hold that count as a suit, the strongest first.
  Cards holding(std::optional<Suit> suit) const;
  /// What others may still play: all but the cards you hold, those played, and those you know to
  /// be out of play. In euchre three of them lie in the kitty.
  Cards cards_still_out() const;
  /// Those of a suit, the strongest first.
  Cards still_out(std::optional<Suit> suit) const;

  // The bidding, in euchre.

  /// What was said so far, the first to speak first.
  Actions calls() const;
  /// Whether the dealer, when she speaks last, must name a suit.
  bool dealer_stuck() const { return told_.dealer_stuck; }
  /// Who made trump.
  std::optional<Seat> maker() const;
  /// Whether you or your partner made trump.
  bool we_made_trump() const;
  /// Whether the dealer took the upcard, as she does when it is ordered up.
  bool picked_up() const;
  /// What you laid away as the dealer.
  std::optional<Card> discard() const;
  /// The maker's partner when the maker goes alone.
  std::optional<Seat> sits_out() const;

  // The trick in progress.

  /// Who leads it; nothing before the play.
  std::optional<Seat> leader() const;
  /// Its cards, the led one first.
  Cards trick() const;
  /// The suit to follow; nothing when you lead. The left bower leads trump.
  std::optional<Suit> suit_led() const;
  /// The card that is winning it; nothing when you lead.
  std::optional<Card> winning_card() const;
  /// Who is winning it; nothing when you lead.
  std::optional<Seat> winning_seat() const;
  bool partner_is_winning() const { return winning_seat() == partner(); }
  /// Whether a card would be the winning one if you played it now.
  bool takes_trick(Card card) const;
  /// Whether your card ends the trick.
  bool last_to_play() const;

  // What happened in this hand.

  /// The finished tricks.
  std::span<const Trick> tricks() const;
  /// The tricks both teams have taken.
  Sides tricks_won() const;
  /// Every card played, with who played it.
  std::span<const Play> plays() const;
  /// The suits a seat has shown to have none of, by not following.
  std::span<const Suit> void_suits(Seat seat) const;
  /// Whether a seat has shown to have none of a suit.
  bool is_void(Seat seat, Suit suit) const;

  // The worth of cards. `trump` stands for the hand's trump suit; give another to see how it
  // would be.

  /// The suit a card counts as: the left bower is a trump.
  Suit effective_suit(Card card, std::optional<Suit> trump = std::nullopt) const;
  /// The place of a card in its effective suit, the higher the stronger.
  int strength(Card card, std::optional<Suit> trump = std::nullopt) const;
  /// Whether a card takes the trick over from another that is winning it.
  bool beats(Card card, Card other, std::optional<Suit> trump = std::nullopt) const;

 private:
  /// Cards suit by suit, the strongest first.
  struct BySuit {
    CardList cards;
    std::array<std::size_t, 5> ends{};
    Cards of(std::optional<Suit> suit) const;
  };

  using SuitList = List<Suit, 4>;

  BySuit by_suit(Cards cards) const;
  CardList worked_out_still_out() const;
  List<Trick, 13> worked_out_tricks() const;
  List<Play, 52> worked_out_plays() const;
  std::array<SuitList, 4> worked_out_voids() const;
  std::optional<Play> winning() const;
  Cards played() const;
  std::size_t trick_size() const { return told_.sits_out ? 3 : 4; }

  const detail::Told& told_;
  const Rules& rules_;
  std::optional<Suit> trump_;
  List<Action, 16> legal_;
  detail::Lazy<CardList> hand_, legal_cards_, played_, still_out_;
  detail::Lazy<BySuit> holdings_, suits_out_;
  detail::Lazy<List<Action, 8>> calls_;
  detail::Lazy<List<Trick, 13>> tricks_;
  detail::Lazy<List<Play, 52>> plays_;
  detail::Lazy<std::optional<Play>> winning_;
  detail::Lazy<std::array<SuitList, 4>> voids_;
};

/// `bidding`, `discarding` or `playing`.
std::string to_string(Phase phase);
/// The situation in a line: `euchre, playing: hand JD AD QD, trump H, trick 9S AS`.
std::string to_string(const View& view);
std::ostream& operator<<(std::ostream& out, Phase phase);
std::ostream& operator<<(std::ostream& out, const View& view);

}  // namespace upcard
