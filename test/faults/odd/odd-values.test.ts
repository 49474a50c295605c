import { expect, test } from "vitest";
import { allCommands } from "../../../src/cli/all-commands.ts";
import { usesService } from "../../../src/cli/request-flags.ts";
import { run } from "../../../src/cli/run.ts";
import { isJsonObject, JsonSyntaxError, type JsonValue, parseJson, writeJson } from "../../../src/contract/json.ts";
import { recognize } from "../../../src/contract/reply/recognize.ts";
import type { WireRequest } from "../../../src/contract/wire.ts";
import { seedState } from "../../../src/embedded-server/seed.ts";
import { createEmbeddedServer } from "../../../src/embedded-server/server.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { SURROUNDINGS } from "../../cli/example-surroundings.ts";
import { typed } from "../../cli/typed-examples.ts";
import { DEEP, sampled } from "../../helpers/deep.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { TOKEN, testApp, type World } from "../../helpers/test-app.ts";
import { type MemberPath, membersOf, ODD_VALUES, oddValue, replaced } from "./values.ts";

/** An example of each command, in turn the first, second, and third; all of them in a deep run. */
const EXAMPLES = (await allCommands()).flatMap(([path, file], turn) =>
  usesService(file.sends) ? sampled(file.examples, 3, turn).map((example) => ({ path, example })) : [],
);
/** As pipes get it, as scripts get it, and as people do. */
const FORMATS: readonly { flags: readonly string[]; world: World }[] = [
  { flags: [], world: {} },
  { flags: ["-o", "json"], world: {} },
  { flags: [], world: { stdoutTerminal: true } },
];
/** One of so many replacements is tried, a different one in each place. */
const EVERY = DEEP ? 1 : 1201;
/** A command that sends more requests hangs. */
const MOST_REQUESTS = 20_000;
const NOT_FOR_PEOPLE = /\[object Object\]|\bNaN\b|\bundefined\b|Invalid Date|a bug in relayctl/;

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
  const operation = recognize(request.method, path)?.operation;
  if (!operation) return { kind: `${request.method} ${path}`, writes: false };
  if (operation.id !== "relayers.rpc") return { kind: operation.id, writes: operation.kind !== "read" };
  const body = parseJson(request.body ?? "null");
  return { kind: `rpc ${isJsonObject(body) ? writeJson(body.method ?? null) : ""}`, writes: false };
}

type Change = (kind: string, json: JsonValue) => JsonValue;

async function perform(place: (typeof EXAMPLES)[number], change: Change, format = FORMATS[0]): Promise<Tried> {
  const { argv, input } = typed(place.example);
  const surroundings = SURROUNDINGS[place.example] ?? SURROUNDINGS[place.path] ?? {};
  const stdin = input === undefined ? {} : { stdin: surroundings.files?.[input] ?? "" };
  const world: World = { env: {}, ...stdin, ...surroundings, isMalformed: true };
  let ids = 0;
  const random = { uuid: () => `00000000-0000-4000-9000-${String(++ids).padStart(12, "0")}`, fraction: () => 0.5 };
  const store = world.store ?? memoryStore(seedState(world.seed ?? "demo"));
  const server = createEmbeddedServer({ token: TOKEN, store, clock: manualClock(), random });
  const accepted: { kind: string; id: string }[] = [];
  let requests = 0;
  const made = testApp({
    ...world,
    ...format?.world,
    service: async (request) => {
      if (++requests > MOST_REQUESTS) throw new Error("the command hangs");
      const reply = await server(request);
      const json = parsed(reply.body);
      if (json === undefined) return reply;
      const { kind, writes } = kindOf(request);
      const data = isJsonObject(json) && isJsonObject(json.data) ? json.data : {};
      if (writes && reply.status < 300) accepted.push({ kind, id: typeof data.id === "string" ? data.id : "" });
      return { ...reply, body: new TextEncoder().encode(writeJson(change(kind, json))) };
    },
  });
  const code = await run(made.app, [...argv, "--demo", ...(format?.flags ?? [])]);
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
  const lost = tried.accepted.find(({ kind: sent, id }) => sent === "tx.send" && !tried.text.includes(id));
  return lost && !isHidden ? `does not say the ID ${lost.id}` : undefined;
}

/** Every member of every reply to an example, with every odd value, in every format. */
function* replacementsIn(replies: ReadonlyMap<string, JsonValue>) {
  for (const [kind, json] of replies)
    for (const member of membersOf(json))
      for (const odd of ODD_VALUES) for (const format of FORMATS) yield { replacement: { kind, member, odd }, format };
}

async function readReplies(place: (typeof EXAMPLES)[number]) {
  const replies = new Map<string, JsonValue>();
  const base = await perform(place, (kind, json) => {
    if (!replies.has(kind)) replies.set(kind, json);
    return json;
  });
  return { base, replies };
}

test("no value in the place of another ends a command in a bug, or hides what was accepted", async () => {
  const faults: string[] = [];
  let count = 0;
  let turn = 0;
  for (const place of EXAMPLES) {
    const { base, replies } = await readReplies(place);
    for (const { replacement, format } of replacementsIn(replies)) {
      const hasFormat = / -o | --fields /.test(place.example) && format.flags.length > 0;
      if (turn++ % EVERY !== 0 || hasFormat) continue;
      const { kind, member, odd } = replacement;
      const change: Change = (at, reply) => (at === kind ? replaced(reply, member, oddValue(odd)) : reply);
      const fault = faultOf(replacement, base, await perform(place, change, format));
      count++;
      if (fault) faults.push(`${place.example}: ${kind} ${member.join(".")} = ${odd} ${fault}`);
    }
  }
  expect(faults).toEqual([]);
  expect(count).toBeGreaterThan(100);
});
