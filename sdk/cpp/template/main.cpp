#include "bot.h"

int main() { return upcard::run<Player>(); }
