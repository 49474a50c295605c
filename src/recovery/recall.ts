import { quantityText } from "../chain/evm/quantity.ts";
import type { ChainTransaction } from "../chain/evm/read-evm.ts";
import type { Recall, Recalled } from "../chain/follow/follow-request.ts";
import type { ChainNode } from "../chain/node/node.ts";
import { type ChainSource, openChain } from "../chain/open-chain.ts";
import { isSameVerdictVersion, verdictVersion } from "../chain/verdict/verdict.ts";
import type { Client } from "../client/client.ts";
import { isJsonObject, type JsonObject } from "../contract/json.ts";
import { operations } from "../contract/operations.ts";
import { receivedTime } from "../contract/reply/received-time.ts";
import type { Transaction } from "../contract/transaction/transaction.ts";
import { ifReadable } from "../errors.ts";
import { appliedOf, type Intent, type RecordedWrite, type WriteOutcome, writesOf } from "../journal/journal.ts";
import { entryOutcome } from "../session/journaling/entries.ts";
import type { Session } from "../session/session.ts";
import { findMined } from "./find-mined.ts";
import {
  createLostSendOwners,
  type FindingWorld,
  lostSendOf,
  readListForLostSends,
  readOtherWrites,
  type SendFate,
} from "./lost-send.ts";

export interface RecallWorld extends Omit<FindingWorld, "relayerId" | "chain" | "client"> {
  client: Pick<Client, "tx"> & ChainSource["client"];
  ownNode(network: string | undefined): Promise<ChainNode | undefined>;
  /** Whether the chain is asked (default); otherwise only the journal counts. */
  usesChain?: boolean;
}

/** The response to a new transaction has neither hash nor nonce (facts 17.1): the chain then shows its match. */
export function createRecall(world: RecallWorld): Recall {
  return async (relayerId, ids) => {
    const found = new Map<string, Recalled>();
    const sends = new Map<string, RecordedWrite>();
    for (const id of ids) {
      const writes = writesOf(await world.journal.find(id)).filter(
        ({ intent }) => intent.server === world.server && intent.ids.relayer_id === relayerId,
      );
      const records = recordsIn(writes, id);
      found.set(id, { records });
      const send = writes.find(({ intent, outcome }) => intent.operation === "tx.send" && outcome?.after?.id === id);
      if (send && !records.some(({ hash }) => hash)) sends.set(id, send);
    }
    if (sends.size === 0 || world.usesChain === false) return found;
    let isPassing = false;
    const asked = findOnChain({ ...world, relayerId }, [...sends.values()], world);
    const findings = await ifReadable(asked, undefined, ({ retryable }) => {
      isPassing = retryable;
    });
    const isFresh = ({ time }: Intent) => world.now() - receivedTime(time) < FRESH;
    for (const [id, { intent }] of sends) {
      const records = found.get(id)?.records ?? [];
      const shown = completeRecall(id, records, findings?.get(intent.id), isFresh(intent));
      found.set(id, isPassing ? { records, isPartial: true } : shown);
    }
    return found;
  };
}

/** Milliseconds in which a transaction without a record may still be mined: one of several servers may lag. */
const FRESH = 120_000;

function completeRecall(id: string, records: readonly Transaction[], finding: SendFate | undefined, isFresh: boolean) {
  if (finding?.state === "unknown" && (finding.isUnasked || isFresh)) return { records, isPartial: true };
  if (finding?.state !== "sent" || !("mined" in finding)) return { records };
  const { mined } = finding;
  return { records: [...records, { ...records.at(-1), ...shownMembers(mined), id, data: mined.data } as Transaction] };
}

/** Returns the same for a session. A journal that cannot be read shows nothing. */
export function createSessionRecall(session: Session, now: () => number, usesChain = true): Recall {
  const { client, origin: server } = session;
  const world = { client, server, now, usesChain, ownNode: session.ownNode };
  return async (...asked) => {
    const found = session.journal().then((journal) => journal && createRecall({ ...world, journal })(...asked));
    return (await ifReadable(found)) ?? new Map();
  };
}

async function findOnChain(at: FindingWorld, writes: readonly RecordedWrite[], { client, ownNode }: RecallWorld) {
  const sends = writes.map(({ intent }) => lostSendOf(intent)).filter(({ shape }) => shape);
  if (sends.length === 0) return new Map();
  const listed = await readListForLostSends(at.client, at.relayerId, sends);
  const others = await readOtherWrites(at.journal, at, sends);
  const known = { listed, others, ownersOf: createLostSendOwners(at.journal), now: at.now, areAccepted: true };
  const { data: relayer } = await client.relayers.get(at.relayerId);
  return await findMined(await openChain({ client, relayerId: at.relayerId, relayer, ownNode }), sends, known);
}

function recordsIn(writes: readonly RecordedWrite[], id: string): Transaction[] {
  const records: Transaction[] = [];
  const add = (shown: JsonObject | undefined, requested?: JsonObject) => {
    if (!shown || (shown.id ?? shown.hash) !== id) return;
    const known = [requested, ...[...records].reverse()].find((each) => each && isAlike(each, shown));
    // Without its data, a call would look like a transfer, so only its hash shows it.
    const { value, ...rest } = shown;
    records.push((known ? { ...shown, data: known.data ?? null } : value === undefined ? shown : rest) as Transaction);
  };
  for (const write of writes) {
    const { intent, outcome } = write;
    add(intent.before);
    if (appliedOf(write) === "yes") add(outcome?.after, isJsonObject(intent.body) ? intent.body : undefined);
  }
  return records;
}

function isAlike(one: JsonObject, other: JsonObject): boolean {
  const [first, second] = [one, other].map((each) => verdictVersion({ ...each, data: null }));
  return first !== undefined && second !== undefined && isSameVerdictVersion(first, second);
}

export function recalledOutcome(finding: SendFate, of: Pick<WriteOutcome, "id" | "run" | "time">): WriteOutcome {
  if (finding.state !== "sent")
    return { type: "outcome", ...of, applied: finding.state === "unsent" ? "no" : "unknown", settledLater: true };
  const data = "record" in finding ? finding.record.data : shownMembers(finding.mined);
  return { ...entryOutcome({ operation: operations["tx.send"] }, { data }, of), settledLater: true };
}

function shownMembers({ hash, from, to, value, nonce, gasLimit }: ChainTransaction): JsonObject {
  return { hash, from, to, value: quantityText(value), nonce, gas_limit: gasLimit ?? null };
}
