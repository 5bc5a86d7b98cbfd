// Reads the referee's messages into the SDK's own words.
#pragma once

#include "upcard/detail/told.h"
#include "upcard/recycle.h"
#include "upcard/rules.h"
#include "upcard/v1/referee.pb.h"

namespace upcard::detail {

/// The game at all tables. Throws `NotKnown` if it is none of ours.
Game game_of(const v1::Welcome& welcome);

/// The rules at all tables. Throws likewise.
Rules rules_of(const v1::Welcome& welcome);

/// A turn of a game, whose lists stay in the message. Throws `NotKnown` if it is of another game,
/// or if what is due or what is legal is nothing that is known here.
Told told_of(const v1::Turn& turn, Game game);

/// A game described in RECYCLE.
RecycleRules recycle_rules_of(const v1::RecycleRules& message);

/// A turn of such a game, which outlives the view. Throws `NotKnown` if it is of another one.
RecycleView recycle_view_of(const v1::Turn& turn, const RecycleRules& rules);

}  // namespace upcard::detail
