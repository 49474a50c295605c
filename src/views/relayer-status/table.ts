import { SPEND_FIELDS, type Spends } from "../../audit/spend-windows.ts";
import type { Runway } from "../../chain/runway/runway.ts";
import { type Currency, withPoint } from "../../contract/amount.ts";
import { grouped } from "../../contract/decimal.ts";
import { erc20In, MOST_DECIMALS, parseErc20 } from "../../contract/erc20.ts";
import type { JsonObject } from "../../contract/json.ts";
import { receivedTime } from "../../contract/reply/received-time.ts";
import type { RelayctlError } from "../../errors.ts";
import type { ReadStatuses, RelayerStatus } from "../../relayer-state/health.ts";
import { type RelayerState, STATES, stateOf, stateSign } from "../../relayer-state/state.ts";
import type { Session } from "../../session/session.ts";
import {
  type Cell,
  type ListView,
  onePage,
  type ResourceView,
  type TableColumn,
  timeCell,
} from "../../terminal/view.ts";
import { relayerView } from "../relayer.ts";
import {
  balanceBar,
  balanceText,
  oddWord,
  pendingAge,
  pendingText,
  reasonLines,
  rowsOfMany,
  type StatusContext,
} from "./words.ts";

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
const TONES = { disabled: "bad", paused: "warn", active: undefined } as const;
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
    { header: "balance", cell: (status) => ({ text: balanceText(status, known) }), align: "right", worth: 4 },
    ...(found.some((status) => balanceBar(status) !== "")
      ? [
          {
            header: "vs min",
            cell: (status: RelayerStatus) => ({ text: balanceBar(status) || " " }),
            isDrawing: true,
          } as const,
        ]
      : []),
    { header: "pending", cell: (status) => ({ text: pendingText(status) }), align: "right", worth: 3 },
    ...(oldest
      ? [
          {
            header: "oldest",
            cell: (status: RelayerStatus) => ages(pendingAge(status, known)),
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
  return Number.isNaN(receivedTime(last)) ? { text: "" } : timeCell(last);
}

function drawStateCell(status: RelayerStatus, known: StatusContext): Cell {
  const { relayer } = status;
  const state = stateOf(relayer);
  const odd = oddWord(status, known);
  if (odd !== undefined) return { text: `${state} · ${odd}`, tone: "warn" };
  return { text: state === "disabled" && relayer.paused ? "disabled, paused" : state, tone: TONES[state] };
}

/** One screen for users, `{relayer, status, health}` for scripts. */
export const statusView: ResourceView<RelayerStatus> = {
  one: "relayer status",
  many: "relayers",
  hasMetrics: true,
  id: "relayer.id",
  table: columnsWith({}, []),
  sign: ({ relayer }) => stateSign(relayer),
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

/** The same with balances of ERC-20 tokens, which only `relayers status` reads. */
export const statusViewWithErc20: ResourceView<RelayerStatus> = {
  ...{ ...statusView, open: "erc20", operand: operandWith({}) },
  fields: [...statusView.fields, "erc20"],
};

function statusViewWith(known: StatusContext, found: readonly RelayerStatus[]): ResourceView<RelayerStatus> {
  return {
    ...statusViewWithErc20,
    one: "relayer",
    table: columnsWith(known, found),
    flat: [...statusView.flat, ...(known.erc20?.columns ?? []).map((name) => `erc20.${name}`)],
    operand: operandWith(known),
    sign: (status) => (oddWord(status, known) !== undefined ? ODDLY_ACTIVE : stateSign(status.relayer)),
    derived: derivedStatusFields(known),
    below: (shown, flags) => reasonLines(shown, flags, known),
  };
}

/** Amounts of tokens are compared in their smallest unit. Unknown decimals are checked later, before anything is read. */
export function operandWith({ erc20 }: StatusContext): ResourceView["operand"] & object {
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
  return counts.flatMap(({ state, count }) => (count === 0 ? [] : `${grouped(count)} ${state}`)).join(", ");
}

export function derivedStatusFields({
  oldest,
  runways,
  spends,
}: StatusContext): ResourceView<RelayerStatus>["derived"] & object {
  return {
    oldest: {
      value: (status, now) => pendingAge(status, { ...(oldest && { oldest }), now }),
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
  return { kind: "list", resource, pages: onePage(found, body), where, flags, inOrder: true, rows };
}

/** Values that could not be read are absent. */
export interface Measurement {
  id: string;
  network: string;
  state: RelayerState;
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
