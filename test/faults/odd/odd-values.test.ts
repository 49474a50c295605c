import { allCommands } from "../../../src/cli/all-commands.ts";
import { sendsRequest } from "../../../src/cli/request-flags.ts";
import { runArgv } from "../../../src/cli/run.ts";
import type { Clock } from "../../../src/client/clock.ts";
import type { Transport } from "../../../src/client/transport/transport.ts";
import {
  isJsonObject,
  type JsonArray,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  parseJson,
  writeJson,
} from "../../../src/contract/json.ts";
import { recognizeOperation } from "../../../src/contract/reply/recognize.ts";
import type { WireReply, WireRequest } from "../../../src/contract/wire.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { SURROUNDINGS } from "../../cli/example-surroundings.ts";
import { typed } from "../../cli/typed-examples.ts";
import { DEEP, PART, sampled } from "../../helpers/deep.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { seedState } from "../../helpers/seed-state.ts";
import { testServer } from "../../helpers/service/test-server.ts";
import { TOKEN, testApp, type World } from "../../helpers/test-app.ts";

/** What a service, a proxy, or a node may send in the place of anything. */
const ODD_VALUES: readonly string[] = [
  '{"odd":{"a":1}}',
  "{}",
  '["odd",{"a":1},null]',
  "[]",
  "true",
  "null",
  "0",
  "-1",
  "0.5",
  "1e400",
  "123456789012345678901234567890123456789012345678901234567890",
  '""',
  '"odd"',
  '"constructor"',
  '"-271821-04-20T00:00:00Z"',
  '"+275760-09-13T00:00:00.001Z"',
  '"0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"',
];

type MemberPath = readonly string[];

/** How many items of a list differ from one another; what follows is like them. */
const ITEMS = 2;

/** Returns the path of every member of a response, at any depth. */
function membersOf(value: JsonValue, path: MemberPath = []): MemberPath[] {
  const inner = Array.isArray(value)
    ? value.slice(0, ITEMS).map((item, index) => [String(index), item] as const)
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  return inner.flatMap(([name, member]) => [[...path, name], ...membersOf(member, [...path, name])]);
}

function replaced(value: JsonValue, [name, ...rest]: MemberPath, odd: JsonValue): JsonValue {
  if (name === undefined) return odd;
  if (Array.isArray(value)) {
    const copy: JsonArray = [...value];
    const at = Number(name);
    if (at in copy) copy[at] = replaced(copy[at] as JsonValue, rest, odd);
    return copy;
  }
  if (!isJsonObject(value) || !(name in value)) return value;
  const copy: JsonObject = { ...value };
  copy[name] = replaced(value[name] as JsonValue, rest, odd);
  return copy;
}

/** An example of each command, in turn the first, second, and third; all of them in a deep run. */
const EXAMPLES: readonly Place[] = (await allCommands()).flatMap(([path, file], turn) =>
  sendsRequest(file.sends) ? sampled(file.examples, 3, turn).map((example) => ({ path, example })) : [],
);

const NODE = "https://node.example.org";
const PENDING = "eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
/** Commands that ask a node at a URL, of the network of a relayer. */
const OF_NODES: readonly Place[] = [
  ["tx get", `${PENDING} --on-chain`],
  ["tx get", `${PENDING} --why`],
  ["tx send", `eth-main-1 --to ${TO} --value 1wei --gas-limit 21000 --speed fast --yes --wait`],
  ["tx replace", `${PENDING} --inherit --speed fastest --yes --wait`],
  ["tx bump", `${PENDING} --yes --wait`],
  ["tx cancel", `${PENDING} --yes --wait`],
  ["relayers unstick", "eth-main-1 --yes"],
].map(([path = "", rest]) => ({ path, example: `relayctl ${path} ${rest} --node ${NODE}`, relayer: "eth-main-1" }));

