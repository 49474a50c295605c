import type { Clock } from "../../src/client/clock.ts";
import type { Transport } from "../../src/client/transport/transport.ts";
import type { WireReply, WireRequest } from "../../src/contract/wire.ts";
import type { Entry } from "../../src/journal/journal.ts";
import { cli, ends, exited, exits, inProd } from "../helpers/cli.ts";
import { sampled } from "../helpers/deep.ts";
import { manualClock } from "../helpers/manual-clock.ts";
import { memoryJournal } from "../helpers/memory/journal.ts";
import { payouts, receiver } from "../helpers/payouts.ts";
import { refusal, reply } from "../helpers/service/reply.ts";
import { testServer } from "../helpers/service/test-server.ts";
import { done, relayer, shared } from "./undo/world.ts";

interface BalancerOptions {
  clock: Clock;
  /** Which half gets the first request. */
  first?: 0 | 1;
  /** Milliseconds after which the second half shows a write. */
  lag?: number;
  /** The routes that the second half lacks. */
  lacks?: RegExp;
  /** The members that the second half does not show. */
  hides?: readonly string[];
  /** Replaces what the second half responds to a request. */
  second?: (request: WireRequest) => WireReply | undefined;
}

interface Balancer {
  service: Transport;
  /** Each request that came, with its half. */
  received: readonly { half: 0 | 1; method: string; target: string }[];
}

const NODE_READS = /"method":"(?:eth_(?!send)\w+|debug_traceCall|net_\w+|web3_\w+)"/;

/** Opens two instances of a service with one address, each of which gets every other request. */
function openBalancer({ clock, first = 0, lag = 0, lacks, hides = [], second }: BalancerOptions): Balancer {
  let replayed: number | undefined;
  const halves = [testServer({ clock }), testServer({ clock, now: () => replayed ?? clock.now() })] as const;
  const late: { due: number; request: WireRequest }[] = [];
  const received: { half: 0 | 1; method: string; target: string }[] = [];
  let turn = first;
  const catchUp = async () => {
    while (late[0] && late[0].due <= clock.now()) {
      const { due, request } = late.shift() as (typeof late)[number];
      replayed = due - lag;
      await halves[1](request);
      replayed = undefined;
    }
  };
  const ownAnswer = (request: WireRequest) =>
    second?.(request) ?? (lacks?.test(`${request.method} ${request.target}`) ? reply(404) : undefined);
  /** Both halves write to one store, of which the second one reads a copy that lags. */
  const write = async (request: WireRequest) => {
    const isRead = request.target.endsWith("/rpc") && NODE_READS.test(request.body ?? "");
    const answered = await halves[0](request);
    if (!isRead) late.push({ due: clock.now() + lag, request });
    return answered;
  };
  const service: Transport = async (request) => {
    const half = turn;
    turn = half === 0 ? 1 : 0;
    const { method, target } = request;
    received.push({ half, method, target });
    const own = half === 1 ? ownAnswer(request) : undefined;
    if (own) return own;
    await catchUp();
    const answered = await (method === "GET" ? halves[half](request) : write(request));
    return half === 0 ? answered : withoutMembers(answered, hides);
  };
  return { service, received };
}

function withoutMembers(found: WireReply, hides: readonly string[]): WireReply {
  if (hides.length === 0 || found.body.length === 0) return found;
  const text = new TextDecoder().decode(found.body);
  const members = new RegExp(`"(?:${hides.join("|")})":(?:"[^"]*"|[^,{}\\[\\]]+),`, "g");
  return { ...found, body: new TextEncoder().encode(text.replace(members, "")) };
}

const BASE_HOT = { id: "base-hot", name: "Hot wallet of Base", network: "base", network_type: "evm", paused: false };
const FLEET = JSON.stringify({ relayers: [{ ...BASE_HOT, signer_id: "signer-3" }] });

function worldOver(open: (clock: ReturnType<typeof manualClock>) => Transport) {
  const interrupt = new AbortController().signal;
  const clock = manualClock(undefined, interrupt);
  const journal = memoryJournal();
  const service = open(clock);
  const files = { "payouts.csv": payouts(3), "fleet.json": FLEET, "api.key": "secret" };
  return { clock, run: (line: string) => cli(line, { ...inProd(), journal, clock, interrupt, files, service }) };
}

const alone = () => worldOver((clock) => testServer({ clock }));

function balanced(options: Omit<BalancerOptions, "clock">) {
  let received: ReturnType<typeof openBalancer>["received"] = [];
  const world = worldOver((clock) => {
    const balancer = openBalancer({ clock, ...options });
    received = balancer.received;
    return balancer.service;
  });
  return { ...world, received };
}

