// A word from a bot to its author.
#include "telling.h"

#include <cstdio>
#include <exception>

#include "type_name.h"
#include "upcard/run.h"

namespace upcard {

thread_local detail::Deciding detail::deciding;

void log(std::string_view message) {
  std::string line;
  const auto [table, turn] = detail::deciding;
  if (turn) line = "[table " + std::to_string(table) + ", turn " + std::to_string(turn) + "] ";
  line.append(message).push_back('\n');
  // In one piece: stderr has no buffer of its own.
  std::fwrite(line.data(), 1, line.size(), stderr);
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
