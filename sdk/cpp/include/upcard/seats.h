// Seats: who sits where, who is whose partner, and who comes next.
#pragma once

#include <array>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

namespace upcard {

/// Clockwise. North and South are one team, East and West the other.
enum class Seat : std::uint8_t { north, east, south, west };

inline constexpr std::array seats{Seat::north, Seat::east, Seat::south, Seat::west};

/// The seat across the table.
constexpr Seat partner_of(Seat seat) { return Seat((int(seat) + 2) % 4); }

constexpr bool same_team(Seat one, Seat other) { return int(one) % 2 == int(other) % 2; }

/// The next seat clockwise, passing over who sits out.
constexpr Seat left_of(Seat seat, std::optional<Seat> sits_out = std::nullopt) {
  const auto next = Seat((int(seat) + 1) % 4);
  return next == sits_out ? Seat((int(next) + 1) % 4) : next;
}

/// `N`, `E`, `S` or `W`.
std::string to_string(Seat seat);
std::ostream& operator<<(std::ostream& out, Seat seat);

}  // namespace upcard
