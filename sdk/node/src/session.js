/**
 * A bot's stream to the referee, from hello to goodbye.
 *
 * @import { ClientDuplexStream, ServiceError } from "@grpc/grpc-js"
 * @import { Factory } from "./index.js"
 * @import { FaultNotice, Frame, PlayRequest, PlayResponse } from "./protocol.js"
 */
import { once } from "node:events";
import { createRequire } from "node:module";
import { setImmediate, setTimeout } from "node:timers/promises";
import grpc from "@grpc/grpc-js";
import { Tables } from "./answering.js";
import { NotUnderstood } from "./errors.js";
import { decode, encode, faultNamed, PLAY } from "./protocol.js";
import { log, tellFailure } from "./telling.js";

/** @typedef {ClientDuplexStream<PlayRequest, PlayResponse>} Stream */

const { version } = createRequire(import.meta.url)("../package.json");
const OPTIONS = {
  "grpc.max_receive_message_length": 16 * 1024 * 1024,
  // There is nothing but the referee's socket.
  "grpc.enable_http_proxy": 0,
  "grpc.enable_channelz": 0,
};
const GOODBYE_MS = 500;

/**
 * Play until the referee says goodbye; give the exit code.
 *
 * @param {Factory} factory
 * @param {string} address
 * @param {string} token
 * @param {number} tables
 */
export async function converse(factory, address, token, tables) {
  const client = new grpc.Client(address, grpc.credentials.createInsecure(), OPTIONS);
  const stream = client.makeBidiStreamRequest(PLAY, encode, decode);
  stream.write({ hello: { token, protocolRevision: 1, sdk: `upcard-node ${version}`, tables } });
  const conversation = new Conversation(factory, stream);
  process.on("uncaughtException", (error) => process.exit(conversation.fail(error)));
  try {
    return await conversation.listen();
  } catch (error) {
    return conversation.lose(/** @type {ServiceError} */ (error));
  }
}

class Conversation {
  #factory;
  #stream;
  /** @type {Tables | null} */
  #tables = null;

  /**
   * @param {Factory} factory
   * @param {Stream} stream
   */
  constructor(factory, stream) {
    this.#factory = factory;
    this.#stream = stream;
  }

  /** Hear the referee out and give the exit code; only the stream itself makes this throw. */
  async listen() {
    for await (const response of this.#stream) {
      if (response.fault) log(explained(response.fault));
      if (response.goodbye) return await this.#takeLeave();
      try {
        if (response.welcome) this.#tables = new Tables(this.#factory, response.welcome);
        if (response.frame) await this.#answer(response.frame);
      } catch (error) {
        return this.fail(error);
      }
    }
    return 0;
  }

  /** @param {unknown} error */
  fail(error) {
    // What cannot be read cannot be told either.
    if (error instanceof NotUnderstood) log(error.message);
    else if (this.#tables) tellFailure(error, this.#tables.situation());
    else log(error);
    return 1;
  }

  /** @param {ServiceError} error */
  lose({ code, details }) {
    const happened = this.#tables ? "is gone" : "does not receive this bot";
    log(`the referee ${happened}: ${grpc.status[code]}: ${details}`);
    return this.#tables ? 0 : 1;
  }

  /** @param {Frame} frame */
  async #answer(frame) {
    for (const answers of this.#tables?.answers(frame) ?? []) {
      this.#stream.write({ answers });
      // A piece leaves this process only when the bot lets go of the thread.
      await setImmediate();
    }
  }

  async #takeLeave() {
    this.#stream.end();
    await Promise.race([once(this.#stream, "status"), setTimeout(GOODBYE_MS)]).catch(() => {});
    return 0;
  }
}

/** @param {FaultNotice} notice */
function explained({ fault, tableId, turnId, explanation }) {
  const where = tableId ? ` at table ${tableId}` : "";
  const when = turnId ? `, turn ${turnId}` : "";
  return `fault ${faultNamed(fault)}${where}${when}: ${explanation}`;
}
