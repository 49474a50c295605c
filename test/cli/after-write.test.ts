import { runArgv as runLine } from "../../src/cli/run.ts";
import { isJsonObject, parseJson } from "../../src/contract/json.ts";
import { recognizeOperation } from "../../src/contract/reply/recognize.ts";
import type { WireReply, WireRequest } from "../../src/contract/wire.ts";
import { RelayctlError } from "../../src/errors.ts";
import { createOutput } from "../../src/terminal/streams/output.ts";
import { sampled } from "../helpers/deep.ts";
import { manualClock } from "../helpers/manual-clock.ts";
import { memoryJournal } from "../helpers/memory/journal.ts";
import { payouts } from "../helpers/payouts.ts";
import { testServer } from "../helpers/service/test-server.ts";
import { SERVER, TOKEN, testApp } from "../helpers/test-app.ts";

const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const SEND = `tx send base-hot --to ${TO} --value 1wei --gas-limit 21000 --speed fast --yes`;
const PENDING = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const CAPPED = "2b3c4d5e-6f70-4182-93a4-b5c6d7e8f90a";
const HOOK = `{"id":"moved-log","type":"webhook","url":"https://audit.example.org/moved"}`;
const RENAMED = `{"id":"base-hot","name":"Renamed","network":"base","network_type":"evm","signer_id":"signer-base","paused":false}`;
const FILES = {
  "payouts.csv": payouts(3),
  "fleet.json": `{"notifications":[${HOOK}],"relayers":[${RENAMED}]}`,
};

interface Row {
  line: string;
  before?: string;
}

const LINES: readonly Row[] = [
  SEND,
  `${SEND} -o json`,
  `${SEND} --once payout-7`,
  `${SEND} --wait`,
  `tx send-many base-hot -f payouts.csv --speed fast --confirm 6000000000000`,
  `tx send-many base-hot -f payouts.csv --speed fast --confirm 6000000000000 -o json`,
  `tx replace eth-main-1 ${PENDING} --to ${TO} --value 1wei --gas-limit 21000 --speed fast --yes`,
  `tx bump eth-main-1 ${PENDING} --yes`,
  `tx bump eth-main-1 ${CAPPED} --raise-cap --yes`,
  `tx bump eth-main-1 ${PENDING} --yes --until mined --every 5s --times 2 --deadline 40s`,
  `tx cancel eth-main-1 ${PENDING} --yes`,
  "tx cancel-pending eth-main-1 --yes",
  "relayers unstick eth-main-1 --yes",
  "relayers pause base-hot",
  "relayers pause base-hot eth-main-1 polygon-bulk --yes",
  "relayers pause base-hot eth-main-1 polygon-bulk --yes -o json",
  "relayers update base-hot eth-main-1 --policy min_balance=5 --yes",
  "relayers freeze eth-main-1 --yes",
  "relayers freeze eth-main-1 polygon-bulk --confirm '2 relayers'",
  "notifications create --url https://hooks.example.org/ops",
  "notifications delete audit-log --yes",
  "apply -f fleet.json --yes",
].map((line) => ({ line }));
const UNDONE: readonly Row[] = [
  { before: "relayers update base-hot eth-main-1 polygon-bulk --policy min_balance=5 --yes", line: "undo --yes" },
];
const ROWS = [...LINES, ...UNDONE];

function writeOf(request: WireRequest, { status, body }: WireReply): { id: string } | undefined {
  const [path = ""] = request.target.split("?");
  const operation = recognizeOperation(request.method, path)?.operation;
  if (!operation || operation.kind === "read" || operation.id === "relayers.rpc" || status >= 300) return undefined;
  const reply = parseJson(new TextDecoder().decode(body));
  const data = isJsonObject(reply) && isJsonObject(reply.data) ? reply.data : {};
  const id = typeof data.id === "string" ? data.id : decodeURIComponent(path.split("/").at(-1) ?? "");
  return { id };
}

function breakingWorld<T extends object>(world: T, call: (name: string) => void): T {
  return new Proxy(world, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => {
        call(String(name));
        return Reflect.apply(value, target, given);
      };
    },
  });
}

/** How the world breaks once a write was accepted. */
interface Broken {
  /** Asked at each call to the world, whether a defect is thrown in its place. */
  defect?(): Error | false;
  /** Fails with this code, as a full disk or a closed pipe does. */
  stream?: { name: "stdout" | "stderr"; fails(): boolean; code: string; always?: true };
}