/** What a proxy may send in the place of the time of a response. */
const DATES: readonly (string | undefined)[] = [
  undefined,
  "",
  "yesterday",
  "0",
  "-271821-04-20T00:00:00Z",
  "+275760-09-13T00:00:00.001Z",
  "Thu, 01 Jan 1970 00:00:00 GMT",
  "Fri, 31 Dec 99999 23:59:59 GMT",
  "Sat, 21 Nov 2026 03:12:07 GMT, Sun, 22 Nov 2026 03:12:07 GMT",
];
/** As pipes get it, as scripts get it, and as people do. */
const FORMATS: readonly { flags: readonly string[]; world: World }[] = [
  { flags: [], world: {} },
  { flags: ["-o", "json"], world: {} },
  { flags: [], world: { stdoutTerminal: true } },
];
/** One of so many replacements is tried, a different one in each place: all of the half a million in as many deep runs, each with another DEEP_PART. */
const EVERY = DEEP ? 61 : 4409;
/** A command that sends more requests hangs. */
const MOST_REQUESTS = 20_000;
const NOT_FOR_PEOPLE = /\[object Object\]|\bNaN\b|\bundefined\b|Invalid Date|a bug in relayctl/;

interface Place {
  path: string;
  example: string;
  /** The relayer through which the node at the URL is asked, in fact. */
  relayer?: string;
}

interface Tried {
  code: number;
  text: string;
  /** The kinds of the writes that the service accepted, with the IDs of their results. */
  accepted: readonly { kind: string; id: string }[];
  /** Whether the prompts of the example came in another order, which says nothing about the program. */
  strayed: boolean;
}

/** The operation of a request, with the method that a node is asked by. */
function kindOf(request: WireRequest): { kind: string; writes: boolean } {
  const [path = ""] = request.target.split("?");
  const operation = recognizeOperation(request.method, path)?.operation;
  if (!operation) return { kind: `${request.method} ${path}`, writes: false };
  if (operation.id !== "relayers.rpc") return { kind: operation.id, writes: operation.kind !== "read" };
  const body = parseJson(request.body ?? "null");
  return { kind: `rpc ${isJsonObject(body) ? writeJson(body.method ?? null) : ""}`, writes: false };
}

/** Replaces each response, and the service's timestamps. */
interface Change {
  json?(kind: string, json: JsonValue): JsonValue;
  headers?(headers: WireReply["headers"]): WireReply["headers"];
}

/** The service and the node, which is asked through a relayer in fact, with what they respond changed. */
function changedWorld(world: World, clock: Clock, { relayer }: Place, change: Change) {
  const store = world.store ?? memoryStore(seedState(world.seed ?? "demo"));
  const server = testServer({ store, clock });
  const accepted: { kind: string; id: string }[] = [];
  let requests = 0;
  const ask = async (request: WireRequest, name: (kind: string) => string): Promise<WireReply> => {
    if (++requests > MOST_REQUESTS) throw new Error("the command hangs");
    const reply = await server(request);
    const json = parsed(reply.body);
    if (json === undefined) return reply;
    const { kind, writes } = kindOf(request);
    const data = isJsonObject(json) && isJsonObject(json.data) ? json.data : {};
    if (writes && reply.status < 300) accepted.push({ kind, id: typeof data.id === "string" ? data.id : "" });
    const body = new TextEncoder().encode(writeJson(change.json?.(name(kind), json) ?? json));
    return { ...reply, headers: change.headers?.(reply.headers) ?? reply.headers, body };
  };
  const service: Transport = (request) => ask(request, (kind) => kind);
  const node: Transport = (request) => {
    const headers = { ...request.headers, authorization: `Bearer ${TOKEN}` };
    const asked = { ...request, target: `/api/v1/relayers/${relayer}/rpc`, headers };
    return ask(asked, (kind) => kind.replace(/^rpc/, "node"));
  };
  return { service, nodes: { [NODE]: node }, accepted };
}

async function perform(place: Place, change: Change, format = FORMATS[0]): Promise<Tried> {
  const { path, example, relayer } = place;
  const { argv, input } =
    relayer === undefined ? typed(example) : { argv: example.split(" ").slice(1), input: undefined };
  const surroundings = SURROUNDINGS[example] ?? SURROUNDINGS[path] ?? {};
  const stdin = input === undefined ? {} : { stdin: surroundings.files?.[input] ?? "" };
  const interrupt = new AbortController().signal;
  const clock = manualClock(undefined, interrupt);
  const direct = relayer === undefined ? { env: {} } : { clock, interrupt };
  const world: World = { ...direct, ...stdin, ...surroundings, isMalformed: true };
  const { accepted, ...asked } = changedWorld(world, clock, place, change);
  const made = testApp({ ...world, ...format?.world, ...asked });
  const demo = relayer === undefined ? ["--demo"] : [];
  const code = await runArgv(made.app, [...argv, ...demo, ...(format?.flags ?? [])]);
  return {
    code,
    text: `${made.stdout.text()}\n${made.stderr.text()}`,
    accepted,
    strayed: made.mistakes.length > 0 || /scripted-prompts/.test(made.stderr.text()),
  };
}

