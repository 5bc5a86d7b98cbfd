// A quick player of both games, written to be read: begin here, then see the page of each game.
//
// It counts its hand before it calls, wins tricks as cheaply as it can, and lets its partner's good
// cards win. It draws no lots, so the same view gets the same answer.
#include <upcard/upcard.h>

#include "euchre.h"
#include "whist.h"

using upcard::Action;
using upcard::Actions;
using upcard::Card;
using upcard::View;

namespace {

class Brisk : public upcard::Bot {
 public:
  using Bot::Bot;

  Action bid(const View& view, Actions) override { return euchre::call(view); }

  Action discard(const View& view, Actions) override {
    return Action::discard(euchre::card_to_discard(view));
  }

  Action play(const View& view, Actions) override {
    const bool leads = view.trick().empty();
    if (view.game() == upcard::Game::euchre) {
      return Action::play(leads ? euchre::lead(view) : euchre::follow(view));
    }
    return Action::play(leads ? whist::lead(view) : whist::follow(view));
  }
};

}  // namespace

int main() { return upcard::run<Brisk>(); }
