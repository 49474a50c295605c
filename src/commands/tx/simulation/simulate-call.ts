import type { ForeseenBump } from "../../../chain/bump/foresee-bump.ts";
import { hexAddress, hexBytes } from "../../../chain/evm/quantity.ts";
import { boundedNode, type ChainNode, isNodeSilent, relayerNode } from "../../../chain/node/node.ts";
import { openChain } from "../../../chain/open-chain.ts";
import { type ForeseenCall, foreseeCall } from "../../../chain/simulation/foresee-call.ts";
import type { SimulatedCall } from "../../../chain/simulation/simulate.ts";
import { wireAmount } from "../../../contract/amount.ts";
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import { intrinsicFloorGas } from "../../../contract/transaction/intrinsic-gas.ts";
import { type Problem, RelayctlError } from "../../../errors.ts";
import type { Say, Session } from "../../../session/session.ts";
import { SIMULATION_TIMEOUT } from "../../../timing.ts";
import { endReasonRows } from "../../../views/transaction/ending.ts";
import { isSimulationUnrequested, type Simulating } from "./flags.ts";

/** Returns why a call is not sent: `the call would revert: ERC20: transfer amount exceeds balance`. */
function revertText(foreseen: ForeseenCall, { gas }: Pick<SimulatedCall, "gas">): string {
  const { simulation, lacksGas } = foreseen;
  if (lacksGas) {
    const { used } = lacksGas;
    return `gas limit ${gas} is too low: without a limit, the call succeeds${used === undefined ? "" : ` and uses ${used} gas`}`;
  }
  const { reason } = simulation;
  return reason ? `the call would revert: ${reason.words}` : "the call would revert, and the node does not show why";
}

function revertRows({ simulation: { reason, by = "eth_call" }, lacksGas }: ForeseenCall): Problem[] {
  return [...(lacksGas ? [] : endReasonRows(reason)), { where: "simulated with", rule: by }];
}

function doubtLines({ simulation: { caveat }, ahead = 0n }: ForeseenCall): string[] {
  const waiting = ahead === 1n ? "1 pending transaction is" : `${ahead} pending transactions are`;
  return [
    ...(ahead > 0n ? [`${waiting} mined before it, which may change the result`] : []),
    ...(caveat === undefined ? [] : [caveat]),
  ];
}

/** Returns the row of a question: `succeeds, uses 51234 of 100000 gas`; undefined if the outcome is unknown. */
function outcomeText(foreseen: ForeseenCall, call: Pick<SimulatedCall, "gas">): string | undefined {
  const { outcome, gasUsed, reason } = foreseen.simulation;
  if (outcome === "unknown") return undefined;
  if (outcome === "reverted")
    return foreseen.lacksGas ? revertText(foreseen, call) : `reverts${reason ? `: ${reason.words}` : ""}`;
  if (gasUsed === undefined) return "succeeds";
  return `succeeds, uses ${gasUsed}${call.gas === undefined ? "" : ` of ${call.gas}`} gas`;
}

function callWarnings({ simulation, hasNoCode }: ForeseenCall, { to, data, gas }: SimulatedCall): string[] {
  const floor = intrinsicFloorGas(data);
  const isBelow = gas !== undefined && gas < floor && data !== "0x" && simulation.outcome !== "succeeded";
  return [
    ...(hasNoCode ? [`${to} has no code, so the data has no effect`] : []),
    ...(isBelow ? [`gas limit ${gas} is below ${floor}, which networks with EIP-7623 require for this data`] : []),
  ];
}

function unknownText({ simulation: { fault } }: ForeseenCall): string {
  const why =
    fault?.kind === "no_method" ? "the node has no method for it" : (fault?.words ?? "the node shows nothing");
  return `not simulated: ${why}`;
}

interface Sender {
  from: JsonValue | undefined;
  body: JsonObject;
}

function buildSimulatedCall({ from: sender, body }: Sender): SimulatedCall | string {
  const from = hexAddress(sender);
  if (from === undefined) return "the address of the relayer is not known";
  const to = (body.to ?? null) === null ? null : hexAddress(prefixHex(body.to));
  const data = hexBytes(prefixHex(body.data ?? "0x"));
  if (to === undefined || data === undefined) return "its receiver or its data cannot be read";
  if (to === null && data === "0x") return "it has neither receiver nor data";
  return { from, to, value: wireAmount(body.value) ?? 0n, data, gas: wireAmount(body.gas_limit) };
}

