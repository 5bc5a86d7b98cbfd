#include <upcard/upcard.h>

using upcard::Action;

class Player : public upcard::Bot {
 public:
  using Bot::Bot;

  Action choose(const upcard::View& view, upcard::Actions legal) override {
    if (view.partner_is_winning()) return legal.front();
    return random().pick(legal);
  }
};

int main() { return upcard::run<Player>(); }
