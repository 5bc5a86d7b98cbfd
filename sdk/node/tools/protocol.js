/** Makes `src/protocol.json` from the .proto files of the clone this SDK lies in. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import protobuf from "protobufjs";

const PROTO = new URL("../../../proto/", import.meta.url);
const DESCRIPTOR = new URL("../src/protocol.json", import.meta.url);

/** Give what the .proto files say, as text. */
export function described() {
  const root = new protobuf.Root();
  root.resolvePath = (_origin, path) => fileURLToPath(new URL(path, PROTO));
  root.loadSync("upcard/v1/referee.proto");
  return `${JSON.stringify(root.toJSON())}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(DESCRIPTOR, described());
