import { commandLine } from "../../../command-support/shell-words.ts";
import { formatAmount, wireAmount } from "../../../contract/amount.ts";
import { currencyOf } from "../../../contract/currency.ts";
import type { JsonValue } from "../../../contract/json.ts";
import { isNetworkKind } from "../../../contract/network-kind.ts";
import { valueText } from "../../../terminal/select/path.ts";
import type { ScreenLine } from "../../../terminal/view.ts";
import { outlookLine, outlookOf } from "../disabled/outlook.ts";
import { type HealthState, type RelayerStatus, STATES } from "./health.ts";

const UNKNOWN = "balance, pending, and nonce unknown";
const TONES = { disabled: "bad", paused: "warn", active: "good" } as const;

/** Additional facts for the screen. */
export interface Known {
  /** Why the status route returned nothing for a requested relayer, by ID. */
  unknown?: ReadonlyMap<string, string>;
  /** The symbols of coins, by network. */
  symbols?: ReadonlyMap<string, string | undefined>;
}

/**
 * Returns the screen of relayers: which have problems, why, and what happens next, with the data of the service's
 * status route. Healthy relayers without such data are folded.
 */
export function statusScreen(
  found: readonly RelayerStatus[],
  flags: readonly string[],
  known: Known = {},
): ScreenLine[] {
  const { unknown = new Map() } = known;
  const isFolded = ({ relayer, status, health }: RelayerStatus) =>
    health.state === "active" && status === null && !unknown.has(relayer.id);
  const lines = STATES.flatMap((state) =>
    found
      .filter((each) => each.health.state === state && !isFolded(each))
      .map((each) => statusLine(each, flags, known)),
  );
  const names = found.filter(isFolded).map(({ relayer }) => relayer.id);
  const active = names.length > 0 ? [{ label: labelOf("active"), names }] : [];
  return [...lines, ...active, ...(lines.length > 1 ? [totalOf(found)] : [])];
}

/**
 * Returns a relayer's balance, pending transactions, and counter: `0.5 ETH`, `2 pending`, `nonce 12`.
 * @param symbol the symbol of the network's coin, if known
 */
function statusFacts({ relayer, status }: RelayerStatus, symbol: string | undefined): string[] {
  if (status === null) return [];
  const { balance, pending_transactions_count: pending, nonce, sequence_number: sequence } = status;
  return [
    balanceText(balance, status.network_type ?? relayer.network_type, symbol),
    named(pending, (count) => `${count} pending`),
    named(nonce, (count) => `nonce ${count}`) || named(sequence, (count) => `sequence ${count}`),
  ];
}

/** Returns the exact balance without the digits that `-o json` has; unchanged if the unit is unknown. */
function balanceText(balance: JsonValue | undefined, kind: JsonValue | undefined, symbol: string | undefined): string {
  const amount = wireAmount(balance);
  return amount !== undefined && isNetworkKind(kind)
    ? formatAmount(amount, currencyOf(kind, symbol))
    : valueText(balance);
}

function named(value: JsonValue | undefined, words: (text: string) => string): string {
  const text = valueText(value);
  return text === "" ? "" : words(text);
}

/** Returns the last line, which stays visible if the screen scrolls: `total  20  3 disabled, 2 paused, 15 active`. */
function totalOf(found: readonly RelayerStatus[]): ScreenLine {
  const counts = STATES.map((state) => ({ state, count: found.filter(({ health }) => health.state === state).length }));
  const words = counts.flatMap(({ state, count }) => (count === 0 ? [] : `${count} ${state}`)).join(", ");
  return { label: { text: "total" }, name: String(found.length), words: [words] };
}

function labelOf(state: HealthState) {
  return { text: state, tone: TONES[state] };
}

/** Returns `disabled  eth-sepolia  nonce sync failed: the service tries again by itself, about once a minute` */
export function statusLine(status: RelayerStatus, flags: readonly string[], known: Known = {}): ScreenLine {
  const unknown = known.unknown?.get(status.relayer.id);
  const words = [wordsOf(status, flags, unknown === undefined), unknown === undefined ? "" : `${UNKNOWN}: ${unknown}`];
  return {
    label: labelOf(status.health.state),
    name: status.relayer.id,
    words: words.filter((text) => text !== ""),
    facts: statusFacts(status, known.symbols?.get(status.relayer.network ?? "")),
  };
}

function wordsOf(status: RelayerStatus, flags: readonly string[], isRead: boolean): string {
  const { relayer, health } = status;
  if (health.state === "disabled") return disabledWords(status, flags, isRead);
  return health.state === "paused" ? pausedWords(relayer.id, flags) : "";
}

function pausedWords(id: string, flags: readonly string[]): string {
  return `by an operator: ${commandLine(...flags, "relayers", "resume", id)}`;
}

function disabledWords({ relayer }: RelayerStatus, flags: readonly string[], isRead: boolean): string {
  const also = relayer.paused ? "; also paused by an operator, and stays paused" : "";
  return outlookLine(outlookOf(relayer, flags, isRead)) + also;
}
