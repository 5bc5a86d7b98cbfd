// Reads the referee's messages into the SDK's own words.
#pragma once

#include "upcard/detail/told.h"
#include "upcard/rules.h"
#include "upcard/v1/referee.pb.h"

namespace upcard::detail {

/// The rules at all tables. Throws `Error` if they are of a game that is not known here.
Rules rules_of(const v1::Welcome& welcome);

/// A turn, whose lists stay in the message. Throws `Error` likewise.
Told told_of(const v1::Turn& turn);

}  // namespace upcard::detail
