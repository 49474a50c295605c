import type { Spends } from "../../audit/spend-windows.ts";
import { ageText, secondsSince } from "../../contract/age-text.ts";
import { COIN_DECIMALS, currencyOf, formatAmount, wireAmount, withPoint } from "../../contract/amount.ts";
import { firstNames, grouped } from "../../contract/decimal.ts";
import type { JsonValue } from "../../contract/json.ts";
import { isNetworkKind } from "../../contract/network-kind.ts";
import { leastBalance } from "../../contract/relayer-policies.ts";
import type { RelayctlError } from "../../errors.ts";
import { describeRecovery, recoveryLine } from "../../relayer-state/disabled.ts";
import type { RelayerStatus } from "../../relayer-state/health.ts";
import { rankOf, stateOf } from "../../relayer-state/state.ts";
import { commandLine } from "../../shell/shell-words.ts";
import { valueText } from "../../terminal/select/path.ts";
import type { ScreenLine } from "../../terminal/view.ts";

const UNKNOWN = "balance, pending, and nonce unknown";
/** Seconds for which a pending transaction is normal. */
const LONG_PENDING = 15 * 60;
const MOST_IDS = 3;
const MOST_ROWS = 10;

/** How long the balances last that fall, by relayer. */
export type Runways = ReadonlyMap<string, { seconds: number; text: string }>;

/** Additional facts for the screen. */
export interface StatusContext {
  /** Why the status route returned nothing for a requested relayer, by ID. */
  unknown?: ReadonlyMap<string, RelayctlError>;
  symbols?: ReadonlyMap<string, string | undefined>;
  /** When the oldest pending transaction was created, by relayer. */
  oldest?: ReadonlyMap<string, JsonValue>;
  runways?: Runways;
  spends?: ReadonlyMap<string, Spends>;
  /** The decimals of tokens by their names, and whether each token has a column. */
  erc20?: { decimals: ReadonlyMap<string, number>; columns: readonly string[] };
  /** The time that ages refer to, in milliseconds since 1970. */
  now?: number;
}

interface Reason {
  label: keyof typeof LABELS;
  /** What an active relayer's state shows. */
  word?: string;
  one: string;
  many: string;
  /** The words before the IDs of the command that helps. */
  command?: readonly string[];
  /** Whether the command without an ID is for all of them. */
  forAll?: true;
}

const LABELS = {
  disabled: { text: "disabled", sign: "bad", tone: "bad" },
  paused: { text: "paused", sign: "paused", tone: "warn" },
  active: { text: "active", sign: "attention", tone: "warn" },
} as const;

interface Group {
  reason: Reason;
  ids: string[];
}

function groupReasons(found: readonly RelayerStatus[], flags: readonly string[], known: StatusContext): Group[] {
  const groups = new Map<string, Group>();
  for (const status of found)
    for (const reason of listReasons(status, flags, known)) {
      const group = groups.get(reason.many) ?? { reason, ids: [] };
      groups.set(reason.many, group);
      group.ids.push(status.relayer.id);
    }
  return [...groups.values()];
}

export function reasonLines(
  found: readonly RelayerStatus[],
  flags: readonly string[],
  known: StatusContext,
): ScreenLine[] {
  return groupReasons(found, flags, known).map(({ reason, ids }) => reasonLine(reason, ids, flags));
}

/** Returns the relayers that a long list gives a row: those that need attention for a rare reason. */
export function rowsOfMany(found: readonly RelayerStatus[], known: StatusContext): RelayerStatus[] {
  const few = groupReasons(found, [], known).filter(({ ids }) => ids.length <= MOST_ROWS);
  const shown = new Set(few.flatMap(({ ids }) => ids));
  return found.filter(({ relayer }) => shown.has(relayer.id));
}

function reasonLine({ label, one, many, command, forAll }: Reason, ids: readonly string[], flags: readonly string[]) {
  const isFew = ids.length <= MOST_IDS;
  const words = command && (isFew ? [...flags, ...command, ...ids] : forAll && [...flags, ...command]);
  const run = words ? [commandLine(...words)] : [];
  if (ids.length === 1) return { label: LABELS[label], name: ids.join(), words: [[one, ...run].join(": ")] };
  return {
    label: LABELS[label],
    name: `${grouped(ids.length)} relayers`,
    words: [many, firstNames(ids, MOST_IDS), ...run],
  };
}

/** Returns why an active relayer needs attention, in a word; undefined if it needs none. */
export function oddWord(status: RelayerStatus, known: StatusContext): string | undefined {
  return stateOf(status.relayer) === "active" ? listReasons(status, [], known)[0]?.word : undefined;
}

