// A bot that does what its first argument says, to see what the SDK makes of it.
#include <upcard/upcard.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

using upcard::Action;
using upcard::Actions;
using upcard::Bot;
using upcard::Seating;
using upcard::View;

namespace {

class First : public Bot {
 public:
  using Bot::Bot;
  Action choose(const View&, Actions legal) override { return legal.front(); }
  std::string_view act(const upcard::RecycleView&, upcard::Texts legal) override {
    return legal.front();
  }
};

class Raise : public Bot {
 public:
  using Bot::Bot;
  Action choose(const View&, Actions legal) override {
    if (++decisions_ == 3) throw std::runtime_error("the probe fails on purpose");
    return legal.front();
  }

 private:
  int decisions_ = 0;
};

class Illegal : public Bot {
 public:
  using Bot::Bot;
  Action choose(const View& view, Actions) override {
    for (const upcard::Card card : view.pack()) {
      if (!view.may(Action::play(card))) return Action::play(card);
    }
    return Action::pass();
  }
};

// Whether the first answers have been heard.
bool heard() {
  const char* const file = std::getenv("HEARD");
  return file != nullptr && std::filesystem::exists(file);
}

// Keeps the processor busy for a while, or until the first answers have been heard: a probe that only
// sleeps would let answers leave that wait for it.
void compute(std::chrono::milliseconds least, bool waits) {
  using Clock = std::chrono::steady_clock;
  const auto begun = Clock::now();
  while (Clock::now() - begun < least || (waits && !heard())) {
    if (Clock::now() - begun > std::chrono::minutes(1)) {
      throw std::runtime_error("nothing was heard meanwhile");
    }
  }
}

class Slow : public Bot {
 public:
  using Bot::Bot;
  Action choose(const View& view, Actions legal) override {
    compute(std::chrono::milliseconds(30), view.turn() > 5);
    return legal.front();
  }
};

class Block : public Bot {
 public:
  using Bot::Bot;
  Action choose(const View& view, Actions legal) override {
    compute(std::chrono::milliseconds(0), view.turn() > 1);
    return legal.front();
  }
};

class Log : public Bot {
 public:
  using Bot::Bot;
  Action choose(const View&, Actions legal) override {
    upcard::log("a word from the probe");
    return legal.front();
  }
};

template <class Kind>
std::unique_ptr<Bot> make(const Seating& seating) {
  return std::make_unique<Kind>(seating);
}

const std::map<std::string, upcard::Factory> probes{
    {"first", make<First>}, {"raise", make<Raise>}, {"illegal", make<Illegal>},
    {"slow", make<Slow>},   {"block", make<Block>}, {"log", make<Log>},
};

}  // namespace

int main(int count, char** words) {
  const auto probe = count == 2 ? probes.find(words[1]) : probes.end();
  if (probe != probes.end()) return upcard::run(probe->second);
  std::cerr << "the probe is told what to do: first, raise, illegal, slow, block or log\n";
  return 2;
}
