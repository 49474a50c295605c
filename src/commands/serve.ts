import type { ServeOptions } from "../app.ts";
import { liveTimeOfDay } from "../command-support/live.ts";
import { parseDuration } from "../config/duration.ts";
import { parsePort } from "../config/port.ts";
import { parsedSourcedFlag, RuleError } from "../config/sourced.ts";
import { OVERRIDE_CALL } from "../contract/relay-code.ts";
import { type InjectedFailure, USUAL_LIMIT } from "../contract/serving.ts";
import { type Problem, usageError } from "../errors.ts";
import { LATE_REQUEST } from "../timing.ts";
import type { CommandFile, CommandSyntax, ParsedFlags } from "./command.ts";
import { printServedToken, servedToken } from "./serve/token.ts";

export type ServeFlags = ParsedFlags<typeof defineServe>;

function serveSettings(flags: ServeFlags) {
  const problems: Problem[] = [];
  const read = <T>(flag: string, text: string | undefined, rule: (text: string) => T) =>
    parsedSourcedFlag(flag, text, rule, problems);
  const port = read("--port", flags.port, parsePort) ?? 0;
  const seed = read("--seed", flags.seed, parseSeed) ?? "demo";
  const stateFile = read("--state", flags.state, parsePath);
  const speed = read("--speed", flags.speed, parseSpeed) ?? 1;
  const latency = read("--latency", flags.latency, (text) => parseDuration(text, { zero: true })) ?? 0;
  const expireAfter = read("--expire-after", flags.expireAfter, parseDuration);
  const rateLimit = read("--rate-limit", flags.rateLimit, parseRateLimit);
  const failures = [
    ...(flags.fail ?? []).flatMap((text) => read("--fail", text, parseFailure) ?? []),
    ...(read("--node-lacks", flags.nodeLacks, parseLacking) ?? []),
  ];
  const { dialect = "interface" } = flags;
  if (problems.length > 0) throw usageError(problems, "relayctl serve --help");
  return {
    port,
    seed,
    speed,
    latency,
    failures,
    dialect,
    ...(flags.prices && { prices: flags.prices }),
    ...(stateFile && { stateFile }),
    ...(rateLimit && { rateLimit }),
    ...(expireAfter !== undefined && { expireAfter }),
  };
}

/** The largest factor: at 100x, a second of the service takes 10 ms. */
const FASTEST = 100;

function parseSpeed(text: string): number {
  const speed = Number(/^([1-9][0-9]{0,2})x$/.exec(text)?.[1]);
  if (speed <= FASTEST) return speed;
  throw new RuleError(`a whole number from 1 to ${FASTEST} with x, e.g. 10x`, text);
}

function parsePath(text: string): string {
  if (text === "" || text === "-") throw new RuleError("needs a file name", text);
  return text;
}

function parseSeed(text: string): string {
  if (/^(?:demo|empty|fleet:[1-9][0-9]{0,6})$/.test(text)) return text;
  throw new RuleError("one of demo, empty, or fleet:N with N from 1 to 9999999", text);
}

function parseRateLimit(text: string): { perSecond: number; burst: number } {
  const [, perSecond, burst = perSecond] = /^([1-9][0-9]{0,8})\/s(?::([1-9][0-9]{0,8}))?$/.exec(text) ?? [];
  if (perSecond !== undefined) return { perSecond: Number(perSecond), burst: Number(burst) };
  throw new RuleError("needs requests per second and an optional burst, e.g. 200/s or 200/s:300", text);
}

