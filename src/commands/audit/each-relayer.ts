import type { AuditedNonce } from "../../audit/classify.ts";
import type { NonceStore } from "../../audit/nonce-chunks.ts";
import { type Audit, type AuditRequest, createPacedAuditNode, openAudit, type Span } from "../../audit/open-audit.ts";
import { hexAddress } from "../../chain/evm/quantity.ts";
import { type NetworkFacts, readNetworkFacts } from "../../chain/network.ts";
import {
  type ChainNode,
  nodeValue,
  nodeWithFallback,
  type Reading,
  relayerNode,
  siblingNodes,
} from "../../chain/node/node.ts";
import { openChain } from "../../chain/open-chain.ts";
import type { Client } from "../../client/client.ts";
import { symbolFor } from "../../coins/coin-symbol.ts";
import { shortName } from "../../completion/short-name.ts";
import { currencyOf } from "../../contract/amount.ts";
import { groupDigits, pluralize } from "../../contract/decimal.ts";
import { networkKind } from "../../contract/network-kind.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { RelayctlError, usageError } from "../../errors.ts";
import { selectRelayers } from "../../relayer-state/health.ts";
import { collectById } from "../../session/collect.ts";
import { labelsByAddress, readLabels } from "../../session/labels.ts";
import type { Ending } from "../../terminal/view.ts";
import type { Call } from "../command.ts";

export interface AuditTyped {
  /** All relayers if absent. */
  ids: readonly string[] | undefined;
  span: Span;
  url: string | undefined;
  /** The folder of the cache (default: below the state folder). */
  state: string | undefined;
}

export interface OpenedAudit extends Audit {
  relayer: Relayer;
  /** The symbol of its coin, with the network's name for a test network. */
  coin: string | undefined;
}

async function readRelayers(call: Call, { ids, span }: AuditTyped) {
  const session = await call.session();
  const all = await collectById<Relayer>(session.client.relayers.list());
  const chosen = ids ? selectRelayers(all, ids, session) : all;
  if (!ids || "since" in span) return { all, relayers: chosen };
  const others = chosen.filter((relayer) => networkKind(relayer) !== "evm");
  const rule = (kind: unknown) => `needs an EVM relayer; on ${kind}, transactions are listed by their time (--since)`;
  if (others.length > 0)
    throw usageError(others.map(({ id, network_type: kind }) => ({ where: "--nonces", rule: rule(kind), given: id })));
  return { all, relayers: chosen };
}

function accountFor(relayer: Relayer): string | null | undefined {
  return networkKind(relayer) === "evm" ? hexAddress(relayer.address) : relayer.address;
}

async function openRelayer(
  call: Call,
  relayer: Relayer,
  all: readonly Relayer[],
  typed: AuditTyped,
): Promise<OpenedAudit> {
  const session = await call.session();
  const kind = networkKind(relayer);
  const account = accountFor(relayer);
  if (!account) throw new RelayctlError("server", `cannot read the address of ${relayer.id}`);
  const twinIds = all.filter((each) => isTwin(each, relayer)).map(({ id }) => id);
  const common = { relayerId: relayer.id, twinIds, account, server: session.origin, client: session.inBulk() };
  const request = { ...common, journal: await session.journal() };
  const { network, opened } = await (kind === "evm"
    ? openNonces(call, relayer, typed, request)
    : openListed(call, relayer, typed, { ...request, kind }));
  const audit = nodeValue(opened, `the chain of ${relayer.id} cannot be read: `);
  const symbol = (await symbolFor(await call.session(), relayer)) ?? currencyOf(kind).symbol;
  const coin = symbol === undefined || !network.isTest ? symbol : `${symbol} on ${relayer.network}`;
  return { ...audit, relayer, coin };
}

/** Two relayers of a service can have one signer, and thus one account. */
function isTwin(one: Relayer, other: Relayer): boolean {
  const isSamePlace = networkKind(one) === networkKind(other) && one.network === other.network;
  return isSamePlace && one.id !== other.id && accountFor(one) === accountFor(other);
}

type Common = Pick<AuditRequest, "relayerId" | "twinIds" | "account" | "server" | "journal"> & { client: Client };

function paceNode({ app }: Call, node: ChainNode): ChainNode {
  return createPacedAuditNode(node, (milliseconds) => app.clock.sleep(milliseconds, app.interrupt));
}

async function openNonces(call: Call, relayer: Relayer, { span, url, state }: AuditTyped, request: Common) {
  const session = await call.session();
  const { network, node } = await openChain({ ...request, relayer, ownNode: session.ownNode, own: { url } });
  const { chainId = relayer.network } = network;
  const isKept = session.kept !== undefined || state !== undefined;
  const store = isKept ? createStore(call, [String(chainId), request.account], state) : undefined;
  const now = call.app.clock.now();
  return { network, opened: await openAudit({ ...request, network, node: paceNode(call, node), store, span, now }) };
}

/** Opens the transactions that a node lists. Only a typed node replaces it: the variables are for EVM. */
async function openListed(
  call: Call,
  { id, network: name }: Relayer,
  { span, url }: AuditTyped,
  { kind, ...request }: Common & { kind: "solana" | "stellar" },
): Promise<{ network: NetworkFacts; opened: Reading<Audit> }> {
  const { openListedHistory, openListedAudit } = await import("../../audit/open-listed-audit.ts");
  const session = await call.session();
  const { networks, relayers } = request.client;
  const network = await readNetworkFacts(networks, name, kind);
  const own = url === undefined ? undefined : await session.ownNode(undefined, { url });
  const place = { id, network: typeof name === "string" ? name : undefined, kind };
  const node = own ?? nodeWithFallback(relayerNode(relayers, id), () => siblingNodes(relayers, place));
  const since = "since" in span ? span.since : call.app.clock.now();
  const openHistory = openListedHistory(kind, paceNode(call, node));
  return { network, opened: await openListedAudit({ ...request, openHistory, since }) };
}

