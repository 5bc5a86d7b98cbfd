// Brisk's whist: draw trumps, lead to ruff or from length, second hand low, third hand high.
#pragma once

#include <upcard/upcard.h>

namespace whist {

upcard::Card lead(const upcard::View& view);
upcard::Card follow(const upcard::View& view);

}  // namespace whist
