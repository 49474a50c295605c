import type { WireReply, WireRequest } from "../../src/contract/wire.ts";
import { cli, inProd } from "../helpers/cli.ts";
import { sampled } from "../helpers/deep.ts";
import { manualClock } from "../helpers/manual-clock.ts";
import { testServer } from "../helpers/service/test-server.ts";

/** Names that objects inherit, or that have a meaning, with harmless names of the same length. */
const NAMES: readonly [hostile: string, harmless: string][] = [
  ["__proto__", "__prote__"],
  ["constructor", "constructer"],
  ["prototype", "prototipe"],
  ["toString", "toStrung"],
  ["valueOf", "valueOv"],
  ["hasOwnProperty", "hasOwnPropertx"],
  ["__defineGetter__", "__defineGettex__"],
  ["toJSON", "toJSOX"],
  ["then", "thex"],
  ["length", "lengtx"],
];

const LINES = [
  ...["relayers", "notifications", "signers", "networks", "plugins"].map((noun) => `${noun} list`),
  ...["get", "status", "balance"].map((verb) => `relayers ${verb} eth-main-1`),
  ...["relayers status", "tx list eth-main-1", "tx list", "find eth-main-1", "doctor", "spend --since 30d", "alerts"],
  ...["audit eth-main-1", "tx stuck", "drift", "api GET /relayers", "export", "server ready", "networks get evm:base"],
  ...[
    "relayers update eth-main-1 --name x --dry-run",
    "relayers update eth-main-1 --policy gas_price_cap=80gwei --yes",
  ],
  ...["undo --dry-run", "history list", "relayers freeze --all --dry-run", "unstick eth-main-1 --dry-run"],
  ...[
    "tx send eth-main-1 --to 0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc --value 1gwei --gas-limit 21000 --speed fast --yes",
  ],
];

/** Adds members to each object of a response. */
function withMembers(reply: WireReply, names: readonly string[], value: string): WireReply {
  const members = names.map((name) => `${JSON.stringify(name)}:${value}`).join(",");
  const text = new TextDecoder().decode(reply.body).replace(/\{(\s*\})?/g, (_, end) => `{${members}${end ? "}" : ","}`);
  return { ...reply, body: new TextEncoder().encode(text) };
}

async function ran(line: string, change: (reply: WireReply) => WireReply) {
  const clock = manualClock();
  const server = testServer({ clock });
  const service = async (request: WireRequest) => change(await server(request));
  return await cli(line, { ...inProd(), clock, service, isMalformed: true });
}

const READINGS = ["table", "tsv", "json", "yaml"].flatMap((format) =>
  ['"canary"', "null", "7", '{"canary":[true]}'].map((value) => ({ format, value })),
);

test.each(LINES)("a name that objects inherit reads like any other in the response to %s", async (line) => {
  for (const { format, value } of sampled(READINGS, 16, LINES.indexOf(line))) {
    const by = async (names: readonly string[]) =>
      await ran(`${line} -o ${format}`, (reply) => withMembers(reply, names, value));
    const [hostile, harmless] = [await by(NAMES.map(([name]) => name)), await by(NAMES.map(([, name]) => name))];
    const restored = (text: string) => NAMES.reduce((all, [name, other]) => all.replaceAll(other, name), text);
    const where = `${format} ${value}`;
    const plain = await ran(`${line} -o ${format}`, (reply) => reply);
    expect([hostile.exitCode, (await by(["", "7", "0"])).exitCode], where).toEqual([plain.exitCode, plain.exitCode]);
    expect([hostile.stdout, hostile.stderr], where).toEqual([harmless.stdout, harmless.stderr].map(restored));
  }
});