/** Keeps what was read in files. An unusable file only costs time, which is noted for a typed folder. */
function createStore({ app, say }: Call, account: readonly string[], folder: string | undefined): NonceStore {
  const open = (part: bigint) => app.kept(`nonces-${shortName(account)}-${part}`, folder);
  let isNoted = folder === undefined;
  const note = async (error: unknown) => {
    if (!isNoted) await say({ note: `--state is not used: ${error instanceof Error ? error.message : String(error)}` });
    isNoted = true;
    return undefined;
  };
  return {
    load: async (part) => await open(part).load().catch(note),
    save: async (part, text) => {
      await open(part)
        .renew(async () => app.secrets.redact(text))
        .catch(note);
    },
  };
}

/** Relayers whose accounts are read at once: an account takes a dozen requests, one after another. */
const AT_ONCE = 8;

export interface Readings {
  relayers: readonly Relayer[];
  labelOf(address: string): string | undefined;
  read(): AsyncGenerator<{ opened: OpenedAudit; rows: readonly AuditedNonce[] }>;
  /** Returns the unread parts. @param failure of the command in any case */
  ending(notes: readonly string[], failure?: RelayctlError): Ending;
}

/** @param hasGaps whether the rows contain unused nonces that later ones wait for */
export async function openEachAudit(call: Call, typed: AuditTyped, hasGaps: boolean): Promise<Readings> {
  const { all, relayers } = await readRelayers(call, typed);
  const failures = new Map<string, RelayctlError>();
  const missing: string[] = [];
  const later: string[] = [];
  let unreadable = 0;
  const fail = ({ id }: Relayer, error: unknown) => {
    const isFinal = !(error instanceof RelayctlError) || ["auth", "interrupted"].includes(error.failure);
    if (isFinal || relayers.length === 1) throw error;
    failures.set(id, error);
    return undefined;
  };
  const open = async (relayer: Relayer): Promise<OpenedAudit | undefined> => {
    try {
      return await openRelayer(call, relayer, all, typed);
    } catch (error) {
      return fail(relayer, error);
    }
  };
  const unused: { note: string }[] = [];
  const noteGaps = ({ relayer: { id }, gapBefore, gapAfter, unused: left }: OpenedAudit) => {
    if (left !== undefined) unused.push({ note: `${id}: ${left}` });
    if (gapBefore !== undefined) missing.push(`${id}: ${gapBefore}`);
    if (gapAfter !== undefined) later.push(`${id}: ${gapAfter}`);
  };
  async function* read(): ReturnType<Readings["read"]> {
    for await (const opened of openInOrder(call, relayers, open)) {
      if (!opened) continue;
      noteGaps(opened);
      try {
        for await (const rows of countedRows(call, opened, hasGaps)) {
          unreadable += rows.filter(({ kind }) => kind === "unreadable").length;
          yield { opened, rows };
        }
      } catch (error) {
        fail(opened.relayer, error);
      }
    }
  }
  return {
    relayers,
    labelOf: labelsByAddress(await readLabels(call.app)),
    read,
    ending(notes, given) {
      const parts = [
        ...(failures.size > 0 ? [`${groupDigits(failures.size)} of ${pluralize(relayers.length, "relayer")}`] : []),
        ...(unreadable > 0 ? [pluralize(unreadable, "nonce")] : []),
        ...(missing.length > 0 ? [`earlier nonces of ${pluralize(missing.length, "relayer")}`] : []),
        ...(later.length > 0 ? [`later nonces of ${pluralize(later.length, "relayer")}`] : []),
      ];
      const words = `${parts.join(", and ")} could not be read`;
      const failure = given ?? (parts.length > 0 ? new RelayctlError("partial", words) : undefined);
      const unread = relayers.flatMap(({ id }) => {
        const failure = failures.get(id);
        return failure ? [`${id}: ${failure.message}`] : [];
      });
      return { notes: [...notes, ...unused, ...missing, ...later, ...unread], failure };
    },
  };
}

/** Yields in the order of the relayers, and throws what failed in its turn. */
async function* openInOrder<T>(call: Call, relayers: readonly Relayer[], open: (relayer: Relayer) => Promise<T>) {
  const since = call.app.clock.elapsed();
  const counts = { doing: "auditing relayers", of: relayers.length, done: 0, failed: 0, since };
  const opening: Promise<T>[] = [];
  const openNext = (relayer: Relayer | undefined) => {
    if (!relayer) return;
    const opened = open(relayer);
    opened.catch(() => {});
    opening.push(opened);
  };
  relayers.slice(0, AT_ONCE - 1).forEach(openNext);
  try {
    for (; counts.done < relayers.length; counts.done++) {
      openNext(relayers[counts.done + AT_ONCE - 1]);
      call.count(counts);
      yield await opening.shift();
    }
  } finally {
    call.count(undefined);
  }
}

async function* countedRows(call: Call, { relayer, size, done, rows, gaps }: OpenedAudit, hasGaps: boolean) {
  const since = call.app.clock.elapsed();
  const counts = { doing: `auditing ${relayer.id}`, of: Number(size), done: 0, failed: 0, since };
  if (counts.of > 1) call.count(counts);
  for await (const read of rows()) {
    counts.done = done?.() ?? counts.done + read.length;
    yield read;
  }
  if (hasGaps && gaps) yield await gaps();
  call.count(undefined);
}
