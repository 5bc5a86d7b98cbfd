#include "bot.h"

int main() { return upcard::run<MyBot>(); }
