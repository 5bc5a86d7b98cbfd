/** A referee that says what a test tells it to, to a bot in a process of its own. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { on } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import { type } from "./proto.js";

const PATIENCE_MS = 600_000;
const SDK = fileURLToPath(new URL("..", import.meta.url));
const Request = type("PlayRequest");
const Response = type("PlayResponse");

const SERVICE = {
  play: {
    path: "/upcard.v1.RefereeService/Play",
    requestStream: true,
    responseStream: true,
    requestDeserialize: (/** @type {Buffer} */ bytes) => Request.toObject(Request.decode(bytes)),
    responseSerialize: encoded,
    requestSerialize: () => Buffer.of(),
    responseDeserialize: () => ({}),
  },
};

/**
 * Return a message of the referee as the bytes it is sent in.
 *
 * @param {object} message
 */
export function encoded(message) {
  return /** @type {Buffer} */ (Response.encode(Response.fromObject(message)).finish());
}

/**
 * The referee's end of a stream.
 *
 * @typedef {object} End
 * @property {() => Promise<any>} hear the next message, undefined when the bot closed
 *   its side; fails when it is just gone
 * @property {(...messages: object[]) => void} say
 * @property {(code: number, details: string) => void} refuse
 */

/**
 * Run a program as a bot's process is run.
 *
 * @param {string} program
 * @param {Record<string, string>} [environment]
 */
export async function start(program, environment = {}) {
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    cwd: SDK,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: PATIENCE_MS,
  });
  const ended = new Promise((resolve) => child.on("close", resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

/**
 * Start a program and talk to it as the script says; then the stream ends.
 *
 * @param {string} program
 * @param {(end: End, address: string) => Promise<void>} script
 */
export async function receive(program, script) {
  const directory = mkdtempSync(join(tmpdir(), "upcard-"));
  const address = `unix:${join(directory, "referee.sock")}`;
  const server = new grpc.Server();
  /** @type {unknown} */
  let failure;
  server.addService(SERVICE, {
    play: (/** @type {grpc.ServerDuplexStream<any, any>} */ stream) =>
      script(endOf(stream), address)
        .catch((error) => (failure = error))
        .finally(() => stream.end()),
  });
  await new Promise((resolve) => {
    server.bindAsync(address, grpc.ServerCredentials.createInsecure(), resolve);
  });
  try {
    const ended = await start(program, { UPCARD_ADDRESS: address, UPCARD_TOKEN: "secret" });
    if (failure) throw failure;
    return ended;
  } finally {
    server.forceShutdown();
    rmSync(directory, { recursive: true });
  }
}

/**
 * @param {grpc.ServerDuplexStream<any, any>} stream
 * @returns {End}
 */
function endOf(stream) {
  const heard = on(stream, "data", { close: ["end", "cancelled"] });
  return {
    hear: async () => {
      const { value } = await heard.next();
      assert(value || !stream.cancelled, "the bot is just gone");
      return value?.[0];
    },
    say: (...messages) => messages.forEach((message) => stream.write(message)),
    refuse: (code, details) => stream.emit("error", { code, details }),
  };
}
