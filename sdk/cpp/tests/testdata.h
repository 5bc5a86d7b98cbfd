// Reads what all SDKs agree on.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "upcard/upcard.h"

namespace upcard::testdata {

using Json = nlohmann::json;

inline std::vector<Json> lines(const std::string& name) {
  std::ifstream file(TESTDATA "/" + name + ".jsonl");
  std::vector<Json> found;
  for (std::string line; std::getline(file, line);) found.push_back(Json::parse(line));
  if (found.empty()) throw std::runtime_error("nothing is in " + name);
  return found;
}

inline Game game(const Json& told) { return told["game"] == "euchre" ? Game::euchre : Game::whist; }

inline Card card(const Json& told) { return parse_card(told.get<std::string>()).value(); }

inline CardList cards(const Json& told) {
  CardList found;
  for (const Json& token : told) found.push_back(card(token));
  return found;
}

inline std::optional<Card> maybe_card(const Json& told) {
  return told.is_null() ? std::nullopt : std::optional(card(told));
}

inline std::optional<Suit> maybe_suit(const Json& told) {
  return told.is_null() ? std::nullopt : parse_suit(told.get<std::string>());
}

inline std::optional<Seat> maybe_seat(const Json& told) {
  return told.is_null() ? std::nullopt : std::optional(Seat(told.get<int>()));
}

}  // namespace upcard::testdata
