// What follows by the rules from what is told of a situation; what cannot have been is refused.
#pragma once

#include <optional>
#include <vector>

#include "upcard/situation.h"
#include "upcard/view.h"

namespace upcard::detail {

/// What is told of a situation, read.
struct Words {
  Game game = Game::euchre;
  Rules rules;
  std::vector<Card> hand, played;
  Seat dealer = Seat::west;
  std::optional<Seat> seat, maker;
  std::optional<Card> upcard, trump_card, discard;
  std::optional<Suit> trump;
  std::vector<Action> calls;
  Sides score;
  int hand_number = 0;
  bool stuck = false;

  /// Whether the dealer must name a suit in the end.
  bool is_stuck() const { return stuck || rules.stick_dealer; }
};

/// What the bidding came to.
struct Made {
  std::optional<Suit> trump;
  std::optional<Seat> maker, sits_out;
  bool picked_up = false;
};

/// A situation, and all that follows from it.
class Moment {
 public:
  /// Throws `ImpossibleSituation`.
  explicit Moment(Words words);

  const Words& words() const { return words_; }
  const Made& made() const { return made_; }
  Phase phase() const { return phase_; }
  Seat actor() const { return actor_; }
  const std::vector<Seat>& leaders() const { return leaders_; }
  std::vector<Action> legal() const;

 private:
  void check_rules() const;
  void check_fields() const;
  void check_words() const;
  void check_twice() const;
  void add_calls();
  Card nobodys() const;
  std::vector<Action> menu(std::size_t said) const;
  void bid();
  void say(Action call, std::size_t said);
  void check_made() const;
  void play();
  Seat next() const;
  void lay(Card card);
  void check_follows(Seat seat, Card card) const;
  void check_actor() const;
  void check_discard() const;
  void check_hand() const;
  void check_dealers_card(const std::vector<Card>& own) const;
  std::size_t tricks() const;
  std::optional<Card> turned() const;
  Suit suit_of(Card card) const { return effective_suit(words_.game, card, made_.trump); }

  Words words_;
  Made made_;
  Phase phase_ = Phase::playing;
  Seat actor_ = Seat::north;
  std::vector<Seat> leaders_;
  std::vector<Play> plays_;
  CardList trick_;
  /// The suits that each seat did not follow.
  std::array<std::array<bool, 4>, 4> voids_{};
};

}  // namespace upcard::detail
