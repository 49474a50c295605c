import { coinSymbolsFor } from "../../../coins/coin-symbol.ts";
import { wireAmount } from "../../../contract/amount.ts";
import { groupDigits } from "../../../contract/decimal.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { RelayerStatus } from "../../../relayer-state/health.ts";
import type { Session } from "../../../session/session.ts";
import { readSelection } from "../../../terminal/select/selection.ts";
import { type Runways, type Seen, statusAttentionFirst, statusView } from "../../../views/relayer-status/table.ts";
import type { Call } from "../../command.ts";
import { type LiveValues, readLiveValues } from "../live/values.ts";
import { MOST_READ, readsStatus, type StatusReads, statusReadsOldest } from "./status-reads.ts";

type ShownValues = { values: LiveValues; whyNone?: never } | { values?: never; whyNone: string };

export async function readShownValues(
  call: Call,
  session: Session,
  seen: Seen,
  { statusReads, atOnce }: { statusReads: StatusReads; atOnce?: number },
): Promise<ShownValues> {
  const shown = await readShown(call, seen.found);
  if (statusReads === "some" && shown.length > MOST_READ) return { whyNone: tooMany(shown.length) };
  const ids = shown.map(({ relayer }) => relayer.id);
  const wanted = {
    status: true,
    oldest: (isStatusShown(call) && call.app.stdout.isTerminal) || statusReadsOldest(call.output),
    ...(atOnce !== undefined && { atOnce }),
  };
  return { values: await readLiveValues(call, session, ids, wanted) };
}

export async function statusWithValues(call: Call, seen: Seen, values: LiveValues, runways?: Runways): Promise<Seen> {
  const found = seen.found.map((each) => ({ ...each, status: values.statuses.get(each.relayer.id) ?? null }));
  const isScreen = isStatusShown(call);
  const symbols = isScreen ? { symbols: await coinSymbolsFor(await call.session(), relayersWithBalance(found)) } : {};
  const hasPending = [...values.oldest.values()].some((time) => time !== null);
  const oldest = hasPending ? { oldest: values.oldest, now: call.app.clock.now() } : {};
  const unknown = values.hasNoRoute ? new Map() : values.unknown;
  const known = { ...seen, unknown, ...symbols, ...oldest, ...(runways && { runways }) };
  return { ...known, found: isScreen ? statusAttentionFirst(found, known) : found };
}

function relayersWithBalance(found: readonly RelayerStatus[]): Relayer[] {
  return found.flatMap(({ relayer, status }) => (wireAmount(status?.balance) === undefined ? [] : [relayer]));
}

export async function readShown({ output }: Call, found: readonly RelayerStatus[]): Promise<readonly RelayerStatus[]> {
  const ofList = output.where?.filter((condition) => !readsStatus(condition));
  const { where } = await readSelection({ where: ofList }, statusView);
  return found.filter((status) => where.every((holds) => holds(status)));
}

function tooMany(count: number): string {
  return `balances, pending counts and nonces of up to ${MOST_READ} relayers are read, and this list has ${groupDigits(count)}: specify IDs or use --where`;
}

export function isStatusShown({ app: { stdout }, output: { format, fields, query, where = [] } }: Call): boolean {
  const isTable = format === undefined ? stdout.isTerminal : format === "table";
  return isTable && fields === undefined && query === undefined && !where.some(readsStatus);
}
