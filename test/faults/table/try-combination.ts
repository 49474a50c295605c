import { isJsonObject } from "../../../src/contract/json.ts";
import { clock } from "../../../src/system.ts";
import { TIMEOUT } from "../../helpers/time-up.ts";
import { type FaultServer, openFaultServer } from "../server/fault-server.ts";
import type { Applied } from "../server/ledger.ts";
import type { Script, Step } from "../server/script.ts";
import { createService } from "../server/service/service.ts";
import type { State } from "../server/service/state.ts";
import type { Ended, Runner } from "../world.ts";
import { falseClaims, sentAgain } from "./claims.ts";
import type { Combination } from "./combinations.ts";
import { type Command, writes } from "./command.ts";
import { expectedCodes } from "./expected.ts";
import { ELSEWHERE } from "./faults/refused.ts";
import type { Verdict } from "./summary.ts";

/** The relayer whose cap is raised. */
const RELAYER = "evm-1";

/** Gives the relayer the cap that a command raises, if it raises one. */
function lowerCap({ raisedCap }: Command, { relayers }: State): void {
  const relayer = relayers.get(RELAYER);
  if (raisedCap === undefined || !relayer) return;
  const policies = isJsonObject(relayer.policies) ? relayer.policies : {};
  relayers.set(RELAYER, { ...relayer, policies: { ...policies, gas_price_cap: raisedCap } });
}

/** Returns what is wrong with the cap in the end: it is as before, or the command that restores it was printed. */
function capProblems({ raisedCap }: Command, { relayers }: State, { exitCode, stderr }: Ended): string[] {
  if (raisedCap === undefined) return [];
  if (exitCode === 0 && !stderr.includes(`gas_price_cap of ${RELAYER} is `)) return ["the cap was not raised"];
  const policies = relayers.get(RELAYER)?.policies;
  const cap = isJsonObject(policies) ? policies.gas_price_cap : undefined;
  const isPrinted = stderr.includes(`relayers update ${RELAYER} --policy gas_price_cap=${raisedCap}wei`);
  return BigInt(String(cap)) === raisedCap || isPrinted ? [] : [`the cap stayed at ${cap}`];
}

/** How combinations are run. */
export interface Trial {
  run: Runner;
  /** The origin that redirects point to. */
  elsewhere: string;
}

/** Runs one combination against a new server, and compares its claims with the ledger. */
export async function tryCombination(combination: Combination, { run, elsewhere }: Trial): Promise<Verdict> {
  const { command, circumstances, name } = combination;
  const service = createService(circumstances);
  lowerCap(command, service.state);
  const server = await openFaultServer({ service, scripts: scriptsOf(combination, elsewhere) });
  const files = command.files ?? {};
  // An attempt that something else ends has all the time that it needs.
  const isSlow = combination.faults.some(({ slow }) => slow);
  const passing = (command.waits ?? command.passes) === true;
  const entries = command.journal?.(server.origin);
  const world = {
    origin: server.origin,
    files,
    entries,
    isPassing: passing,
    ...(command.world && { base: command.world(server.origin, clock.now()) }),
    ...(isSlow && { timeUp: server.stalled }),
  };
  const ended = await run(argvOf(combination), world).catch(async (error: unknown) => {
    await server.close();
    throw error;
  });
  const { method, path } = command.request;
  const isSent = server.arrived.some((request) => request.method === method && request.path === path);
  const applied = writesOf(command, server).length > 0;
  await server.close();
  const truth = { ledger: writesOf(command, server), arrived: server.arrived };
  const found = [
    ...falseClaims(command, ended, truth, circumstances.json),
    ...capProblems(command, service.state, ended),
    ...unexpected(combination, ended, { isSent, applied }),
  ];
  return {
    problems: found.map((problem) => `${name}: ${problem}\n${traceOf(ended, server)}`),
    sentAgain: sentAgain(command, server.arrived),
    replaces: command.request.method === "PUT",
  };
}

/** Returns what was applied; without the changes of a cap that is raised meanwhile. */
function writesOf({ raisedCap, request }: Command, { ledger }: FaultServer): readonly Applied[] {
  if (raisedCap === undefined) return ledger;
  return ledger.filter(({ operation }) => operation === `${request.method} ${request.path}`);
}

function argvOf({ command, circumstances }: Combination): string[] {
  const flags = ["--timeout", TIMEOUT, "--retries", String(circumstances.retries)];
  return [...command.argv, ...flags, ...(circumstances.json ? ["-o", command.format ?? "json"] : [])];
}

function scriptsOf({ command, faults }: Combination, elsewhere: string): Script[] {
  const everyTime = faults.length === 1 && !faults[0]?.once;
  return faults.map((fault, index) => {
    const steps = fault.steps.map((step) => pointedElsewhere(step, elsewhere));
    // Reads share a connection; a write has a separate one.
    const connection = command.readsFirst && writes(command) ? 2 : 1;
    if (fault.greeting !== undefined) return { connection, greeting: fault.greeting };
    if (fault.onAccept) return { connection, steps };
    return { match: { ...(command.faulty ?? command.request), ...(!everyTime && { nth: index + 1 }) }, steps };
  });
}

function pointedElsewhere(step: Step, elsewhere: string): Step {
  return step.do === "send" ? { ...step, text: step.text.replaceAll(ELSEWHERE, elsewhere) } : step;
}

function unexpected(
  { command, faults, circumstances }: Combination,
  { exitCode }: Ended,
  facts: { isSent: boolean; applied: boolean },
): string[] {
  const retries = Math.max(circumstances.retries, command.outwaits ? 1 : 0);
  const fault = retries > 0 ? faults.at(-1) : faults[0];
  const expected = fault && !command.faulty && expectedCodes(command, fault, { ...circumstances, retries, ...facts });
  if (!expected || expected.includes(exitCode)) return [];
  return [`exit ${exitCode}, expected ${expected.join(" or ")}`];
}

function traceOf({ stderr, stdout }: Ended, { arrived, ledger }: FaultServer): string {
  const requests = arrived.map(({ method, target, answered }) => `  ${method} ${target} ${answered ?? "unanswered"}`);
  return [...requests, `  applied: ${ledger.length}`, `  ${stderr}${stdout.slice(0, 300)}`].join("\n");
}
