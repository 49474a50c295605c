import { readErc20Balance, readErc20Decimals } from "../../../chain/evm/erc20.ts";
import {
  type ChainNode,
  isNodeSilent,
  type NodeFault,
  nodeFailure,
  nodeFault,
  nodeSiblingsIn,
  type Reading,
} from "../../../chain/node/node.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { RelayctlError } from "../../../errors.ts";
import { relayerState } from "../../../relayer-state/state.ts";
import type { Session } from "../../../session/session.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import { STATUS_TIMEOUT } from "../../../timing.ts";
import type { Erc20Balance } from "../../../views/relayer-status/table.ts";
import type { Call } from "../../command.ts";
import { type AskedRelayer, askNodes } from "./ask-nodes.ts";

export interface ReadErc20 {
  /** By relayer, the tokens of its network. */
  balances: ReadonlyMap<string, readonly Erc20Balance[]>;
  failures: ReadonlyMap<string, RelayctlError>;
  notes: readonly { note: string }[];
}

/** Reads ERC-20 balances. It reads each token's decimals every time: changed decimals must not show a wrong amount. */
export async function readMonitorErc20(
  call: Call,
  session: Session,
  relayers: readonly Relayer[],
  names: readonly string[],
): Promise<ReadErc20> {
  const balances = new Map(relayers.map((relayer) => [relayer.id, holdingsOf(relayer, session, names)]));
  const holdings = (id: string) => balances.get(id) ?? [];
  const holders = relayers.filter(({ id }) => holdings(id).length > 0);
  const read = createReader(session);
  const ask = async ({ relayer: { id, network }, account, node }: AskedRelayer) => {
    let silent: NodeFault | undefined;
    for (const token of holdings(id)) {
      const found = silent ? { fault: silent } : await read(node, token, { account, network: String(network) });
      token.fault = "fault" in found ? found.fault : undefined;
      token.balance = "fault" in found ? undefined : found.value;
      silent = token.fault && isNodeSilent(token.fault) ? token.fault : silent;
    }
    return undefined;
  };
  const through = (relayer: Relayer) =>
    relayerState(relayer) === "active"
      ? relayer.id
      : nodeSiblingsIn(relayers, { id: relayer.id, network: String(relayer.network) })[0];
  const bounds = { calls: 2 * names.length, timeout: STATUS_TIMEOUT, through };
  for (const [id, cause] of await askNodes(call, session, holders, ask, bounds))
    for (const token of holdings(id))
      if (token.fault === UNASKED) token.fault = { kind: "failed", words: cause.message, cause };
  return { balances, ...erc20Failures(balances) };
}

interface Holding extends Erc20Balance {
  /** Set if the balance is unknown. */
  fault: NodeFault | undefined;
}

const UNASKED: NodeFault = {
  kind: "refused",
  words: "it is paused or disabled, and no other relayer of its network can be asked",
};

function holdingsOf({ network_type: kind, network }: Relayer, { erc20 }: Session, names: readonly string[]) {
  if (kind !== "evm" || typeof network !== "string") return [];
  return names.flatMap((name): Holding[] => {
    const { decimals, addresses } = (Object.hasOwn(erc20, name) && erc20[name]) || { decimals: 0, addresses: {} };
    const address = Object.hasOwn(addresses, network) ? addresses[network] : undefined;
    return address === undefined ? [] : [{ name, address, decimals, fault: UNASKED }];
  });
}

function createReader({ name: context }: Session) {
  const known = new Map<string, Promise<Reading<number>>>();
  return async (node: ChainNode, token: Erc20Balance, holder: { account: string; network: string }) => {
    const { name, address, decimals } = token;
    const key = `${holder.network} ${address}`;
    const reading = known.get(key) ?? readErc20Decimals(node, address);
    known.set(key, reading);
    const found = await reading;
    // Another relayer's node may have them.
    if ("fault" in found && known.get(key) === reading) known.delete(key);
    if ("fault" in found) return found;
    if (found.value === decimals) return await readErc20Balance(node, address, holder.account);
    const again = commandLine("context", "set", context, "--erc20", `${name}=${holder.network}:${address}`);
    return nodeFault(`it has ${found.value} decimals now, and had ${decimals}; to accept that: ${again}`);
  };
}

function erc20Failures(balances: ReadonlyMap<string, readonly Holding[]>): Omit<ReadErc20, "balances"> {
  const failures = new Map<string, RelayctlError>();
  const reasons = new Map<string, { name: string; words: string; ids: string[] }>();
  const unread = [...balances].flatMap(([id, tokens]) => tokens.map(({ name, fault }) => ({ id, name, fault })));
  for (const { id, name, fault } of unread) {
    if (!fault) continue;
    const { words } = fault;
    const key = `${name} ${words}`;
    const reason = reasons.get(key) ?? { name, words, ids: [] };
    reasons.set(key, reason);
    reason.ids.push(id);
    if (fault !== UNASKED && !failures.has(id))
      failures.set(id, new RelayctlError(nodeFailure(fault)?.failure ?? "server", `${name}: ${words}`));
  }
  const notes = [...reasons.values()].map(({ name, words, ids }) => ({
    note: `${name} of ${ids.join(", ")} not known: ${words}`,
  }));
  return { failures, notes };
}