/** The service accepts hex without its prefix. */
function prefixHex(hex: JsonValue | undefined): JsonValue | undefined {
  return typeof hex === "string" && !hex.startsWith("0x") ? `0x${hex}` : hex;
}

/** The most requests per transaction: four for each of three simulations, two nonces, and the code. */
const MOST_REQUESTS = 16;

/** Returns the node with a time limit: a hanging node must not hold up a transaction. */
function withinTime({ clock }: Session, node: ChainNode): ChainNode {
  const end = clock.elapsed() + SIMULATION_TIMEOUT;
  return boundedNode(node, { calls: MOST_REQUESTS, remaining: () => end - clock.elapsed() });
}

function revertError(foreseen: ForeseenCall, simulated: SimulatedCall, argv: readonly string[]): RelayctlError {
  const details = revertRows(foreseen);
  const data = details.filter(({ where }) => where === "revert data").map(({ where, rule }) => `${where}: ${rule}`);
  return new RelayctlError("rejected", revertText(foreseen, simulated), {
    because: ["nothing was sent", ...data, ...doubtLines(foreseen)],
    details,
    // The message and the following lines contain what a user needs of the details.
    summary: [],
    repeat: { argv, added: ["--even-if-it-reverts"] },
  });
}

interface ToSimulate extends Sender {
  relayerId: string;
  /** Absent for a new transaction. */
  nonce?: bigint | undefined;
  /** The URL of a node to ask instead of the relayer's. */
  nodeUrl: string | undefined;
}

/** A failed simulation blocks nothing. @throws RelayctlError rejected if the call would revert, unless accepted */
export async function simulateCall(session: Session, asked: ToSimulate, simulating: Simulating): Promise<string[][]> {
  const simulated = buildSimulatedCall(asked);
  const isQuiet = isSimulationUnrequested(simulating, asked.body.data);
  const say: Say = isQuiet ? async () => {} : session.say;
  if (typeof simulated === "string") {
    await say({ note: `not simulated: ${simulated}` });
    return [];
  }
  const node = withinTime(session, await readNode(session, asked));
  const foreseen = await foreseeCall(node, simulated, { nonce: asked.nonce, abis: () => session.abis() });
  for (const warning of callWarnings(foreseen, simulated)) await say({ warning });
  const { outcome } = foreseen.simulation;
  if (outcome === "unknown") await say({ note: unknownText(foreseen) });
  if (outcome === "reverted" && !simulating.acceptsRevert) throw revertError(foreseen, simulated, simulating.argv);
  if (outcome === "reverted") await session.say({ warning: revertText(foreseen, simulated) });
  const text = outcome === "reverted" || !isQuiet ? outcomeText(foreseen, simulated) : undefined;
  return text === undefined ? [] : [["simulated", text]];
}

async function readNode(session: Session, { relayerId, nodeUrl: url }: ToSimulate): Promise<ChainNode> {
  const client = session.briefly(SIMULATION_TIMEOUT);
  if (!session.hasOwnNodes && url === undefined) return relayerNode(client.relayers, relayerId);
  const own = { url, timeout: SIMULATION_TIMEOUT };
  return (await openChain({ client, relayerId, ownNode: session.ownNode, own })).node;
}

/**
 * Simulates bumps of calls with data, or with `--simulate` all. A bump that would revert is refused, or left out for a
 * relayer's stuck transactions. If other transactions are mined before it, it only gets a warning: they may change the
 * result, and the call is pending anyway.
 * @returns a `refusal` if nothing may be sent
 */
export async function simulateBumps(
  session: Session,
  bumps: readonly ForeseenBump[],
  { simulating, isStuck }: { simulating: Simulating; isStuck: boolean },
) {
  const { found, unknown } = await simulateEach(session, bumps, simulating);
  const isRefused = ({ foreseen: { simulation, ahead = 0n } }: SimulatedBump) =>
    simulation.outcome === "reverted" && ahead === 0n && !simulating.acceptsRevert;
  const warned = found.flatMap((each) => warningLines(each, isRefused(each), bumps.length === 1));
  const reverting = found.filter(isRefused);
  const refused = new Set(reverting.map(({ bump }) => bump));
  const kept = bumps.filter((bump) => !refused.has(bump));
  const lines = [...unknown, ...warned];
  if (reverting.length > 0 && (!isStuck || kept.length === 0))
    return { bumps: [], lines, outcomes: new Map(), refusal: refusalOf(reverting, bumps.length, simulating.argv) };
  const leftOut = reverting.map(({ bump, foreseen, simulated }) => ({
    note: `${bump.record.id} is left out: ${revertText(foreseen, simulated)}`,
  }));
  const outcomes = found.flatMap(({ bump, foreseen, simulated }) => {
    const text = outcomeText(foreseen, simulated);
    return text === undefined ? [] : [[bump, text] as const];
  });
  return { bumps: kept, lines: [...lines, ...leftOut], outcomes: new Map(outcomes) };
}

