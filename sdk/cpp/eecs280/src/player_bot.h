// A bot that decides as a Player of the course does.
#pragma once

#include <upcard/upcard.h>

#include <optional>
#include <string>

#include "course_player.h"
#include "story.h"

namespace upcard::eecs280 {

/// Makes a Player for each hand, and tells it of the hand what a game would tell it.
///
/// A view is complete in itself, but it does not show how the hand before ended: of that the
/// referee asks nothing once only one card is left. So a Player cannot be told a match from end to
/// end, and is made for a hand.
///
/// The referee makes forced plays without asking. The Player is told of them before the next
/// decision, by the same call, and has to make them too.
class PlayerBot : public Bot {
 public:
  PlayerBot(const Seating& seating, std::string strategy);

  Action bid(const View& view, Actions legal) override;
  Action discard(const View& view, Actions legal) override;
  Action play(const View& view, Actions legal) override;

 private:
  CoursePlayer new_player(Cards holding) const;
  void follow(const View& view);
  Card card_for(std::optional<Card> led, Suit trump, Cards legal);
  Card laid_away_by(CoursePlayer player, Suit trump) const;

  std::string strategy_;
  std::optional<CoursePlayer> player_;
  /// What the Player has been told.
  Story told_;
};

}  // namespace upcard::eecs280
