#include "player_bot.h"

#include <algorithm>
#include <array>
#include <utility>

#include "cards.h"

namespace upcard::eecs280 {
namespace {

constexpr std::array names{"North", "East", "South", "West"};

bool holds(Cards cards, Card card) { return std::ranges::find(cards, card) != cards.end(); }

std::optional<Card> led_in(const View& view) {
  return view.trick().empty() ? std::nullopt : std::optional(view.trick().front());
}

}  // namespace

PlayerBot::PlayerBot(const Seating& seating, std::string strategy)
    : Bot(seating), strategy_(std::move(strategy)) {}

CoursePlayer PlayerBot::new_player(Cards holding) const {
  CoursePlayer player(names.at(std::size_t(seat())), strategy_);
  for (const Card card : holding) player.add_card(card);
  return player;
}

/// Calls the Player for all that happened before a decision.
void PlayerBot::follow(const View& view) {
  const Story now = story_of(view);
  if (!leads_to(told_, now)) {
    told_ = {.hand_number = now.hand_number, .dealt = now.dealt};
    player_ = new_player(told_.dealt);
  }
  if (!leads_to(told_, now)) {
    // Something was decided without it, as for a bot that was at fault.
    log("a new Player goes on with this hand: it was not asked all that was decided in it");
    player_ = new_player(view.phase() == Phase::discarding ? Cards(now.dealt) : view.hand());
    told_ = now;
  }
  for (auto place = told_.played.size(); place < now.played.size(); ++place) {
    const OwnPlay play = now.played[place];
    card_for(play.led, *view.trump(), Cards(&play.card, 1));
    told_.played.push_back(play);
  }
}

/// The card that the Player chooses, one of those that are legal. It is put down.
Card PlayerBot::card_for(std::optional<Card> led, Suit trump, Cards legal) {
  Card card = player_->card_to_trick(led, trump);
  if (card == told_.laid_away) {
    log("a new Player goes on with this hand: this one plays the " + in_words(card) +
        ", which another one laid away that was told the same");
    player_ = new_player(player_->holding());
    card = player_->card_to_trick(led, trump);
  }
  const std::string returned = "returned " + in_words(card) + ", which ";
  const std::string held = in_words(player_->holding());
  if (!holds(player_->holding(), card)) player_->refuse(returned + "is not in its hand: " + held);
  if (!holds(legal, card)) {
    player_->refuse(returned + "does not follow suit, and " + in_words(legal) +
                    " would; its hand: " + held);
  }
  player_->put_down(card);
  return card;
}

/// What a Player that took the upcard laid away.
///
/// It does not say, but what it leads, trick after trick, are the cards it has kept.
Card PlayerBot::laid_away_by(CoursePlayer player, Suit trump) const {
  while (player.holding().size() > 1) {
    const Card card = player.card_to_trick(std::nullopt, trump, " to see what is left");
    if (!holds(player.holding(), card)) {
      player.refuse("after add_and_discard returned " + in_words(card) +
                    ", which is none of the cards left: " + in_words(player.holding()));
    }
    player.put_down(card);
  }
  return player.holding()[0];
}

Action PlayerBot::bid(const View& view, Actions) {
  follow(view);
  const bool first_round = view.calls().size() < 4;
  const auto ordered =
      player_->make_trump(*view.upcard(), view.seat() == view.dealer(), first_round ? 1 : 2);
  const bool is_upcards = ordered == view.upcard()->suit();
  if (!ordered && !view.may(Action::pass())) {
    player_->refuse("returned false, but the dealer has to order up in the second round");
  }
  if (ordered && is_upcards != first_round) {
    player_->refuse("ordered up " + in_words(*ordered) +
                    (first_round
                         ? ", but in the first round only the suit of the upcard is on offer"
                         : ", the suit of the upcard, in the second round"));
  }
  const Action plain = first_round ? Action::order_up() : Action::name(ordered.value_or(Suit()));
  const Action call = ordered ? plain : Action::pass();
  told_.called.push_back(call);
  return call;
}

Action PlayerBot::discard(const View& view, Actions) {
  follow(view);
  const Card upcard = *view.upcard();
  CoursePlayer another = new_player(told_.dealt);
  for (int round = 1; round <= int(told_.called.size()); ++round) {
    another.make_trump(upcard, true, round);
  }
  another.add_and_discard(upcard);
  const Card away = laid_away_by(std::move(another), upcard.suit());
  player_->add_and_discard(upcard);
  player_->put_down(away);
  told_.laid_away = away;
  return Action::discard(away);
}

Action PlayerBot::play(const View& view, Actions) {
  follow(view);
  const OwnPlay play{card_for(led_in(view), *view.trump(), view.legal_cards()), led_in(view)};
  told_.played.push_back(play);
  return Action::play(play.card);
}

}  // namespace upcard::eecs280
