// A Player of the course, called with the SDK's cards; what goes wrong in a call is told with it.
#pragma once

#include <upcard/upcard.h>

#include <memory>
#include <optional>
#include <string>

#include "Player.hpp"

namespace upcard::eecs280 {

/// A Player did what the rules do not allow.
class IllegalPlayer : public Error {
 public:
  using Error::Error;
};

/// A Player, and the cards that it should hold.
class CoursePlayer {
 public:
  /// Throws `IllegalPlayer` if there is no such strategy.
  CoursePlayer(const std::string& name, const std::string& strategy);

  void add_card(Card card);
  /// The suit it orders up; nothing if it passes.
  std::optional<Suit> make_trump(Card upcard, bool is_dealer, int round);
  void add_and_discard(Card upcard);
  /// The card it leads, or plays where one was led. It is held until it is put down. `purpose` is
  /// told with a call that fails.
  Card card_to_trick(std::optional<Card> led, Suit trump, const std::string& purpose = "");
  void put_down(Card card);

  Cards holding() const { return holding_; }

  /// Throws `IllegalPlayer`: `play_card(Nine of Hearts, Spades) returned ...`.
  [[noreturn]] void refuse(const std::string& what) const;

 private:
  template <class Call>
  auto made(const std::string& call, Call make);

  std::unique_ptr<::Player> player_;
  CardList holding_;
  /// The last one, as it would be written in C++.
  std::string call_;
};

}  // namespace upcard::eecs280