function warningLines({ bump, foreseen, simulated }: SimulatedBump, isRefused: boolean, isOne: boolean) {
  const isWarned = foreseen.simulation.outcome === "reverted" && !isRefused;
  const revert = isWarned ? [[revertText(foreseen, simulated), ...doubtLines(foreseen)].join("; ")] : [];
  const warnings = [...callWarnings(foreseen, simulated), ...revert];
  return warnings.map((warning) => ({ warning: `${isOne ? "" : `${bump.record.id}: `}${warning}` }));
}

function refusalOf(reverting: readonly SimulatedBump[], all: number, argv: readonly string[]): RelayctlError {
  const [first] = reverting;
  if (first && all === 1) return revertError(first.foreseen, first.simulated, argv);
  const details = reverting.map(({ bump: { relayerId, record }, foreseen, simulated }) => {
    const data = revertRows(foreseen).filter(({ where }) => where === "revert data");
    const rule = [revertText(foreseen, simulated), ...data.map((row) => `${row.where}: ${row.rule}`)].join("; ");
    return { where: `${relayerId}/${record.id}`, rule };
  });
  return new RelayctlError("rejected", `${reverting.length} of ${all} transactions would revert; nothing was sent`, {
    details,
    // A single problem is not listed below its error.
    summary: details.map(({ where, rule }) => `${where}: ${rule}`),
    repeat: { argv, added: ["--even-if-it-reverts"] },
  });
}

interface SimulatedBump {
  bump: ForeseenBump;
  simulated: SimulatedCall;
  foreseen: ForeseenCall;
}

/** Simulates bumps; `unknown` has each reason for a failure once. A silent node is only asked once. */
async function simulateEach(session: Session, bumps: readonly ForeseenBump[], simulating: Simulating) {
  const found: SimulatedBump[] = [];
  const unknown = new Map<string, number>();
  const silent = new Map<string, string>();
  for (const bump of bumps.filter(({ request: { body } }) => body && !isSimulationUnrequested(simulating, body.data))) {
    const { relayerId } = bump;
    const foreseen = silent.get(relayerId) ?? (await simulateBump(session, bump));
    if (typeof foreseen !== "string") found.push(foreseen);
    const { why, isSilent } = failureIn(foreseen);
    if (why !== undefined) unknown.set(why, (unknown.get(why) ?? 0) + 1);
    if (why !== undefined && isSilent) silent.set(relayerId, why);
  }
  const notes = [...unknown].map(([why, count]) => ({
    note: `${bumps.length === 1 ? "" : `${count} of ${bumps.length} transactions `}${why}`,
  }));
  return { found, unknown: notes };
}

async function simulateBump(session: Session, bump: ForeseenBump): Promise<SimulatedBump | string> {
  const { record, request, surroundings } = bump;
  const { relayer, node } = surroundings.chain;
  const simulated = buildSimulatedCall({ from: relayer?.address ?? record.from, body: request.body ?? {} });
  if (typeof simulated === "string") return `not simulated: ${simulated}`;
  const nonce = wireAmount(record.nonce);
  const foreseen = await foreseeCall(withinTime(session, node), simulated, {
    nonce,
    abis: () => session.abis(),
  });
  return { bump, simulated, foreseen };
}

function failureIn(found: SimulatedBump | string): { why: string | undefined; isSilent: boolean } {
  if (typeof found === "string") return { why: found, isSilent: false };
  const { outcome, fault } = found.foreseen.simulation;
  if (outcome !== "unknown") return { why: undefined, isSilent: false };
  return { why: unknownText(found.foreseen), isSilent: fault !== undefined && isNodeSilent(fault) };
}
