import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { removeFolder } from "../../helpers/remove-folder.ts";
import { CANARY_TOKEN, faultsOf } from "../../helpers/scan.ts";
import { listen } from "../../helpers/service/listen.ts";
import { type Chance, createChance } from "./chance.ts";
import { type RandomCommand, randomCommand } from "./command.ts";
import { randomJson } from "./values.ts";

/** A service on raw sockets with random responses. */
async function openService(chance: Chance): Promise<{ origin: string; close(): void }> {
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", () => {
      const answer = randomAnswer(chance);
      if (answer === "reset") socket.resetAndDestroy();
      else if (answer !== "nothing") socket.end(Buffer.from(answer, "utf8"));
    });
    open.add(socket);
  });
  const open = new Set<{ destroy(): void }>();
  return {
    origin: `http://127.0.0.1:${await listen(server)}`,
    close() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}

const STATUSES = [
  200, 200, 200, 201, 204, 206, 301, 303, 400, 401, 403, 404, 409, 418, 429, 500, 502, 503, 999,
] as const;

function randomAnswer(chance: Chance): string {
  const body = randomBody(chance);
  const status = chance.pick(STATUSES);
  const head = [`HTTP/1.1 ${status} ${chance.once(8) ? CANARY_TOKEN : "Words"}`, ...randomHeaders(chance, body)];
  const whole = `${head.join("\r\n")}\r\n\r\n${body}`;
  return chance.pick<() => string>([
    ...Array.from({ length: 8 }, () => () => whole),
    () => whole.slice(0, chance.below(whole.length)),
    () => chance.text(300),
    () => "nothing",
    () => "reset",
    () => "",
  ])();
}

function randomHeaders(chance: Chance, body: string): string[] {
  const length = Buffer.byteLength(body) + (chance.once(10) ? chance.below(9) - 4 : 0);
  return [
    `content-length: ${length}`,
    "connection: close",
    ...chance.some(
      [
        "content-type: text/html",
        "content-type: application/json; charset=utf-16",
        "content-encoding: gzip",
        "transfer-encoding: chunked",
        "retry-after: 0",
        "retry-after: 99999999999",
        "location: http://127.0.0.1:9/",
        `x-echo: ${CANARY_TOKEN}`,
        `x-long: ${"x".repeat(40_000)}`,
        "bad header",
      ],
      2,
    ),
  ];
}

function randomBody(chance: Chance): string {
  const data = chance.once(2)
    ? `[${randomJson(chance)},{"id":"eth-main-1"}]`
    : `{"id":"eth-main-1","x":${randomJson(chance)}}`;
  const pagination = chance.once(2)
    ? `,"pagination":{"current_page":1,"per_page":10,"total_items":${chance.below(30)}}`
    : "";
  return chance.pick<() => string>([
    () => `{"success":true,"data":${data}${pagination}}`,
    () => `{"success":true,"data":${data}${pagination}}`,
    () => `{"success":false,"data":null,"message":${JSON.stringify(chance.text(40) + CANARY_TOKEN)}}`,
    () => randomJson(chance),
    () => `<html><title>${chance.text(20)}</title>`,
    () => "[".repeat(100_000),
    () => `{"success":true,"success":false,"data":${data}}`,
    () => chance.text(100),
    () => "",
  ])();
}

/** What is wrong with one run, and the seed that repeats it. */
interface Finding {
  seed: number;
  args: readonly string[];
  faults: readonly string[];
}

export interface FuzzReport {
  runs: number;
  /** How often each exit code came. */
  exits: ReadonlyMap<string, number>;
  findings: readonly Finding[];
}

export interface FuzzOptions {
  /** The words that start the program. */
  program: readonly [string, ...string[]];
  seed: number;
  /** When to begin no further run, and after how many. */
  seconds?: number;
  runs?: number;
}

const AT_ONCE = 2;

/** Runs the built program with random words, files, variables and responses until the time is up. */
export async function fuzz({
  program,
  seed,
  seconds = Number.POSITIVE_INFINITY,
  runs = Number.POSITIVE_INFINITY,
}: FuzzOptions): Promise<FuzzReport> {
  const end = performance.now() + seconds * 1000;
  const exits = new Map<string, number>();
  const findings: Finding[] = [];
  let begun = 0;
  const worker = async () => {
    while (begun < runs && performance.now() < end) {
      const own = seed + begun++;
      const { exit, args, faults } = await runOnce(program, own);
      exits.set(exit, (exits.get(exit) ?? 0) + 1);
      if (faults.length > 0) findings.push({ seed: own, args, faults });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return { runs: begun, exits, findings };
}

async function runOnce(program: FuzzOptions["program"], seed: number) {
  const chance = createChance(seed);
  const service = await openService(chance);
  const folder = mkdtempSync(join(tmpdir(), "relayctl-fuzz-"));
  try {
    const command = randomCommand(chance, service.origin);
    writeFiles(folder, command);
    const { exit, stdout, stderr } = await ended(program, folder, command);
    const exitCode = /^\d+$/.test(exit) ? Number(exit) : undefined;
    const { FORCE_COLOR, RELAYCTL_COLOR } = command.env;
    const isColored = (FORCE_COLOR ?? RELAYCTL_COLOR) !== undefined || command.args.includes("always");
    const faults = faultsOf({ command: command.args.join(" "), exitCode, stdout, stderr, isColored });
    return { exit, args: command.args, faults: exitCode === undefined ? [...faults, `it ended by ${exit}`] : faults };
  } finally {
    service.close();
    removeFolder(folder);
  }
}

function writeFiles(folder: string, { files }: RandomCommand): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  }
}

/**
 * A server, or a wait that was asked for, is ended as Ctrl-C does; what does not end even then hangs. On a busy machine, a program may
 * take seconds before it listens for the signal, so the short wait begins with its first output.
 */
const PATIENCE = 5_000;
const PATIENCE_IN_SILENCE = 20_000;
const UNTIL_IT_HANGS = 120_000;

function ended([program, ...words]: FuzzOptions["program"], folder: string, { args, env, stdin }: RandomCommand) {
  const environment = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    RELAYCTL_CONFIG_DIR: join(folder, "config"),
    ...env,
  };
  const child = spawn(program, [...words, ...args], { cwd: folder, env: environment });
  const interrupted = (patience: number) => setTimeout(() => child.kill("SIGINT"), patience);
  const timers = [interrupted(PATIENCE_IN_SILENCE), setTimeout(() => child.kill("SIGKILL"), UNTIL_IT_HANGS)];
  for (const stream of [child.stdout, child.stderr]) stream.once("data", () => timers.push(interrupted(PATIENCE)));
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (bytes) => (stdout += bytes));
  child.stderr.on("data", (bytes) => (stderr += bytes));
  child.stdin.on("error", () => {});
  child.stdin.end(stdin);
  return new Promise<{ exit: string; stdout: string; stderr: string }>((resolve) => {
    child.on("close", (code, signal) => {
      for (const timer of timers) clearTimeout(timer);
      resolve({ exit: String(code ?? signal), stdout, stderr });
    });
  });
}
