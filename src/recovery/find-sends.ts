import type { Reading } from "../chain/node/node.ts";
import { ifFound } from "../errors.ts";
import { isCreatedInTime, mayBeCreatedInTime } from "../journal/created-in-time.ts";
import {
  createLostSendOwners,
  type FindingWorld,
  isSameLostSend,
  type LateRecord,
  type LostSend,
  lostSendDiffersInSpeed,
  lostSendShape,
  readListForLostSends,
  readOtherWrites,
  type SendCandidate,
  type SendEvidence,
  type SendFate,
  unknownSend,
} from "./lost-send.ts";

/**
 * Finds out what became of requests to one relayer whose responses were lost. A record belongs to a request only if no other
 * record agrees with it, it was created within a day of the request and by no other write of the journal, it was certainly
 * created while the request can have arrived, and no other request with an unknown outcome can have created it. Everything
 * else that agrees may belong to the request.
 * @returns the finding for each request, by its ID
 * @throws RelayctlError if the list can't be read to its end
 */
export async function findSends(
  world: FindingWorld,
  sends: readonly LostSend[],
): Promise<ReadonlyMap<string, SendFate>> {
  const findings = new Map<string, SendFate>();
  const shown = sends.filter(({ shape }) => shape);
  for (const { id, shape } of sends) if (!shape) findings.set(id, unknownSend(UNRECOGNIZABLE));
  if (shown.length === 0) return findings;
  const listed = await readListForLostSends(world.client, world.relayerId, shown);
  // In this order: a just recorded outcome of another request then claims its record.
  const others = await readOtherWrites(world.journal, world, shown);
  const known = { listed, others, ownersOf: createLostSendOwners(world.journal) };
  const unlisted: LostSend[] = [];
  let opened: ReturnType<typeof openRivalSearch> | undefined;
  const beside = () => (opened ??= openRivalSearch(world, known));
  for (const send of shown) {
    const finding = await findListed(world, send, known, beside);
    if (finding) findings.set(send.id, finding);
    else unlisted.push(send);
  }
  if (unlisted.length === 0) return findings;
  const mined = world.chain && (await import("./find-mined.ts"));
  const decided = await mined?.findMined(await world.chain?.(), unlisted, { ...known, now: world.now });
  for (const send of unlisted) {
    const found = decided?.get(send.id) ?? unknownSend(NONE);
    findings.set(send.id, (found.state === "unsent" && (await findMisdated(send, known))) || found);
  }
  return findings;
}

async function findMisdated(send: LostSend, known: SendEvidence): Promise<SendFate | undefined> {
  const [one] = await withoutClaimed(known, send, known.listed.misdated.get(send.id) ?? []);
  const why = "agrees with it, but is from another time; the clock of this machine may have been wrong";
  return one && unknownSend(`transaction ${one.id} ${why}`, [one.id]);
}

async function findListed(
  world: FindingWorld,
  send: LostSend,
  known: SendEvidence,
  beside: () => Promise<RivalSearch | undefined>,
): Promise<SendFate | undefined> {
  const { listed, others } = known;
  const agreeing = await withoutClaimed(known, send, listed.agreeing.get(send.id) ?? []);
  const changed = (await withoutClaimed(known, send, changedSince(send, known))).filter(
    ({ id }) => !agreeing.some((each) => each.id === id),
  );
  const [one, ...more] = [...agreeing, ...changed];
  if (!one) return undefined;
  const candidates = [one, ...more].map(({ id }) => id);
  const open = (because: string) => unknownSend(because, candidates);
  if (more.length > 0)
    return open(
      `${candidates.length} transactions agree with it, or may have before they were changed: ${candidates.join(", ")}`,
    );
  if (agreeing.length === 0)
    return open(`transaction ${one.id} may have agreed with it before it was canceled or replaced`);
  if (one.created === undefined)
    return open(`transaction ${one.id} agrees with it, but its record does not show when it was created`);
  if (!isCreatedInTime(one.created, send, others.offset))
    return open(`transaction ${one.id} agrees with it, but was created too long before or after it`);
  if ([one.shape, ...(others.earlier.get(one.id) ?? [])].every((shape) => lostSendDiffersInSpeed(send.shape, shape)))
    return open(`transaction ${one.id} agrees with it, but was requested at another speed, or replaced since`);
  const mayBeFrom = (each: LostSend) => isSameLostSend(each.shape, one.shape) && mayBeCreatedInTime(one.created, each);
  const rival = others.rivals.find((each) => each.id !== send.id && mayBeFrom(each));
  if (rival)
    return open(`transaction ${one.id} agrees with it, and with run ${rival.run}, whose outcome is unknown too`);
  const record = await ifFound(world.client.tx.get(world.relayerId, one.id));
  if (!record) return open(`the record of transaction ${one.id} agreed with it, and expired just now`);
  const doubt =
    one.created > send.time + others.offset.least + LATE_AFTER
      ? await doubtOfLate({ send, created: one.created }, await beside())
      : undefined;
  if (doubt !== undefined) return open(`transaction ${one.id} agrees with it, but is from much later, and ${doubt}`);
  if (isSameLostSend(send.shape, lostSendShape(record.data))) return { state: "sent", record };
  return open(`transaction ${one.id} agreed with it until it was changed just now`);
}

/** Milliseconds after which a record of a request is late. */
const LATE_AFTER = 30_000;

type RivalSearch = (late: LateRecord) => Promise<Reading<string[]>>;

async function openRivalSearch(world: FindingWorld, known: SendEvidence): Promise<RivalSearch | undefined> {
  const chain = await world.chain?.();
  return chain && (await import("./find-mined.ts")).createRivalSearch(chain, { ...known, now: world.now });
}

/** Returns why a late record may be another's: services delete final records after minutes (facts 5.1). */
async function doubtOfLate(late: LateRecord, search: RivalSearch | undefined): Promise<string | undefined> {
  const found = await search?.(late);
  if (!found) return undefined;
  if ("fault" in found) return `the chain could not be asked whether it has an earlier one: ${found.fault.words}`;
  const hashes = found.value.join(", ");
  return hashes === "" ? undefined : `the chain has another without a record: ${hashes}`;
}

/** Returns the transactions that may have agreed with a request until they were canceled or replaced, by the journal. */
function changedSince(send: LostSend, { listed, others }: SendEvidence): SendCandidate[] {
  const { content = "" } = send.shape ?? {};
  const replaced = [...others.earlier].filter(([, shapes]) => shapes.some((each) => content.startsWith(each.content)));
  const canceled = listed.canceled.filter(
    ({ id, created }) =>
      (others.earlier.get(id) ?? []).length === 0 &&
      (created === undefined || isCreatedInTime(created, send, others.offset)),
  );
  return [...replaced.map(([id]) => ({ id, created: undefined, shape: undefined })), ...canceled];
}

async function withoutClaimed(
  { ownersOf }: SendEvidence,
  { id }: LostSend,
  records: readonly SendCandidate[],
): Promise<SendCandidate[]> {
  const own: SendCandidate[] = [];
  for (const record of records) if ((await ownersOf(record.id)).every((owner) => owner === id)) own.push(record);
  return own;
}

const NONE = "no transaction since then agrees with it; the request may not have arrived, or may still arrive";
const UNRECOGNIZABLE = "only an EVM transaction, or a transaction built elsewhere, can be recognized by its record";
