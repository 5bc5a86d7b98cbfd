/** The program that the referee starts; how it plays is in player.ts. */
import { run } from "upcard";
import { Player } from "./player.js";

// Every match gets a bot of its own.
run((table) => new Player(table));