/** Sorts active relayers that need attention before healthy ones, after the disabled and the paused ones. */
export function attentionFirst(found: readonly RelayerStatus[], known: StatusContext): RelayerStatus[] {
  const rank = (status: RelayerStatus) => rankOf(status.relayer) - (oddWord(status, known) === undefined ? 0 : 0.5);
  return [...found].sort((left, right) => rank(left) - rank(right));
}

export function whyText(status: RelayerStatus, flags: readonly string[], known: StatusContext): string | undefined {
  const [reason] = listReasons(status, flags, known);
  return reason?.one;
}

function listReasons(status: RelayerStatus, flags: readonly string[], known: StatusContext): Reason[] {
  const { relayer } = status;
  const state = stateOf(relayer);
  const unread = known.unknown?.get(relayer.id)?.message;
  const words = `${UNKNOWN}: ${unread}`;
  const age = pendingAge(status, known) ?? 0;
  const reasons: (Reason | undefined)[] = [
    state === "disabled" ? disabledReason(status, flags, unread === undefined) : undefined,
    state === "paused"
      ? { label: state, one: "by an operator", many: "by an operator", command: ["relayers", "resume"] }
      : undefined,
    state === "active" ? lowBalance(status, known) : undefined,
    state === "active" && age > LONG_PENDING
      ? {
          label: state,
          word: "jammed",
          one: `${pendingText(status)} pending, the oldest for ${ageText(age * 1_000)}`,
          many: "transactions are pending for long",
          command: ["tx", "stuck"],
          forAll: true,
        }
      : undefined,
    unread === undefined ? undefined : { label: state, word: "not read", one: words, many: words },
  ];
  return reasons.filter((reason) => reason !== undefined);
}

function disabledReason({ relayer }: RelayerStatus, flags: readonly string[], isRead: boolean): Reason {
  const also = relayer.paused ? "; also paused by an operator, and stays paused" : "";
  const outlook = describeRecovery(relayer, flags, isRead);
  const { why, next } = outlook;
  return { label: "disabled", one: recoveryLine(outlook) + also, many: [why, next[0]].filter(Boolean).join(": ") };
}

/** Returns the reason for a balance below its minimum: the service disables the relayer at its next check. */
function lowBalance(status: RelayerStatus, { symbols }: StatusContext): Reason | undefined {
  const { relayer } = status;
  const [balance, least] = [wireAmount(status.status?.balance), leastBalance(status.relayer)];
  const kind = relayer.network_type;
  if (balance === undefined || balance >= least || !isNetworkKind(kind)) return undefined;
  const minimum = formatAmount(least, currencyOf(kind, symbols?.get(relayer.network ?? "")));
  return {
    label: "active",
    word: "low balance",
    one: `balance below its minimum of ${minimum}: fund ${relayer.address ?? "its address"}`,
    many: "balance below its minimum",
  };
}

/** Returns the exact balance without `-o json`'s digits; unchanged if the unit is unknown. */
export function balanceText({ relayer, status }: RelayerStatus, { symbols }: StatusContext): string {
  const [amount, kind] = [wireAmount(status?.balance), status?.network_type ?? relayer.network_type];
  return amount !== undefined && isNetworkKind(kind)
    ? formatAmount(amount, currencyOf(kind, symbols?.get(relayer.network ?? "")))
    : valueText(status?.balance);
}

const BAR = 6;

/** Returns the balance as a bar, full at ten times its minimum; empty without one. */
export function balanceBar(status: RelayerStatus): string {
  const [balance, least] = [wireAmount(status.status?.balance), leastBalance(status.relayer)];
  if (balance === undefined || least <= 1n) return "";
  const ratio = Number((balance * 1_000n) / least) / 1_000;
  const full = Math.max(0, Math.min(BAR, Math.round(BAR * Math.log10(Math.max(ratio, 1)))));
  const bar = "█".repeat(full) + "░".repeat(BAR - full);
  const kind = status.relayer.network_type;
  return balance < least && isNetworkKind(kind)
    ? `${bar} min ${withPoint(least, COIN_DECIMALS[currencyOf(kind).base])}`
    : bar;
}

export function pendingText({ status }: RelayerStatus): string {
  return valueText(status?.pending_transactions_count);
}

export function pendingAge({ relayer }: RelayerStatus, { oldest, now = 0 }: StatusContext): number | null {
  return secondsSince(oldest?.get(relayer.id), now);
}
