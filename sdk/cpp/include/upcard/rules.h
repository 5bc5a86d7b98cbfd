// The rules at a table, and a count for both teams.
#pragma once

namespace upcard {

/// The rules of the match; what only euchre has is false in whist.
struct Rules {
  /// How many points win the match.
  int target = 10;
  /// Whether the maker may play without her partner.
  bool alone = false;
  /// Whether the dealer must name a suit when all others passed twice.
  bool stick_dealer = false;
  /// Whether the dealer's partner may order up only alone.
  bool partner_must_go_alone = false;

  friend constexpr bool operator==(const Rules&, const Rules&) = default;
};

/// A count for both teams, your own first.
struct Sides {
  int us = 0;
  int them = 0;

  friend constexpr bool operator==(const Sides&, const Sides&) = default;
};

}  // namespace upcard
