import { SPEND_FIELDS, type Spends } from "../../audit/spend-windows.ts";
import type { Runway } from "../../chain/runway/runway.ts";
import { ageText, secondsSince } from "../../contract/age-text.ts";
import {
  COIN_DECIMALS,
  type Currency,
  currencyOf,
  formatAmount,
  wireAmount,
  withPoint,
} from "../../contract/amount.ts";
import { firstNames, groupDigits } from "../../contract/decimal.ts";
import { erc20In, MOST_DECIMALS, parseErc20 } from "../../contract/erc20.ts";
import type { JsonObject, JsonValue } from "../../contract/json.ts";
import { isNetworkKind } from "../../contract/network-kind.ts";
import { policyLeastBalance } from "../../contract/policy.ts";
import { receivedTime } from "../../contract/reply/received-time.ts";
import type { RelayctlError } from "../../errors.ts";
import { describeDisabledRecovery, disabledRecoveryLine } from "../../relayer-state/disabled.ts";
import type { ReadStatuses, RelayerStatus } from "../../relayer-state/health.ts";
import {
  briefStateCell,
  type RelayerState,
  relayerState,
  relayerStateSign,
  STATES,
  stateRank,
} from "../../relayer-state/state.ts";
import type { Session } from "../../session/session.ts";
import { commandLine } from "../../shell/shell-words.ts";
import { pathValueText } from "../../terminal/select/path.ts";
import {
  type Cell,
  type ListView,
  onePageView,
  type ResourceView,
  type ScreenLine,
  type TableColumn,
  viewTimeCell,
} from "../../terminal/view.ts";
import { relayerView } from "../relayer.ts";

/** A nonce on EVM networks, a sequence number on Stellar (facts 3.1). */
const STATUS_FIELDS = [
  "network_type",
  "balance",
  "pending_transactions_count",
  "last_confirmed_transaction_timestamp",
  "system_disabled",
  "paused",
  "nonce",
  "sequence_number",
];

export const ODDLY_ACTIVE = { sign: "attention", tone: "warn" } as const;
/** A runway below these seconds gets a column. */
const SHORT_RUNWAY = 30 * 86_400;

function columnsWith(known: StatusContext, found: readonly RelayerStatus[]): TableColumn<RelayerStatus>[] {
  const states: TableColumn<RelayerStatus>[] = [
    { header: "relayer", cell: ({ relayer }) => ({ text: relayer.id }), whole: true },
    { header: "state", cell: (status) => drawStateCell(status, known), worth: "always" },
  ];
  const { now = 0, oldest, runways = new Map() } = known;
  const tokens = erc20Columns(known);
  if (found.every(({ relayer, status }) => status === null && !known.unknown?.has(relayer.id)))
    return [...states, ...tokens];
  const lasts = ({ relayer: { id } }: RelayerStatus) =>
    (runways.get(id)?.seconds ?? SHORT_RUNWAY) < SHORT_RUNWAY ? (runways.get(id)?.text ?? "") : "";
  const ages = (seconds: number | null) => ({ text: "", ...(seconds !== null && { time: now - seconds * 1_000 }) });
  return [
    ...states,
    { header: "balance", cell: (status) => ({ text: statusBalanceText(status, known) }), align: "right", worth: 4 },
    ...(found.some((status) => statusBalanceBar(status) !== "")
      ? [
          {
            header: "vs min",
            cell: (status: RelayerStatus) => ({ text: statusBalanceBar(status) || " " }),
            isDrawing: true,
          } as const,
        ]
      : []),
    { header: "pending", cell: (status) => ({ text: statusPendingText(status) }), align: "right", worth: 3 },
    ...(oldest
      ? [
          {
            header: "oldest",
            cell: (status: RelayerStatus) => ages(statusPendingAge(status, known)),
            align: "right",
            worth: 3,
          } as const,
        ]
      : []),
    { header: "last", cell: ({ status }) => lastCell(status), align: "right", worth: 1 },
    ...(found.some((status) => lasts(status) !== "")
      ? [{ header: "lasts", cell: (status: RelayerStatus) => ({ text: lasts(status) }), worth: 2 }]
      : []),
    ...tokens,
  ];
}

function erc20Columns({ erc20 }: StatusContext): TableColumn<RelayerStatus>[] {
  const { decimals = new Map<string, number>(), columns = [] } = erc20 ?? {};
  return columns.map((name) => ({
    header: name,
    cell: ({ erc20: balances = {} }) => {
      const balance = Object.hasOwn(balances, name) ? balances[name] : undefined;
      return { text: typeof balance === "bigint" ? withPoint(balance, decimals.get(name) ?? 0) : "" };
    },
    align: "right",
    worth: 3,
  }));
}

function lastCell(status: RelayerStatus["status"]) {
  const { last_confirmed_transaction_timestamp: last } = status ?? {};
  return Number.isNaN(receivedTime(last)) ? { text: "" } : viewTimeCell(last);
}

function drawStateCell(status: RelayerStatus, known: StatusContext): Cell {
  const odd = statusOddWord(status, known);
  if (odd === undefined) return briefStateCell(status.relayer);
  return { text: `${relayerState(status.relayer)} · ${odd}`, tone: "warn" };
}

