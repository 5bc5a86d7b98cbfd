// My player of euchre and whist.
#pragma once

#include <upcard/upcard.h>

// One object plays one match, so what you keep in it is its memory of that match.
class Player : public upcard::Bot {
 public:
  using Bot::Bot;

  upcard::Action bid(const upcard::View& view, upcard::Actions legal) override;
  upcard::Action discard(const upcard::View& view, upcard::Actions legal) override;
  upcard::Action play(const upcard::View& view, upcard::Actions legal) override;
};