const PAY = `tx send base-hot --to ${receiver(3)} --value 1gwei --gas-limit 21000 --speed fast --yes`;
const LINES: readonly (readonly string[])[] = [
  ["relayers status base-hot -o json"],
  ["networks list -o json", "signers list -o json", "plugins list -o json", "networks get evm:base -o json"],
  ["relayers update base-hot --name a --diff", "undo --yes"],
  ["relayers update base-hot --name a", "relayers update base-hot --name b", "undo --yes", "undo --yes"],
  [PAY, "tx bump base-hot 70000000-0000-4000-8000-000000000001 --yes --dry-run"],
  ["tx send-many base-hot -f payouts.csv --speed fast --confirm 6000000000000 --wait -o json"],
  ["relayers unstick eth-main-1 --dry-run -o json"],
  ["find base-hot -o json"],
  ["doctor -o json", "auth status -o json"],
  ["apply -f fleet.json --yes -o json", "plan -f fleet.json -o json"],
  ["relayers update base-hot --name a", "relayers get base-hot -o json"],
  [
    "notifications create --url https://hooks.example.org/x --id hook-new -o json",
    "notifications get hook-new -o json",
  ],
];

describe.each(sampled(LINES, 4).map((lines) => [lines.join(", then "), lines] as const))("%s", (_, lines) => {
  test.each([0, 1] as const)("ends as with one instance if instance %i of two responds first", async (first) => {
    const one = alone();
    const lacks = /GET .*\/(networks|plugins|signers)\b/;
    const many = balanced({ first, lag: 3_000, lacks, hides: ["is_canceled"] });
    for (const line of lines) {
      const [expected, found] = [await one.run(line), await many.run(line)];
      expect([line, found.exitCode, found.stdout]).toEqual([line, expected.exitCode, expected.stdout]);
      expect(found.requests.length).toBeLessThanOrEqual(3 * expected.requests.length);
    }
  });
});

test("a change is sent even if an instance that lags shows the requested value", async () => {
  for (const first of [0, 1] as const) {
    const { run } = balanced({ first, lag: 3_000 });
    for (const verb of ["pause", "resume", "pause"]) {
      const ran = await run(`relayers ${verb} base-hot --diff`);
      expect([verb, ran.exitCode, ran.writes.length]).toEqual([verb, 0, 1]);
    }
  }
});

test.each([0, 1] as const)(
  "a wait ends although an instance that lags did not have the record at first",
  async (first) => {
    const { run } = balanced({ first, lag: 3_000, hides: ["is_canceled"] });
    await exited(0, run(`${PAY} --wait`));
    expect(await run("tx wait base-hot 70000000-0000-4000-8000-000000000001")).toMatchObject({ exitCode: 0 });
  },
);

const SIGN_IN = "<html><head><title>Sign in</title></head><body>Sign in to continue</body></html>";
/** What one half responds to everything, and how a read and a write end if they come to that half. */
const TROUBLES = {
  "401": [refusal(401, "Unauthorized"), 4, 4],
  "403": [refusal(403, "Forbidden"), 4, 4],
  "500": [refusal(500, "boom"), 0, 11],
  "a page": [reply(200, SIGN_IN), 0, 11],
  "403 with a page": [reply(403, SIGN_IN), 4, 4],
  "a redirect": [reply(302, SIGN_IN, { location: "https://login.example.org/" }), 4, 4],
  "404 without an envelope": [reply(404), 0, 7],
} as const;
const WRITES = [
  "relayers update base-hot --name a",
  "relayers pause base-hot eth-main-1 --yes",
  PAY,
  "tx send-many base-hot -f payouts.csv --speed fast --confirm 6000000000000",
  "apply -f fleet.json --yes",
  "notifications delete audit-log --yes",
  "notifications create --url https://hooks.example.org/x --id hook-new",
  "relayers delete base-hot --yes",
  "tx cancel eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50 --yes",
];

describe.each(Object.entries(TROUBLES))("one of two instances that responds %s", (_, [trouble, read, write]) => {
  test("ends a read as that status demands", async () => {
    const { run } = balanced({ first: 1, second: () => trouble });
    expect(await run("relayers get base-hot")).toMatchObject({ exitCode: read });
    expect(await run("tx get base-hot unknown")).toMatchObject({ exitCode: read === 0 ? 5 : read });
  });

  test("ends a write as that status demands", async () => {
    const { run } = balanced({ first: 1, second: () => trouble });
    expect(await run("relayers update base-hot --name a")).toMatchObject({ exitCode: write });
  });

  const cases = WRITES.flatMap((line) => ([0, 1] as const).map((first) => [line, first] as const));
  test.each(sampled(cases, 9, read))(
    "leaves no accepted write in doubt or sent twice: %s, %i first",
    async (line, first) => {
      const { run, received } = balanced({ first, second: () => trouble });
      const { exitCode, requests } = await run(line);
      const writes = received.filter(({ method, target }) => method !== "GET" && !target.endsWith("/rpc"));
      const accepted = writes.filter(({ half }) => half === 0).length;
      const bodies = requests.filter(({ method, target }) => method !== "GET" && !target.endsWith("/rpc"));
      if (accepted > 0) expect([0, 11, 12]).toContain(exitCode);
      else expect(exitCode).not.toBe(0);
      expect(new Set(bodies.map(({ target, body }) => `${target} ${body}`)).size).toBe(writes.length);
    },
  );
});

