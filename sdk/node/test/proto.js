/** The messages as the .proto files of the clone have them, to compare with what the SDK knows. */
import { fileURLToPath } from "node:url";
import protobuf from "protobufjs";

const PROTO = new URL("../../../proto/", import.meta.url);

export const root = new protobuf.Root();
/** @type {(origin: string, path: string) => string} */
root.resolvePath = (_, path) => fileURLToPath(new URL(path, PROTO));
root.loadSync("upcard/v1/referee.proto");

/** @param {string} name */
export function type(name) {
  return root.lookupType(`upcard.v1.${name}`);
}