const FAILURE =
  /^(?!(?:WORKER|NODE):)([A-Z]+|\*):([/*][^=]*)=([45][0-9]{2}|busy|close|refuse|lost|late)(?::(0(?:\.[0-9]+)?|1(?:\.0+)?))?$/;

const WORKER = /^WORKER:(prepare|submit|status|\*)=dead$/;
const TWO_NONCES = "WORKER:submit=two-nonces";
const NODE = /^NODE:([a-z][A-Za-z0-9_]*|\*)=(-?[1-9][0-9]{0,4}|lost)(?::(0(?:\.[0-9]+)?|1(?:\.0+)?))?$/;

function parseFailure(text: string): InjectedFailure {
  const [, worker] = WORKER.exec(text) ?? [];
  if (worker) return { method: "WORKER", path: worker, status: "dead", rate: 1 };
  if (text === TWO_NONCES) return { method: "WORKER", path: "submit", status: "two-nonces", rate: 1 };
  const [, called, code, share = "1"] = NODE.exec(text) ?? [];
  if (called && (code !== "lost" || called === "eth_sendRawTransaction")) {
    return { method: "NODE", path: called, status: code === "lost" ? code : Number(code), rate: Number(share) };
  }
  const [, method, path, status, rate = "1"] = FAILURE.exec(text) ?? [];
  if (method && path)
    return { method, path, status: WORDS.find((word) => word === status) ?? Number(status), rate: Number(rate) };
  throw new RuleError(
    "needs METHOD:PATH-GLOB=STATUS[:RATE] with a status from 400 to 599, busy, close, refuse, lost or late, and a rate from 0 to 1, " +
      "e.g. PUT:/api/v1/relayers/*=500:0.3; or WORKER:NAME=dead with prepare, submit, status or *; or " +
      "WORKER:submit=two-nonces; or NODE:METHOD=CODE[:RATE], e.g. NODE:eth_call=3, or " +
      "NODE:eth_sendRawTransaction=lost[:RATE]",
    text,
  );
}

const LACKING: Readonly<Record<string, readonly (readonly [method: string, code: number])[]>> = {
  simulate: [["eth_simulateV1", -32_601]],
  trace: [["debug_traceCall", -32_601]],
  override: [[OVERRIDE_CALL, -32_602]],
  call: [
    ["eth_call", -32_601],
    ["eth_estimateGas", -32_601],
  ],
};

function parseLacking(text: string): InjectedFailure[] {
  return text.split(",").flatMap((name) => {
    const methods = Object.hasOwn(LACKING, name) ? LACKING[name] : undefined;
    if (!methods) throw new RuleError(`one or more of ${Object.keys(LACKING).join(", ")}, separated by commas`, text);
    return methods.map(([path, status]) => ({ method: "NODE", path, status, rate: 1 }));
  });
}

const WORDS = ["busy", "close", "refuse", "lost", "late"] as const;

export const serve: CommandFile<ServeFlags> = {
  summary: "Run the embedded server on this machine",
  sends: "nothing",
  takes: ["tokenFile"],
  ends: { ok: "stopped by Ctrl-C or a signal", network: "node not reached (--node)" },
  examples: [
    "relayctl serve",
    "relayctl serve --node evm=http://127.0.0.1:8545",
    "relayctl serve --latency 20ms --rate-limit 200/s:300 --fail 'PUT:/api/v1/relayers/*=500:0.3'",
  ],
  description:
    "Run a relayer service for testing, on this machine only. It prints the two lines that point a shell at the service. The token is generated unless --token-file specifies one. Transactions go from pending to confirmed within a few minutes, by speed, and the notifications of their relayers receive events, except at the example host names of the initial data. A new relayer is disabled while all of its RPC URLs have host names under .invalid, or while its address has nothing because the ID of its signer contains unfunded; both changes are reported to its notification. With --dialect openzeppelin, as in the real service, the URLs of a disabled relayer cannot be set.",
  define: defineServe,
  async run(call) {
    if (call.flags.resetDemo) return await (await import("./demo/reset.ts")).resetDemo(call);
    const settings = serveSettings(call.flags);
    const { openServedChain } = await import("./serve/real-chain.ts");
    const chain = await openServedChain(call);
    const token = await servedToken(call);
    const place = settings.stateFile === undefined ? "in memory" : `kept in ${settings.stateFile}`;
    await call.app.serve({
      ...settings,
      ...(chain && { chain }),
      token,
      async listening(port) {
        await call.say(`relayer service for testing, ${place}, on this machine only; press Ctrl-C to stop`);
        await printServedToken(call, { port, token }, call.app.stdout);
      },
      served: async (line) => {
        if (!call.common.quiet) await call.say(requestLine(call.app.clock.now(), line));
      },
      delivered: (line) => call.say(deliveryLine(call.app.clock.now(), line)),
    });
    return { kind: "nothing" };
  },
};

const DIALECTS: readonly ServeOptions["dialect"][] = ["interface", "openzeppelin"];
const PRICES: readonly NonNullable<ServeOptions["prices"]>[] = ["steady", "changing"];

function defineServe(command: CommandSyntax) {
  return command
    .optionsGroup("Server")
    .option("--port <n>", "Port on 127.0.0.1 (default: any free port)")
    .option("--seed <name>", "Initial data: demo, empty, or fleet:N for N relayers (default: demo)")
    .option("--state <file>", "Keep the data in this file (default: in memory)")
    .choice("--dialect <name>", "API dialect; openzeppelin matches the real service (default: interface)", DIALECTS)
    .option(
      "--speed <factor>",
      `Let time pass faster for transactions, health checks, and webhooks, 1x–${FASTEST}x (default: 1x)`,
    )
    .choice(
      "--prices <name>",
      "Gas prices on EVM networks; changing rise by a tenth each minute for ten minutes, then fall (default: steady)",
      PRICES,
    )
    .option("--expire-after <time>", "Delete the records of transactions this long after their end (default: never)")
    .option(
      "--node <url>",
      "Sign and send on a real EVM chain through this node, as relayer evm-local, e.g. evm=http://127.0.0.1:8545",
    )
    .option("--max-value <amount>", `The most that one transaction may send with --node (default: ${USUAL_LIMIT})`)
    .option(
      "--key-file <file>",
      "Keep the private key of evm-local in this file, created if it is missing, readable only by you (default: a new key each time)",
    )
    .option("--allow-remote-node", "Allow a --node on another machine: real coins move there")
    .option("--reset-demo", "Reset the state of --demo and exit, as does `relayctl demo reset`")
    .optionsGroup("Faults")
    .option("--latency <time>", "Wait before each response, e.g. 20ms")
    .option("--rate-limit <rate>", "Reject requests above N/s, or N/s:BURST, with 429")
    .option(
      "--fail <rule>",
      "Inject a fault (repeatable). METHOD:PATH-GLOB=STATUS[:RATE] rejects requests before they change anything; STATUS is " +
        "a code, busy (429), close (no response), or refuse (200 with a failure). With lost or late, the request " +
        `is applied and gets no response: late applies it ${LATE_REQUEST / 1_000} seconds after the connection was closed. WORKER:NAME=dead stops a worker (prepare, ` +
        "submit, status, or *); WORKER:submit=two-nonces sends each transaction twice; NODE:METHOD=CODE[:RATE] makes calls " +
        "to nodes fail; NODE:eth_sendRawTransaction=lost[:RATE] loses the response to a transaction that the node accepts",
      "values",
    )
    .option(
      "--node-lacks <names>",
      "Let nodes lack ways to simulate a call: simulate (eth_simulateV1), trace (debug_traceCall), override (eth_call with " +
        "a state override), or call (eth_call), separated by commas",
    );
}

function requestLine(now: number, { method, target, status, milliseconds }: Parameters<ServeOptions["served"]>[0]) {
  return `${liveTimeOfDay(now)} ${method.padEnd(5)} ${target.padEnd(40)}  ${status}  ${Math.round(milliseconds)} ms`;
}

/** Returns `14:02:13Z webhook ops-hook: transaction_update, attempt 1: 204`, without the secret URL. */
function deliveryLine(now: number, { notification, event, attempt, status }: Parameters<ServeOptions["delivered"]>[0]) {
  return `${liveTimeOfDay(now)} webhook ${notification}: ${event}, attempt ${attempt}: ${status ?? "no response"}`;
}
