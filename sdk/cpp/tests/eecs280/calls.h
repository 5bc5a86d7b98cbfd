// What the Players of these tests were told, call by call.
#pragma once

#include <string>
#include <vector>

/// Each with the number of the Player in front: `1 add_card Nine of Clubs`.
std::vector<std::string>& calls();
