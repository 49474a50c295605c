import { type AuditedNonce, NONCE_KINDS, type NonceKind } from "../../audit/classify.ts";
import { groupDigits, pluralize } from "../../contract/decimal.ts";
import { RelayctlError } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { listFrom, type Page, type View } from "../../terminal/view.ts";
import { auditItem, auditView } from "../../views/audit/audit.ts";
import type { Call } from "../command.ts";
import { hasShownCall } from "../tx/call/shown-call.ts";
import type { CallReader } from "../tx/record/call-field.ts";
import { type AuditTyped, openEachAudit } from "./each-relayer.ts";

const BAD: readonly NonceKind[] = ["foreign", "doubled", "gap"];

export async function runAudit(call: Call, typed: AuditTyped, isCheck: boolean): Promise<View> {
  const session = await call.session();
  const { relayers, labelOf, read, ending } = await openEachAudit(call, typed, true);
  const readerFor = createCallReaders(session);
  const counted: Counted = { total: 0, unused: 0, presumed: 0, kinds: new Map(), sources: new Map() };
  const pages = async function* (): AsyncGenerator<Page> {
    for await (const { opened, rows } of read()) {
      for (const row of rows) addTo(counted, row);
      if (rows.length === 0 && opened.unused !== undefined) counted.unused++;
      if (rows.length === 0) continue;
      const audited = { relayerId: opened.relayer.id, coin: opened.coin, labelOf, callOf: await readerFor(rows) };
      yield { items: rows.map((row) => auditItem(row, audited)), total: undefined, body: new Uint8Array() };
    }
  };
  return listFrom(session, auditView, pages(), {
    ending: async () => ending(summaryLines(counted), isCheck ? checkFailure(counted, relayers.length) : undefined),
  });
}

function createCallReaders(session: Session) {
  let reader: Promise<CallReader> | undefined;
  return async (rows: readonly AuditedNonce[]): Promise<CallReader | undefined> => {
    if (!rows.some(({ mined }) => mined && hasShownCall({ ...mined }))) return undefined;
    reader ??= import("../tx/call/read-call.ts").then(({ readCalls }) => readCalls(session));
    return await reader;
  };
}

interface Counted {
  total: number;
  /** Ranges of which no nonce is used. */
  unused: number;
  /** Versions that only their nonce connects with a record: another user of the key may have sent them. */
  presumed: number;
  kinds: Map<NonceKind, number>;
  sources: Map<(typeof SOURCES)[number], number>;
}

const SOURCES = ["chain", "records", "journal"] as const;

function addTo(counted: Counted, { kind, mined, claim, evidence }: AuditedNonce): void {
  counted.total++;
  if (kind === "other_version" && evidence.includes("presumed")) counted.presumed++;
  counted.kinds.set(kind, (counted.kinds.get(kind) ?? 0) + 1);
  const shows = { chain: mined ?? kind === "gap", records: claim?.record, journal: claim?.send };
  for (const source of SOURCES) if (shows[source]) counted.sources.set(source, (counted.sources.get(source) ?? 0) + 1);
}

function kindsText({ kinds }: Counted, wanted: readonly NonceKind[]): string {
  const found = wanted.filter((kind) => kinds.has(kind));
  return found.map((kind) => `${groupDigits(kinds.get(kind) ?? 0)} ${kind.replaceAll("_", " ")}`).join(", ");
}

function summaryLines(counted: Counted): string[] {
  const { total, sources } = counted;
  if (total === 0) return [];
  const shares = SOURCES.map((source) => `${source} ${percentText(sources.get(source) ?? 0, total)}`);
  return [`${pluralize(total, "nonce")}: ${kindsText(counted, NONCE_KINDS)}`, `shown by: ${shares.join(", ")}`];
}

function checkFailure(counted: Counted, asked: number): RelayctlError | undefined {
  const { total, unused, presumed } = counted;
  if (total === 0 && unused === asked)
    return new RelayctlError(
      "unmet",
      `the check did not pass: ${asked === 0 ? "no relayer" : "no used nonce"} was found`,
    );
  const unproven = presumed === 0 ? "" : `${groupDigits(presumed)} other version that no record shows`;
  const bad = [kindsText(counted, BAD), unproven].filter((text) => text !== "").join(", ");
  return bad === "" ? undefined : new RelayctlError("unmet", `the check did not pass: ${bad}`);
}

/** Returns a share in percent with one decimal, rounded down, so that 100% means all. */
function percentText(part: number, all: number): string {
  const tenths = Math.floor((part * 1000) / all);
  return `${Math.floor(tenths / 10)}${tenths % 10 === 0 ? "" : `.${tenths % 10}`}%`;
}