describe("a read of what was changed from here seconds ago", () => {
  const HOOK = "notifications create --url https://hooks.example.org/x --id hook-new";
  const open = () =>
    worldOver((clock) => {
      const [newer, older] = [testServer({ clock }), testServer({ clock })];
      return (sent) => (sent.method === "GET" ? older : newer)(sent);
    });

  test.each([
    ["relayers update base-hot --name a", "relayers get base-hot", "relayers base-hot", "name", 0],
    ["relayers update base-hot --name a", "relayers list", "relayers base-hot", "name", 0],
    ["notifications delete audit-log --yes", "notifications list", "notifications audit-log", "its deletion", 0],
    [HOOK, "notifications get hook-new", "notifications hook-new", "the resource", 5],
    ["relayers update base-hot --name a", "plan -f fleet.json", "relayers base-hot", "name", 20],
  ] as const)("says that it is older: %s, then %s", async (write, read, resource, lack, exitCode) => {
    const { run, clock } = open();
    await run(write);
    const note = `note: ${resource} was changed from here seconds ago, and the service does not show ${lack}; one of its instances may be behind`;
    expect((await run(read)).stderr.split("\n")).toContain(note);
    await clock.sleep(10_001, new AbortController().signal);
    const later = await run(read);
    expect([later.exitCode, later.stderr.includes("seconds ago")]).toEqual([exitCode, false]);
  });

  test("compares no value that the journal has only as a fingerprint", async () => {
    const { run } = alone();
    const fields = "--api-public-key 02aa --api-private-key-file api.key --organization-id o --private-key-id p";
    await exited(0, run(`signers create --type turnkey --id s-1 ${fields} --public-key 02bb`));
    expect((await exited(0, run("signers get s-1"))).stderr).not.toContain("seconds ago");
  });
});

const A = "https://a.example";
/** A change, the opposite one, and how a command would say that there is nothing to send. */
const ROWS: readonly (readonly [line: string, opposite: string, nothing: RegExp])[] = [
  ["relayers pause r1 --diff", "relayers resume r1 --diff", /r1 is already paused; nothing was sent/],
  ["relayers update r1 --name a --diff", "relayers update r1 --name b --diff", /r1: already set; nothing was sent/],
  ["relayers pause r1 r2 --yes --diff", "relayers resume r1 r2 --yes --diff", /already paused/],
  ["relayers pause --where name=r1 --yes", "relayers resume r1 --diff", /already paused/],
  ["relayers freeze r1 --yes", "relayers resume r1 --diff", /already paused/],
  [
    "relayers update r1 --policy gas_price_cap=7gwei --diff",
    "relayers update r1 --reset-policies --confirm r1 --diff",
    /already set/,
  ],
  [
    `notifications update hook --url ${A} --diff`,
    "notifications update hook --url https://b.example --diff",
    /already set/,
  ],
  [
    `networks update evm:sepolia --rpc-url ${A} --diff`,
    "networks update evm:sepolia --rpc-url https://b.example --diff",
    /already has these RPC URLs/,
  ],
];

test.each(ROWS)("%s is sent although the service shows it, if %s may still arrive", async (line, opposite, nothing) => {
  for (const applied of [undefined, "unknown"] as const) {
    const world = shared();
    await done(world, line, opposite);
    const { entries } = world.journal;
    const last = entries.findLast(({ type }) => type === "intent")?.run;
    const left = entries.flatMap((entry): Entry[] => {
      if (entry.type !== "outcome" || entry.run !== last) return [entry];
      return applied ? [{ ...entry, applied }] : [];
    });
    const shows = shared();
    shows.journal.entries.push(...left);
    // The service is as if the opposite change had not arrived yet.
    await done({ ...shows, env: { RELAYCTL_JOURNAL: "off" } }, line);
    const dry = await cli(`${line} --dry-run`, shows);
    expect(dry.stderr).not.toMatch(nothing);
    const ran = await exits(0, line, shows);
    expect(ran.writes.length).toBeGreaterThan(0);
    expect(ran.stderr).not.toMatch(nothing);
    expect(ran.stderr).not.toMatch(/undo: .* relayers update( r\d)+$/m);
    const again = await exits(0, line, shows);
    if (opposite.includes("--reset-policies")) continue;
    expect(again.writes).toEqual([]);
  }
});

test("a change that was lost long ago arrives no more", async () => {
  const world = shared([relayer("r1", { paused: true })]);
  await done(world, "relayers resume r1 --diff");
  const { entries } = world.journal;
  entries.pop();
  for (const entry of entries) entry.time = new Date(Date.parse(entry.time) - 6 * 60_000).toISOString();
  await done({ ...world, env: { RELAYCTL_JOURNAL: "off" } }, "relayers pause r1");
  await ends(
    { exitCode: 0, writes: [], stderr: expect.stringContaining("already paused; nothing was sent") },
    "relayers pause r1 --diff",
    world,
  );
});