/** One screen for users, `{relayer, status, health}` for scripts. */
export const statusView: ResourceView<RelayerStatus> = {
  one: "relayer status",
  many: "relayers",
  hasMetrics: true,
  id: "relayer.id",
  table: columnsWith({}, []),
  sign: ({ relayer }) => relayerStateSign(relayer),
  flat: [
    "relayer.id",
    "health.state",
    "health.reasons",
    "relayer.name",
    "relayer.network",
    "relayer.network_type",
    "relayer.paused",
    "relayer.address",
    "status.balance",
    "status.pending_transactions_count",
    "status.nonce",
    "status.sequence_number",
    "status.last_confirmed_transaction_timestamp",
  ],
  fields: [
    "relayer",
    "status",
    ...STATUS_FIELDS.map((field) => `status.${field}`),
    "health",
    "health.state",
    "health.reasons",
    ...relayerView.fields.filter((path) => !path.startsWith("policies.")).map((path) => `relayer.${path}`),
    "oldest",
    "runway",
    ...SPEND_FIELDS,
  ],
  derived: derivedStatusFields({}),
  block: ({ relayer }) => relayerView.block(relayer),
  attention: countStates,
};

/** The same without spending, which only `relayers status` reads. */
export const statusViewWithoutSpends: ResourceView<RelayerStatus> = {
  ...statusView,
  fields: statusView.fields.filter((field) => !SPEND_FIELDS.some((known) => known === field)),
};

/** The same with balances of ERC-20 tokens, which only `relayers status` reads. */
export const statusViewWithErc20: ResourceView<RelayerStatus> = {
  ...{ ...statusView, open: "erc20", operand: statusTableOperand({}) },
  fields: [...statusView.fields, "erc20"],
};

function statusViewWith(known: StatusContext, found: readonly RelayerStatus[]): ResourceView<RelayerStatus> {
  return {
    ...statusViewWithErc20,
    one: "relayer",
    table: columnsWith(known, found),
    flat: [...statusView.flat, ...(known.erc20?.columns ?? []).map((name) => `erc20.${name}`)],
    operand: statusTableOperand(known),
    sign: (status) => (statusOddWord(status, known) !== undefined ? ODDLY_ACTIVE : relayerStateSign(status.relayer)),
    derived: derivedStatusFields(known),
    below: (shown, flags) => reasonLines(shown, flags, known),
  };
}

/** Amounts of tokens are compared in their smallest unit. Unknown decimals are checked later, before anything is read. */
export function statusTableOperand({ erc20 }: StatusContext): ResourceView["operand"] & object {
  return (field, text) => {
    const name = erc20In(field);
    if (name === undefined || text === "") return text;
    const decimals = erc20?.decimals.get(name) ?? MOST_DECIMALS;
    return text
      .split(",")
      .map((word) => String(parseErc20(word.trim(), name, decimals)))
      .join(",");
  };
}

function countStates(found: readonly RelayerStatus[]): string {
  const counts = STATES.map((state) => ({ state, count: found.filter(({ health }) => health.state === state).length }));
  return counts.flatMap(({ state, count }) => (count === 0 ? [] : `${groupDigits(count)} ${state}`)).join(", ");
}

export function derivedStatusFields({
  oldest,
  runways,
  spends,
}: StatusContext): ResourceView<RelayerStatus>["derived"] & object {
  return {
    oldest: {
      value: (status, now) => statusPendingAge(status, { ...(oldest && { oldest }), now }),
      reads: ["relayer"],
      isAge: true,
    },
    runway: { value: ({ relayer }) => runways?.get(relayer.id)?.seconds ?? null, reads: ["relayer"], isAge: true },
    spend_1h: { value: ({ relayer }) => spends?.get(relayer.id)?.spend_1h ?? null, reads: ["relayer"] },
    spend_1d: { value: ({ relayer }) => spends?.get(relayer.id)?.spend_1d ?? null, reads: ["relayer"] },
  };
}

export interface Seen extends StatusContext, ReadStatuses {}

/** Longer lists only count healthy relayers, and those that share a common reason. */
export const MOST_SHOWN = 20;

/** @param isWhole whether every relayer has a row, however many there are */
export function statusList({ found, body, missing, ...known }: Seen, session: Session, isWhole: boolean): ListView {
  const { name: where, flags } = session;
  const resource = statusViewWith(known, found);
  const rows = (items: readonly JsonObject[]) =>
    isWhole || items.length <= MOST_SHOWN ? items : rowsOfMany(items as readonly RelayerStatus[], known);
  return { kind: "list", resource, pages: onePageView(found, body), where, flags, inOrder: true, rows };
}

export interface Measurement {
  id: string;
  network: string;
  state: RelayerState;
  /** A disabled relayer can be paused, too. */
  isPaused: boolean;
  /** Undefined for an unknown kind of network. */
  coin: Currency | undefined;
  /** In the smallest unit. */
  balance?: bigint | undefined;
  minBalance?: bigint | undefined;
  runway?: Runway | undefined;
  drift?: bigint | undefined;
  pending?: bigint | undefined;
  /** In seconds; 0 if none is pending. */
  oldest?: number | undefined;
  spends?: Spends | undefined;
  erc20?: readonly Erc20Balance[];
}

