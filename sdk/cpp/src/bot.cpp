// Asks the method for the kind of a decision, and names the one that is missing.
#include "upcard/bot.h"

#include "type_name.h"

namespace upcard {
namespace {

[[noreturn]] void miss(const Bot& bot, const std::string& method,
                       const std::string& otherwise = ", or choose(view, legal) for everything") {
  throw MissingMethod(detail::type_name(typeid(bot)) + " cannot decide: override " + method +
                      "(view, legal) for this" + otherwise);
}

}  // namespace

Action Bot::choose(const View& view, Actions legal) {
  if (view.phase() == Phase::bidding) return bid(view, legal);
  return view.phase() == Phase::discarding ? discard(view, legal) : play(view, legal);
}

Action Bot::bid(const View&, Actions) { miss(*this, "bid"); }

Action Bot::discard(const View&, Actions) { miss(*this, "discard"); }

Action Bot::play(const View&, Actions) { miss(*this, "play"); }

std::string_view Bot::act(const RecycleView&, Texts) { miss(*this, "act", ""); }

}  // namespace upcard
