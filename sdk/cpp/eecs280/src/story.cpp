#include "story.h"

#include <algorithm>
#include <span>

namespace upcard::eecs280 {
namespace {

CardList without(const CardList& cards, std::optional<Card> away) {
  CardList kept;
  for (const Card card : cards) {
    if (card != away) kept.push_back(card);
  }
  return kept;
}

List<OwnPlay, 5> own_plays(const View& view) {
  const std::span<const Play> plays = view.plays();
  const std::size_t seats_in_play = view.sits_out() ? 3 : 4;
  List<OwnPlay, 5> own;
  for (std::size_t place = 0; place < plays.size(); ++place) {
    if (plays[place].seat != view.seat()) continue;
    const std::size_t leads = place - place % seats_in_play;
    const auto led = leads == place ? std::nullopt : std::optional(plays[leads].card);
    own.push_back({plays[place].card, led});
  }
  return own;
}

List<Action, 2> own_calls(const View& view) {
  List<Action, 2> own;
  Seat speaks = left_of(view.dealer());
  for (const Action call : view.calls()) {
    if (speaks == view.seat()) own.push_back(call);
    speaks = left_of(speaks);
  }
  return own;
}

bool begins_with(const auto& longer, const auto& shorter) {
  return shorter.size() <= longer.size() &&
         std::equal(shorter.begin(), shorter.end(), longer.begin());
}

}  // namespace

Story story_of(const View& view) {
  Story story{
      .hand_number = view.hand_number(),
      .called = own_calls(view),
      .laid_away = view.discard(),
      .played = own_plays(view),
  };
  CardList held;
  for (const Card card : view.hand()) held.push_back(card);
  for (const OwnPlay& play : story.played) held.push_back(play.card);
  CardList dealt = held;
  if (story.laid_away) dealt.push_back(*story.laid_away);
  const bool took_upcard = view.seat() == view.dealer() && view.picked_up();
  story.dealt = without(dealt, took_upcard ? view.upcard() : std::nullopt);
  std::ranges::sort(story.dealt);
  for (OwnPlay& play : story.played) {
    play.forced = legal_plays(view.game(), held, play.led, view.trump()).size() == 1;
    held = without(held, play.card);
  }
  return story;
}

bool leads_to(const Story& earlier, const Story& later) {
  return earlier.hand_number == later.hand_number &&
         std::ranges::equal(earlier.dealt, later.dealt) &&
         std::ranges::equal(earlier.called, later.called) && earlier.laid_away == later.laid_away &&
         begins_with(later.played, earlier.played) &&
         std::all_of(later.played.begin() + earlier.played.size(), later.played.end(),
                     [](const OwnPlay& play) { return play.forced; });
}

}  // namespace upcard::eecs280