export interface Erc20Balance {
  name: string;
  address: string;
  decimals: number;
  /** In the smallest unit; absent if it could not be read. */
  balance?: bigint | undefined;
}

export interface Measured {
  relayers: readonly Measurement[];
  seen: Seen;
  shown: readonly RelayerStatus[];
  notes: readonly { note: string }[];
  /** Why something of a relayer could not be read, by ID. */
  failures: ReadonlyMap<string, RelayctlError>;
}

const UNKNOWN = "balance, pending, and nonce unknown";
/** Seconds for which a pending transaction is normal. */
const LONG_PENDING = 15 * 60;
const MOST_IDS = 3;
const MOST_ROWS = 10;

/** How long the balances last that fall, by relayer. */
export type Runways = ReadonlyMap<string, { seconds: number; text: string }>;

/** Additional facts for the screen. */
interface StatusContext {
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

function reasonLines(found: readonly RelayerStatus[], flags: readonly string[], known: StatusContext): ScreenLine[] {
  return groupReasons(found, flags, known).map(({ reason, ids }) => reasonLine(reason, ids, flags));
}

/** Returns the relayers that a long list gives a row: those that need attention for a rare reason. */
function rowsOfMany(found: readonly RelayerStatus[], known: StatusContext): RelayerStatus[] {
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
    name: `${groupDigits(ids.length)} relayers`,
    words: [many, firstNames(ids, MOST_IDS), ...run],
  };
}

/** Returns why an active relayer needs attention, in a word; undefined if it needs none. */
export function statusOddWord(status: RelayerStatus, known: StatusContext): string | undefined {
  return relayerState(status.relayer) === "active" ? listReasons(status, [], known)[0]?.word : undefined;
}

/** Sorts active relayers that need attention before healthy ones, after the disabled and the paused ones. */
export function statusAttentionFirst(found: readonly RelayerStatus[], known: StatusContext): RelayerStatus[] {
  const rank = (status: RelayerStatus) =>
    stateRank(status.relayer) - (statusOddWord(status, known) === undefined ? 0 : 0.5);
  return [...found].sort((left, right) => rank(left) - rank(right));
}

export function whyText(status: RelayerStatus, flags: readonly string[], known: StatusContext): string | undefined {
  const [reason] = listReasons(status, flags, known);
  return reason?.one;
}

function listReasons(status: RelayerStatus, flags: readonly string[], known: StatusContext): Reason[] {
  const { relayer } = status;
  const state = relayerState(relayer);
  const unread = known.unknown?.get(relayer.id)?.message;
  const words = `${UNKNOWN}: ${unread}`;
  const age = statusPendingAge(status, known) ?? 0;
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
          one: `${statusPendingText(status)} pending, the oldest for ${ageText(age * 1_000)}`,
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
  const outlook = describeDisabledRecovery(relayer, flags, isRead);
  const { why, next } = outlook;
  return {
    label: "disabled",
    one: disabledRecoveryLine(outlook) + also,
    many: [why, next[0]].filter(Boolean).join(": "),
  };
}

/** Returns the reason for a balance below its minimum: the service disables the relayer at its next check. */
function lowBalance(status: RelayerStatus, { symbols }: StatusContext): Reason | undefined {
  const { relayer } = status;
  const [balance, least] = [wireAmount(status.status?.balance), policyLeastBalance(status.relayer)];
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
export function statusBalanceText({ relayer, status }: RelayerStatus, { symbols }: StatusContext): string {
  const [amount, kind] = [wireAmount(status?.balance), status?.network_type ?? relayer.network_type];
  return amount !== undefined && isNetworkKind(kind)
    ? formatAmount(amount, currencyOf(kind, symbols?.get(relayer.network ?? "")))
    : pathValueText(status?.balance);
}

const BAR = 6;

/** Returns the balance as a bar, full at ten times its minimum; empty without one. */
export function statusBalanceBar(status: RelayerStatus): string {
  const [balance, least] = [wireAmount(status.status?.balance), policyLeastBalance(status.relayer)];
  if (balance === undefined || least <= 1n) return "";
  const ratio = Number((balance * 1_000n) / least) / 1_000;
  const full = Math.max(0, Math.min(BAR, Math.round(BAR * Math.log10(Math.max(ratio, 1)))));
  const bar = "█".repeat(full) + "░".repeat(BAR - full);
  const kind = status.relayer.network_type;
  return balance < least && isNetworkKind(kind)
    ? `${bar} min ${withPoint(least, COIN_DECIMALS[currencyOf(kind).base])}`
    : bar;
}

export function statusPendingText({ status }: RelayerStatus): string {
  return pathValueText(status?.pending_transactions_count);
}

export function statusPendingAge({ relayer }: RelayerStatus, { oldest, now = 0 }: StatusContext): number | null {
  return secondsSince(oldest?.get(relayer.id), now);
}
