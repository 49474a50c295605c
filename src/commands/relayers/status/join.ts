import type { Session } from "../../../command-support/session/session.ts";
import { isShownInCoin } from "../../../contract/amount.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { readSelection } from "../../../terminal/select/selection.ts";
import { symbolsFor } from "../../coins/symbol-for.ts";
import type { Call } from "../../command.ts";
import type { RelayerStatus } from "./health.ts";
import { readLive } from "./live.ts";
import type { Seen } from "./read.ts";
import { namesStatus, type StatusReads } from "./status-reads.ts";
import { statusView } from "./view.ts";

/** The maximum number of relayers whose status is read, unless they or a status field are specified. */
const MOST = 100;

export interface Joined {
  seen: Seen;
  notes: readonly string[];
}

/** Adds the status route's data to the relayers that are displayed. */
export async function joinLive(call: Call, session: Session, seen: Seen, statusReads: StatusReads): Promise<Joined> {
  const shown = await shownOf(call, seen.found);
  if (statusReads === "some" && shown.length > MOST) return { seen, notes: [tooMany(shown.length)] };
  const live = await readLive(
    call,
    session,
    shown.map(({ relayer }) => relayer.id),
  );
  const found = seen.found.map((each) => ({ ...each, status: live.statuses.get(each.relayer.id) ?? null }));
  const symbols = isOnScreen(call) ? { symbols: await symbolsFor(call, placesOf(found)) } : {};
  const notes = live.hasNoRoute ? [NO_ROUTE] : noteOf(call, live);
  return { seen: { ...seen, found, unknown: live.unknown, ...symbols }, notes };
}

/** Returns the relayers whose balances are shown. */
function placesOf(found: readonly RelayerStatus[]): Relayer[] {
  return found.flatMap(({ relayer, status }) => (isShownInCoin(status?.balance) ? [relayer] : []));
}

/** Returns relayers that match the conditions which need no status. */
async function shownOf({ output }: Call, found: readonly RelayerStatus[]): Promise<readonly RelayerStatus[]> {
  const ofList = output.where?.filter((condition) => !namesStatus(condition));
  const { where } = await readSelection({ where: ofList }, statusView);
  return found.filter((status) => where.every((holds) => holds(status)));
}

const NO_ROUTE = "note: this service has no status route: balances, pending counts, and nonces are unknown";

function tooMany(count: number): string {
  return `note: balances, pending counts and nonces of up to ${MOST} relayers are read, and this list has ${count}: specify IDs or use --where`;
}

/** Returns a note about unknown statuses; the screen shows them next to each relayer. */
function noteOf(call: Call, { unknown }: { unknown: ReadonlyMap<string, string> }): string[] {
  if (isOnScreen(call)) return [];
  const reasons = new Map<string, string[]>();
  for (const [id, why] of unknown) {
    const ids = reasons.get(why) ?? [];
    ids.push(id);
    reasons.set(why, ids);
  }
  return [...reasons].map(([why, ids]) => `note: status of ${ids.join(", ")} not known: ${why}`);
}

/** Returns whether every requested relayer has a line on the screen. */
function isOnScreen({ app: { stdout }, output: { format, fields, query, where = [] } }: Call): boolean {
  const isTable = format === undefined ? stdout.isTerminal : format === "table";
  return isTable && fields === undefined && query === undefined && !where.some(namesStatus);
}
