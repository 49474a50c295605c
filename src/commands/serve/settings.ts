import type { ServeFailure, ServeOptions } from "../../app.ts";
import type { CommonFlags } from "../../command-support/common-flags.ts";
import { parseDuration } from "../../config/duration.ts";
import { RuleError, validated } from "../../config/sourced.ts";
import { OVERRIDE_CALL } from "../../contract/relay-code.ts";
import { type Problem, usageError } from "../../errors.ts";

/** The flags of `serve`, as typed. */
export interface ServeFlags {
  port?: string;
  seed?: string;
  state?: string;
  resetDemo?: true;
  speed?: string;
  latency?: string;
  rateLimit?: string;
  fail?: string[];
  nodeLacks?: string;
  dialect?: ServeOptions["dialect"];
  prices?: NonNullable<ServeOptions["prices"]>;
}

export type ServeSettings = Omit<ServeOptions, "token" | "listening" | "served" | "delivered">;

/**
 * Returns the settings for the flags.
 * @throws RelayctlError with every problem
 */
export function serveSettings(flags: ServeFlags, common: CommonFlags): ServeSettings {
  const problems: Problem[] = targetProblems(common);
  const read = <T>(from: string, value: string | undefined, rule: (text: string) => T): T | undefined =>
    validated(value === undefined ? undefined : { value, from }, rule, problems)?.value;
  const port = read("--port", flags.port, parsePort) ?? 0;
  const seed = read("--seed", flags.seed, parseSeed) ?? "demo";
  const stateFile = read("--state", flags.state, parsePath);
  const speed = read("--speed", flags.speed, parseSpeed) ?? 1;
  const latency = read("--latency", flags.latency, parseLatency) ?? 0;
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
  };
}

function targetProblems({ server, context }: CommonFlags): Problem[] {
  const rule = "not supported: serve is the server itself";
  const typed = { "--server": server, "--context": context };
  return Object.entries(typed).flatMap(([where, value]) => (value === undefined ? [] : { where, rule }));
}

/** The largest factor: at 100x, a second of the service takes 10 ms. */
const FASTEST = 100;

function parseSpeed(text: string): number {
  const speed = Number(/^([1-9][0-9]{0,2})x$/.exec(text)?.[1]);
  if (speed <= FASTEST) return speed;
  throw new RuleError(`a whole number from 1 to ${FASTEST} with x, e.g. 10x`, text);
}

function parseLatency(text: string): number {
  return parseDuration(text, { zero: true });
}

function parsePath(text: string): string {
  if (text === "" || text === "-") throw new RuleError("needs a file name", text);
  return text;
}

function parsePort(text: string): number {
  if (/^[0-9]{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new RuleError("a whole number from 0 to 65535; 0 takes any free port", text);
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

function parseFailure(text: string): ServeFailure {
  const [, worker] = WORKER.exec(text) ?? [];
  if (worker) return { method: "WORKER", path: worker, status: "dead", rate: 1 };
  if (text === TWO_NONCES) return { method: "WORKER", path: "submit", status: "two-nonces", rate: 1 };
  const [, called, code, share = "1"] = NODE.exec(text) ?? [];
  if (called && (code !== "lost" || called === "eth_sendRawTransaction")) {
    return { method: "NODE", path: called, status: code === "lost" ? code : Number(code), rate: Number(share) };
  }
  const [, method, path, status, rate = "1"] = FAILURE.exec(text) ?? [];
  if (method && path) return { method, path, status: failureStatus(status), rate: Number(rate) };
  throw new RuleError(
    "needs METHOD:PATH-GLOB=STATUS[:RATE] with a status from 400 to 599, busy, close, refuse, lost or late, and a rate from 0 to 1, " +
      "e.g. PUT:/api/v1/relayers/*=500:0.3; or WORKER:NAME=dead with prepare, submit, status or *; or " +
      "WORKER:submit=two-nonces; or NODE:METHOD=CODE[:RATE], e.g. NODE:eth_call=3, or " +
      "NODE:eth_sendRawTransaction=lost[:RATE]",
    text,
  );
}

/** What nodes may lack: the error of each method that simulates a call. */
const LACKING: Readonly<Record<string, readonly (readonly [method: string, code: number])[]>> = {
  simulate: [["eth_simulateV1", -32_601]],
  trace: [["debug_traceCall", -32_601]],
  override: [[OVERRIDE_CALL, -32_602]],
  call: [
    ["eth_call", -32_601],
    ["eth_estimateGas", -32_601],
  ],
};

function parseLacking(text: string): ServeFailure[] {
  return text.split(",").flatMap((name) => {
    const methods = Object.hasOwn(LACKING, name) ? LACKING[name] : undefined;
    if (!methods) throw new RuleError(`one or more of ${Object.keys(LACKING).join(", ")}, separated by commas`, text);
    return methods.map(([path, status]) => ({ method: "NODE", path, status, rate: 1 }));
  });
}

const WORDS = ["busy", "close", "refuse", "lost", "late"] as const;

function failureStatus(text: string | undefined): ServeFailure["status"] {
  return WORDS.find((word) => word === text) ?? Number(text);
}
