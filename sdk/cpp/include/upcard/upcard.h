// Everything a bot needs.
#pragma once

#include "upcard/actions.h"
#include "upcard/bot.h"
#include "upcard/cards.h"
#include "upcard/recycle.h"
#include "upcard/run.h"
#include "upcard/seats.h"
#include "upcard/tricks.h"
#include "upcard/view.h"
