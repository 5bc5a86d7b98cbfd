// What follows by the rules from what is told of a situation; what cannot have been is refused.
#include "moment.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <utility>

namespace upcard::detail {
namespace {

constexpr int most_points = 100;
constexpr std::size_t a_round = 4;
constexpr std::size_t with_upcard = 6;
constexpr std::array names{"North", "East", "South", "West"};

const char* name(Seat seat) { return names[std::size_t(seat)]; }

template <class... Parts>
[[noreturn]] void refuse(const Parts&... parts) {
  std::ostringstream why;
  (why << ... << parts);
  throw ImpossibleSituation(why.str());
}

template <class Values, class Value>
bool has(const Values& values, const Value& value) {
  return std::ranges::find(values, value) != values.end();
}

Seat clockwise(Seat seat, std::size_t places) { return Seat((std::size_t(seat) + places) % 4); }

}  // namespace

Moment::Moment(Words words) : words_(std::move(words)) {
  check_words();
  add_calls();
  if (words_.game == Game::whist) {
    made_.trump = words_.trump_card->suit();
  } else {
    bid();
  }
  check_twice();
  std::ranges::sort(words_.hand);
  play();
  check_actor();
  check_discard();
  check_hand();
}

std::size_t Moment::tricks() const { return words_.game == Game::euchre ? 5 : 13; }

std::optional<Card> Moment::turned() const {
  return words_.game == Game::euchre ? words_.upcard : words_.trump_card;
}

// What is told, word by word.

void Moment::check_words() const {
  check_rules();
  check_fields();
  std::vector<std::optional<Card>> cards{words_.upcard, words_.trump_card};
  cards.insert(cards.end(), words_.hand.begin(), words_.hand.end());
  cards.push_back(words_.discard);
  cards.insert(cards.end(), words_.played.begin(), words_.played.end());
  for (const auto card : cards) {
    if (card && !has(pack_of(words_.game), *card)) refuse(*card, " is no card of ", words_.game);
  }
  if (words_.hand.empty()) refuse("the hand is empty");
}

void Moment::check_rules() const {
  const auto& [target, alone, stick_dealer, partner_must_go_alone] = words_.rules;
  const auto [us, them] = words_.score;
  if (target < 1 || target > most_points) {
    refuse("a match is to 1 to ", most_points, " points, not ", target);
  }
  if (partner_must_go_alone && !alone) refuse("nobody can be made to go alone where nobody may");
  if (std::min(us, them) < 0 || std::max(us, them) >= target) {
    refuse("the score is not ", us, " to ", them, " in a match to ", target);
  }
}

void Moment::check_fields() const {
  if (words_.game == Game::euchre) {
    if (words_.trump_card) refuse("euchre has no trump card");
    return;
  }
  const std::array fields{
      std::pair{"upcard", words_.upcard.has_value()},
      std::pair{"trump to be made", words_.trump.has_value()},
      std::pair{"maker", words_.maker.has_value()},
      std::pair{"calls", !words_.calls.empty()},
      std::pair{"discard", words_.discard.has_value()},
      std::pair{"stuck dealer", words_.stuck},
  };
  for (const auto& [field, is_told] : fields) {
    if (is_told) refuse("whist has no ", field);
  }
  if (!words_.trump_card) refuse("the trump card is missing");
}

/// Refuses a card that is in two places.
void Moment::check_twice() const {
  std::vector<Card> cards = words_.hand;
  if (words_.discard) cards.push_back(*words_.discard);
  cards.insert(cards.end(), words_.played.begin(), words_.played.end());
  if (words_.upcard && !made_.picked_up) cards.push_back(*words_.upcard);
  for (auto card = cards.begin(); card != cards.end(); ++card) {
    if (std::find(cards.begin(), card, *card) != card) refuse(*card, " is there twice");
  }
}

// The bidding.

/// Puts the calls by which trump was made in the place of trump and maker.
void Moment::add_calls() {
  if (!words_.calls.empty() || !words_.trump) return;
  if (!words_.upcard) words_.upcard = nobodys();
  const Seat maker = words_.maker.value_or(left_of(words_.dealer));
  const bool ordered = words_.upcard->suit() == words_.trump;
  const auto before = (std::size_t(maker) + 3 - std::size_t(words_.dealer)) % 4;
  words_.calls.assign((ordered ? 0 : a_round) + before, Action::pass());
  words_.calls.push_back(ordered ? Action::order_up() : Action::name(*words_.trump));
}

/// The first card of another suit that nobody is said to have.
Card Moment::nobodys() const {
  for (const Card card : pack_of(words_.game)) {
    const bool known =
        has(words_.hand, card) || has(words_.played, card) || card == words_.discard;
    // With six cards it is in the hand, and only its author can say which one it is.
    if (card.suit() != words_.trump && !known && words_.hand.size() != with_upcard) return card;
  }
  refuse("the upcard is missing");
}

/// What may be said after so many passes.
std::vector<Action> Moment::menu(std::size_t said) const {
  std::vector<Action> open;
  const bool alone = words_.rules.alone;
  if (said < a_round || !words_.is_stuck() || said != 2 * a_round - 1) {
    open.push_back(Action::pass());
  }
  if (said < a_round) {
    if (!words_.rules.partner_must_go_alone || said != 1) open.push_back(Action::order_up());
    if (alone) open.push_back(Action::order_up_alone());
    return open;
  }
  for (const auto named : {Action::name, Action::name_alone}) {
    for (const Suit suit : suits) {
      const Action call = named(suit);
      if (suit != words_.upcard->suit() && (alone || !call.is_alone())) open.push_back(call);
    }
  }
  return open;
}

void Moment::bid() {
  if (words_.maker && !words_.trump && words_.calls.empty()) {
    refuse("the trump that ", name(*words_.maker), " made is missing");
  }
  if (!words_.upcard) refuse("the upcard is missing");
  for (std::size_t said = 0; said < words_.calls.size(); ++said) {
    if (made_.trump) refuse("nothing is said after ", words_.calls[said - 1]);
    say(words_.calls[said], said);
  }
  check_made();
}

void Moment::say(Action call, std::size_t said) {
  const Seat speaker = clockwise(words_.dealer, said + 1);
  const auto open = menu(said);
  if (!has(open, call)) {
    refuse(name(speaker), " may not say ", call, "; only ", to_string(Actions(open)));
  }
  if (call != Action::pass()) {
    made_ = {call.suit() ? call.suit() : words_.upcard->suit(), speaker, std::nullopt,
             said < a_round};
    if (call.is_alone()) made_.sits_out = partner_of(speaker);
  } else if (said == 2 * a_round - 1) {
    refuse("all have passed twice: the hand is thrown in");
  }
}

void Moment::check_made() const {
  if (!made_.trump) {
    if (words_.trump || words_.maker) refuse("nobody has made trump yet");
    if (!words_.played.empty()) refuse("a card is played before trump is made");
    return;
  }
  if (words_.trump && words_.trump != made_.trump) {
    refuse("trump is ", *made_.trump, " by the calls, not ", *words_.trump);
  }
  if (words_.maker && words_.maker != made_.maker) {
    refuse(name(*made_.maker), " made trump, not ", name(*words_.maker));
  }
}

// The play.

/// Finds what lies on the table, and who is to act.
void Moment::play() {
  const bool laying =
      words_.hand.size() == with_upcard && words_.played.empty() && !words_.discard;
  if (!made_.trump) {
    phase_ = Phase::bidding;
    actor_ = clockwise(words_.dealer, words_.calls.size() + 1);
  } else if (made_.picked_up && laying) {
    phase_ = Phase::discarding;
    actor_ = words_.dealer;
  } else {
    leaders_.push_back(left_of(words_.dealer, made_.sits_out));
    for (const Card card : words_.played) lay(card);
    actor_ = next();
  }
}

/// Who plays next.
Seat Moment::next() const {
  Seat seat = leaders_.back();
  for (std::size_t place = 0; place < trick_.size(); ++place) seat = left_of(seat, made_.sits_out);
  return seat;
}

void Moment::lay(Card card) {
  const Seat seat = next();
  check_follows(seat, card);
  trick_.push_back(card);
  plays_.push_back({seat, card});
  const Suit led = suit_of(trick_[0]);
  if (suit_of(card) != led) voids_[std::size_t(seat)][std::size_t(led)] = true;
  if (trick_.size() == (made_.sits_out ? 3 : 4)) {
    const Cards trick(trick_.begin(), trick_.size());
    leaders_.push_back(
        winner_of(words_.game, trick, leaders_.back(), made_.trump, made_.sits_out).seat);
    trick_.clear();
  }
  if (leaders_.size() > tricks()) refuse("all tricks are played");
}

void Moment::check_follows(Seat seat, Card card) const {
  const Suit suit = suit_of(card);
  if (voids_[std::size_t(seat)][std::size_t(suit)]) {
    refuse(name(seat), " did not follow ", suit, ", and has ", card);
  }
}

void Moment::check_actor() const {
  if (words_.seat && words_.seat != actor_) {
    refuse(name(actor_), " is to act, not ", name(*words_.seat));
  }
}

void Moment::check_discard() const {
  const bool laid_away = made_.picked_up && actor_ == words_.dealer && phase_ == Phase::playing;
  if (words_.discard && !laid_away) refuse(name(actor_), " laid no card away");
  if (!words_.discard && laid_away) refuse("what ", name(actor_), " laid away is missing");
}

/// Checks the cards of who is to act.
void Moment::check_hand() const {
  std::vector<Card> own;
  for (const auto& [seat, card] : plays_) {
    if (seat == actor_) own.push_back(card);
  }
  const auto most = phase_ == Phase::discarding ? with_upcard : tricks() - own.size();
  const auto held = words_.hand.size();
  if (held > most) refuse(name(actor_), " holds at most ", most, " cards here, not ", held);
  own.insert(own.end(), words_.hand.begin(), words_.hand.end());
  if (words_.discard) own.push_back(*words_.discard);
  if (made_.picked_up || words_.game == Game::whist) check_dealers_card(own);
  for (const Card card : words_.hand) check_follows(actor_, card);
}

/// Checks that the card turned up is the dealer's, and nobody else's.
void Moment::check_dealers_card(const std::vector<Card>& own) const {
  const Card card = *turned();
  const Seat dealer = words_.dealer;
  if (actor_ == dealer && !has(own, card)) {
    refuse(card, " is missing among ", name(dealer), "'s cards");
  }
  const bool elsewhere = std::ranges::any_of(
      plays_, [&](const Play& play) { return play.card == card && play.seat != dealer; });
  if (elsewhere || (actor_ != dealer && has(words_.hand, card))) {
    refuse(card, " is ", name(dealer), "'s, and nobody else's");
  }
}

std::vector<Action> Moment::legal() const {
  if (phase_ == Phase::bidding) return menu(words_.calls.size());
  const auto led = trick_.empty() ? std::nullopt : std::optional(trick_[0]);
  const auto action = phase_ == Phase::discarding ? Action::discard : Action::play;
  std::vector<Action> found;
  for (const Card card : legal_plays(words_.game, words_.hand, led, made_.trump)) {
    found.push_back(action(card));
  }
  return found;
}

}  // namespace upcard::detail
