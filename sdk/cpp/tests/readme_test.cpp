// What the README shows is compiled, and its table of names is complete.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include "upcard/situation.h"
#include "upcard/upcard.h"

namespace {

using upcard::Action;

struct Book {};

Book read_book(const std::string&) { return {}; }

class Player : public upcard::Bot {
 public:
  explicit Player(const upcard::Seating& seating, const Book& = {}) : Bot(seating) {}

  Action choose(const upcard::View&, upcard::Actions legal) override { return legal.back(); }
};

class Reader : public upcard::Bot {
 public:
  using Bot::Bot;

  std::string_view act(const upcard::RecycleView& view, upcard::Texts legal) override {
    for (const upcard::RecycleMove& move : view.moves()) {
      for (const upcard::RecycleStep& step : move.steps) {
        if (step.face && step.face->attribute("RANK") == "ACE") return move.text;
      }
    }
    return legal.front();
  }
};

TEST(Readme, ABotForAnyGameIsMade) {
  EXPECT_NO_THROW(Reader({upcard::Seat::north, upcard::Rules{}, upcard::Random(1)}));
}

int plays_by_the_book() {
  const Book book = read_book("openings.txt");
  return upcard::run(
      [&](const upcard::Seating& seating) { return std::make_unique<Player>(seating, book); });
}

TEST(Readme, ABotOfMoreThanItsSeatingIsRun) {
  unsetenv("UPCARD_ADDRESS");
  testing::internal::CaptureStderr();
  EXPECT_EQ(plays_by_the_book(), 2);
  testing::internal::GetCapturedStderr();
}

TEST(Readme, ABotIsPutIntoASituation) {
  const Action action =
      upcard::ask<Player>({.hand = "9C AC AH", .trump = "H", .played = "KC"});
  EXPECT_EQ(to_string(action), "play:AC");
}

std::string text_of(const std::string& file) {
  std::ifstream stream(SDK "/" + file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Text as it is whatever its indentation and line breaks are.
std::string running(const std::string& text) {
  return std::regex_replace(text, std::regex("\\s+"), " ");
}

std::vector<std::string> all(const std::string& text, const std::string& pattern) {
  const std::regex wanted(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), wanted), end; match != end; ++match) {
    found.push_back((*match)[1]);
  }
  return found;
}

TEST(Readme, WhatItShowsIsCompiledWithTheTests) {
  const std::string compiled =
      running(text_of("tests/readme/main.cpp") + text_of("tests/readme_test.cpp"));
  const auto shown = all(text_of("README.md"), "```cpp\n([^`]*)```");
  EXPECT_EQ(shown.size(), 4);
  for (const std::string& program : shown) {
    EXPECT_NE(compiled.find(running(program)), std::string::npos) << program;
  }
}

/// What is between two words in a text.
std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const auto from = text.find(begin);
  return text.substr(from, text.find(end, from + begin.size()) - from);
}

std::vector<std::string> sorted(std::vector<std::string> names) {
  std::ranges::sort(names);
  return names;
}

void expect_table_of_names(const std::string& heading, const std::string& view) {
  const std::string section = between(text_of("README.md"), heading, "\n## ");
  std::vector<std::string> listed;
  for (const std::string& row : all(section, "\n\\| (`[^|]*`) \\|")) {
    std::ranges::copy(all(row, "`(\\w+)\\("), std::back_inserter(listed));
  }
  EXPECT_EQ(sorted(listed), sorted(all(view, "(\\w+)\\([^()]*\\) const")));
}

TEST(Readme, TheTableOfNamesIsThatOfAView) {
  expect_table_of_names(
      "\n## The view", between(text_of("include/upcard/view.h"), "class View {", " private:"));
}

TEST(Readme, TheTableOfNamesIsThatOfAViewOfAnyGame) {
  const std::string header = text_of("include/upcard/recycle.h");
  expect_table_of_names("\n## Any other game", between(header, "class RecycleView {", " private:"));
}

}  // namespace
