#include "course_player.h"

#include "call_watch.h"
#include "cards.h"

namespace upcard::eecs280 {

template <class Call>
auto CoursePlayer::made(const std::string& call, Call make) {
  call_ = call;
  const std::string told =
      call + ", holding " + (holding_.empty() ? "nothing" : in_words(holding_));
  const CallWatch watch(told);
  try {
    return make();
  } catch (...) {
    log("an exception came out of " + told);
    throw;
  }
}

CoursePlayer::CoursePlayer(const std::string& name, const std::string& strategy) {
  made("Player_factory(\"" + name + "\", \"" + strategy + "\")",
       [&] { player_.reset(Player_factory(name, strategy)); });
  if (!player_) {
    refuse("made no Player: is \"" + strategy +
           "\" a strategy of your Player_factory? The last word of `run` in bot.toml names it");
  }
}

void CoursePlayer::add_card(Card card) {
  made("add_card(" + in_words(card) + ")", [&] { player_->add_card(course_card(card)); });
  holding_.push_back(card);
}

std::optional<Suit> CoursePlayer::make_trump(Card upcard, bool is_dealer, int round) {
  ::Suit ordered = course_suit(upcard.suit());
  const std::string arguments = in_words(upcard) + ", is_dealer " + (is_dealer ? "true" : "false") +
                                ", round " + std::to_string(round);
  const bool orders = made("make_trump(" + arguments + ")", [&] {
    return player_->make_trump(course_card(upcard), is_dealer, round, ordered);
  });
  if (!orders) return std::nullopt;
  const std::optional<Suit> suit = sdk_suit(ordered);
  if (!suit) refuse("set order_up_suit to " + std::to_string(int(ordered)) + ", which is no suit");
  return suit;
}

void CoursePlayer::add_and_discard(Card upcard) {
  made("add_and_discard(" + in_words(upcard) + ")",
       [&] { player_->add_and_discard(course_card(upcard)); });
  holding_.push_back(upcard);
}

Card CoursePlayer::card_to_trick(std::optional<Card> led, Suit trump, const std::string& purpose) {
  const ::Suit course_trump = course_suit(trump);
  const ::Card card =
      led ? made("play_card(" + in_words(*led) + ", " + in_words(trump) + ")",
                 [&] { return player_->play_card(course_card(*led), course_trump); })
          : made("lead_card(" + in_words(trump) + ")" + purpose,
                 [&] { return player_->lead_card(course_trump); });
  if (const std::optional<Card> known = sdk_card(card)) return *known;
  refuse("returned a card that is none: its rank is " + std::to_string(int(card.get_rank())) +
         " and its suit " + std::to_string(int(card.get_suit())));
}

void CoursePlayer::put_down(Card card) {
  CardList kept;
  for (const Card each : holding_) {
    if (each != card) kept.push_back(each);
  }
  holding_ = kept;
}

void CoursePlayer::refuse(const std::string& what) const {
  throw IllegalPlayer(call_ + " " + what);
}

}  // namespace upcard::eecs280