/** Runs a command whose world breaks after a write has left, as no defect that is known would. */
async function broken({ line, before }: Row, { defect, stream }: Broken) {
  const interrupt = new AbortController().signal;
  const clock = manualClock(undefined, interrupt);
  const server = testServer({ clock });
  const journal = memoryJournal();
  let accepted: { id: string }[] = [];
  const requested: string[] = [];
  const isBreaking = () => accepted.length > 0;
  const call = (name: string) => {
    // A timer that runs along with the work ends nothing.
    const thrown = isBreaking() && name !== "sleep" && defect?.();
    if (thrown) throw thrown;
  };
  const made = () =>
    testApp({
      env: {},
      interrupt,
      config: { version: 1, contexts: { prod: { server: SERVER, token: TOKEN } } },
      clock,
      files: { ...FILES },
      journal,
      service: async (request) => {
        requested.push(request.target);
        const reply = await server(request);
        const write = writeOf(request, reply);
        if (write) accepted.push(write);
        return reply;
      },
    });
  const wordsOf = (typed: string) =>
    [...(typed.match(/'[^']*'|\S+/g) ?? []), "-c", "prod"].map((word) => word.replaceAll("'", ""));
  if (before !== undefined) await runLine(made().app, wordsOf(before));
  accepted = [];
  const { app, stdout, stderr } = made();
  const streams = { stdout, stderr };
  const printed = (name: "stdout" | "stderr") => {
    const whole = streams[name];
    if (stream?.name !== name) return name === "stdout" ? breakingWorld(whole, call) : whole;
    const write = (chunk: string | Uint8Array, done: (error?: Error) => void) => {
      if ((stream.always || isBreaking()) && stream.fails())
        return done(Object.assign(new Error(stream.code), { code: stream.code }));
      return whole.write(chunk).then(() => done());
    };
    return createOutput(name, { isTerminal: false, open: () => ({ write, on: () => {} }) }, app.secrets);
  };
  const inner = await app.journal("journal" as never);
  const world = {
    ...app,
    stdout: printed("stdout"),
    stderr: printed("stderr"),
    clock: breakingWorld(clock, call),
    journal: async () => breakingWorld(inner, call),
  };
  const code = await runLine(world, wordsOf(line));
  return {
    code,
    accepted,
    requested,
    stdout: stdout.text(),
    stderr: stderr.text(),
    run: journal.entries.at(-1)?.run ?? "none",
  };
}

type Tried = Awaited<ReturnType<typeof broken>>;

/** A file of the program that an upgrade replaced while it ran. */
const UNREADABLE = new RelayctlError("internal", "chunk.js: cannot be read (ENOENT)", { applied: "unknown" });

/** What an end may not say of writes that were accepted. */
function falseIn({ line }: Row, { code, accepted, requested, stdout, stderr, run }: Tried): string[] {
  const text = `${stdout}${stderr}`;
  const hints = text.split("\n").filter((each) => /^ *hint: /.test(each));
  const isOpen = /unknown whether the request was applied/.test(text) && /hint\W+relayctl -c prod /.test(text);
  const isShown = isOpen || text.includes(`relayctl -c prod history show ${run}`);
  const path = /"http":\{[^}]*"path":"([^"]+)"/.exec(stderr)?.[1];
  return [
    ...(path === undefined || requested.includes(path) ? [] : [`names ${path}, which was never requested`]),
    ...(code === 0 || code > 10 ? [] : ["may be taken for a refusal"]),
    ...(/nothing was (?:sent|applied)/i.test(text) ? ["says that nothing was sent"] : []),
    ...hints.filter((hint) => isSame(hint, line)).map((hint) => `would send it again: ${hint}`),
    ...accepted.filter(({ id }) => !isShown && !text.includes(id)).map(({ id }) => `does not say ${id}`),
  ].map((what) => `${what}: exit ${code}: ${text}`);
}

/** Whether a hint sends the same write again; only a run of payments can be resumed. */
function isSame(hint: string, line: string): boolean {
  const [noun = "", verb = ""] = line.split(" ");
  return hint.includes(` ${noun} ${verb} `) && !/--resume|--dry-run/.test(hint);
}

async function callsAfter(row: Row): Promise<number> {
  let calls = 0;
  const whole = await broken(row, { defect: () => ++calls < 0 && UNREADABLE });
  expect(whole.accepted.length, whole.stderr).toBeGreaterThan(0);
  return calls;
}

test.each(ROWS)(
  "a defect after a write has left never looks as if the write could be sent again: $line",
  async (row) => {
    const calls = await callsAfter(row);
    expect(calls).toBeGreaterThan(2);
    const faults: string[] = [];
    const all = Array.from({ length: calls }, (_, index) => index + 1);
    for (const n of sampled(all, Math.ceil(calls / 2), ROWS.indexOf(row))) {
      let count = 0;
      const defect = (n + ROWS.indexOf(row)) % 4 < 2 ? new TypeError("a defect") : UNREADABLE;
      const tried = await broken(row, { defect: () => ++count === n && defect });
      const isHidden = tried.code === 11 && !/a bug in relayctl: TypeError|chunk.js/.test(tried.stdout + tried.stderr);
      const wrong = [...falseIn(row, tried), ...(isHidden ? ["hides the defect"] : [])];
      faults.push(...wrong.map((what) => `call ${n} of ${calls}: ${what}`));
    }
    expect(faults).toEqual([]);
  },
);

/** A stream fails with a code, from its first, second, or third text after the first write that was accepted. */
const STREAM_FAULTS = (["stdout", "stderr"] as const).flatMap((name) =>
  ["EPIPE", "ENOSPC", "EIO"].flatMap((code) => [1, 2, 3].map((from) => ({ name, code, from }))),
);

test.each(ROWS)(
  "a stream that fails after a write has left hides nothing that the other one can show: $line",
  async (row) => {
    const faults: string[] = [];
    for (const { name, code, from } of sampled(STREAM_FAULTS, 18, ROWS.indexOf(row))) {
      let count = 0;
      const tried = await broken(row, { stream: { name, code, fails: () => ++count >= from } });
      const isHidden = count >= from && tried.code === 0 && code !== "EPIPE";
      const wrong = [...falseIn(row, tried), ...(isHidden ? ["hides the fault"] : [])];
      faults.push(...wrong.map((what) => `${name} ${code} from ${from}: ${what}`));
    }
    expect(faults).toEqual([]);
  },
);

test.each(ROWS)("a stderr that is closed from the start never makes an unsent write a success: $line", async (row) => {
  const tried = await broken(row, { stream: { name: "stderr", code: "EPIPE", fails: () => true, always: true } });
  expect(tried.code === 0 ? tried.accepted.length : 1).toBeGreaterThan(0);
  expect(tried.code === 74 ? tried.accepted : []).toEqual([]);
});