function parsed(body: Uint8Array): JsonValue | undefined {
  try {
    return parseJson(new TextDecoder().decode(body));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

interface Replacement {
  kind: string;
  member: MemberPath;
  odd: string;
}

function faultOf({ kind, member }: Replacement, base: Tried, tried: Tried): string | undefined {
  if (tried.strayed) return undefined;
  const [found] = NOT_FOR_PEOPLE.exec(tried.text) ?? [];
  if (found !== undefined) return `prints ${found}`;
  if (tried.code === 1) return "exits with 1";
  const isSame = base.code === 0 && tried.accepted.length > 0 && tried.accepted.length === base.accepted.length;
  if (isSame && tried.code >= 2 && tried.code <= 10) return `exits with ${tried.code} after the service accepted it`;
  const isHidden = kind === "tx.send" && (member.at(-1) === "id" || member.at(-1) === "data");
  // A table of many payments leaves their IDs to the run's history.
  const isShown = (id: string) => tried.text.includes(id) || / history show /.test(tried.text);
  const lost = tried.accepted.find(({ kind: sent, id }) => sent === "tx.send" && !isShown(id));
  return lost && !isHidden ? `does not say the ID ${lost.id}` : undefined;
}

/** Every member of every response to an example, with every odd value, in every format. */
function* replacementsIn(replies: ReadonlyMap<string, JsonValue>) {
  for (const [kind, json] of replies)
    for (const member of membersOf(json))
      for (const odd of ODD_VALUES) for (const format of FORMATS) yield { replacement: { kind, member, odd }, format };
}

/** Reads what is replaced: for a node at a URL, only its responses. */
async function readReplies(place: Place) {
  const replies = new Map<string, JsonValue>();
  const isReplaced = (kind: string) => place.relayer === undefined || kind.startsWith("node ");
  const json: Change["json"] = (kind, json) => {
    if (!replies.has(kind) && isReplaced(kind)) replies.set(kind, json);
    return json;
  };
  return { base: await perform(place, { json }), replies };
}

test.each([
  ["a response", EXAMPLES, EVERY],
  ["a response of a node at a URL", OF_NODES, Math.ceil(EVERY / 4)],
])(
  "no value in the place of another in %s ends a command in a bug, or hides what was accepted",
  async (_, places, every) => {
    const faults: string[] = [];
    let count = 0;
    let turn = PART;
    for (const place of sampled(places, 3)) {
      const { base, replies } = await readReplies(place);
      for (const { replacement, format } of replacementsIn(replies)) {
        const hasFormat = / -o | --fields /.test(place.example) && format.flags.length > 0;
        if (turn++ % every !== 0 || hasFormat) continue;
        const { kind, member, odd } = replacement;
        const json: Change["json"] = (at, reply) => (at === kind ? replaced(reply, member, parseJson(odd)) : reply);
        const fault = faultOf(replacement, base, await perform(place, { json }, format));
        count++;
        if (fault) faults.push(`${place.example}: ${kind} ${member.join(".")} = ${odd} ${fault}`);
      }
    }
    expect(faults).toEqual([]);
    expect(count).toBeGreaterThan((DEEP ? [30, 5] : [8, 1])[places === EXAMPLES ? 0 : 1] ?? 0);
  },
);

test("no time of a response ends a command in a bug, or hides what was accepted", async () => {
  const faults: string[] = [];
  let count = 0;
  for (const [turn, place] of sampled([...EXAMPLES, ...OF_NODES], 16).entries()) {
    const base = await perform(place, {});
    for (const date of sampled(DATES, DATES.length, turn)) {
      const headers: Change["headers"] = ({ date: _, ...others }) => ({
        ...others,
        ...(date !== undefined && { date }),
      });
      const fault = faultOf({ kind: "", member: [], odd: "" }, base, await perform(place, { headers }));
      count++;
      if (fault) faults.push(`${place.example}: Date ${date} ${fault}`);
    }
  }
  expect(faults).toEqual([]);
  expect(count).toBeGreaterThan(DEEP ? 10 : 3);
});
