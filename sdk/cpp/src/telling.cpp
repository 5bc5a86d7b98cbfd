// A word from a bot to its author.
#include "telling.h"

#include <array>
#include <cstdio>
#include <exception>

#include "type_name.h"
#include "upcard/run.h"

namespace upcard {

thread_local detail::Deciding detail::deciding;

void log(std::string_view message) {
  const auto [table, turn] = detail::deciding;
  std::array<char, 64> where{};
  if (turn) std::snprintf(where.data(), where.size(), "[table %u, turn %u] ", table, turn);
  // In one piece, as stderr has no buffer of its own; and without memory, which may be what a bot
  // failed for.
  std::fprintf(stderr, "%s%.*s\n", where.data(), int(message.size()), message.data());
}

std::string detail::current_exception() {
  const std::string type = type_name(*abi::__cxa_current_exception_type());
  try {
    throw;
  } catch (const std::exception& error) {
    return type + ": " + error.what();
  } catch (const std::string& text) {
    return type + ": " + text;
  } catch (const char* text) {
    return type + ": " + text;
  } catch (...) {
    return type;
  }
}

}  // namespace upcard
