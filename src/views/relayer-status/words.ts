import { ageText, secondsSince } from "../../contract/age-text.ts";
import { formatAmount, wireAmount } from "../../contract/amount.ts";
import { currencyOf } from "../../contract/currency.ts";
import { grouped } from "../../contract/decimal.ts";
import type { JsonValue } from "../../contract/json.ts";
import { isNetworkKind } from "../../contract/network-kind.ts";
import type { RelayctlError } from "../../errors.ts";
import type { HealthState, RelayerStatus } from "../../relayer-state/health.ts";
import { outlookLine, outlookOf } from "../../relayer-state/outlook.ts";
import { STATES } from "../../relayer-state/state.ts";
import { commandLine } from "../../shell/shell-words.ts";
import type { ScreenLine } from "../../terminal/screen-line.ts";
import { valueText } from "../../terminal/select/path.ts";

const UNKNOWN = "balance, pending, and nonce unknown";
const TONES = { disabled: "bad", paused: "warn", active: "good" } as const;

/** How long the balances last that fall, by relayer. */
export type Runways = ReadonlyMap<string, { seconds: number; text: string }>;

/** Additional facts for the screen. */
export interface Known {
  /** Why the status route returned nothing for a requested relayer, by ID. */
  unknown?: ReadonlyMap<string, RelayctlError>;
  symbols?: ReadonlyMap<string, string | undefined>;
  /** When the oldest pending transaction was created, by relayer. */
  oldest?: ReadonlyMap<string, JsonValue>;
  runways?: Runways;
  /** The time that ages refer to, in milliseconds since 1970. */
  now?: number;
  /** All relayers, of which those on the screen are some. */
  all?: readonly RelayerStatus[];
  isMarked?(status: RelayerStatus): boolean;
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
  const { unknown = new Map(), all = found } = known;
  const isFolded = (each: RelayerStatus) =>
    each.health.state === "active" && each.status === null && !unknown.has(each.relayer.id) && !known.isMarked?.(each);
  const lines = STATES.flatMap((state) =>
    found
      .filter((each) => each.health.state === state && !isFolded(each))
      .map((each) => statusLine(each, flags, known)),
  );
  const names = found.filter(isFolded).map(({ relayer }) => relayer.id);
  const active = names.length > 0 ? [{ label: buildLabel("active"), names }] : [];
  const shown = [...lines, ...active, ...(lines.length > 1 ? [buildTotal(all)] : [])];
  return known.isMarked ? shown.map((line) => ({ isMarked: false, ...line })) : shown;
}

/** Returns balance, pending transactions, age of the oldest, and counter: `0.5 ETH`, `2 pending`, `nonce 12`. */
function statusFacts({ relayer, status }: RelayerStatus, { symbols, oldest, runways, now = 0 }: Known): string[] {
  if (status === null) return [];
  const symbol = symbols?.get(relayer.network ?? "");
  const lasts = lastsFacts(runways);
  const age = secondsSince(oldest?.get(relayer.id), now);
  const { balance, pending_transactions_count: pending, nonce, sequence_number: sequence } = status;
  return [
    balanceText(balance, status.network_type ?? relayer.network_type, symbol),
    named(pending, (count) => `${grouped(count)} pending`),
    ...(oldest ? [age === null ? "" : `oldest ${ageText(age * 1_000)}`] : []),
    named(nonce, (count) => `nonce ${count}`) || named(sequence, (count) => `sequence ${count}`),
    ...(lasts.size > 0 ? [lasts.get(relayer.id) ?? ""] : []),
  ];
}

const SHOWN_RUNWAY = 30 * 86_400;

/** Returns `lasts about 2.3 days` for each relayer whose balance does not last long. */
function lastsFacts(runways: Runways = new Map()): ReadonlyMap<string, string> {
  const short = [...runways].filter(([, { seconds }]) => seconds < SHOWN_RUNWAY);
  return new Map(short.map(([id, { text }]) => [id, `lasts about ${text}`]));
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
function buildTotal(found: readonly RelayerStatus[]): ScreenLine {
  const counts = STATES.map((state) => ({ state, count: found.filter(({ health }) => health.state === state).length }));
  const words = counts.flatMap(({ state, count }) => (count === 0 ? [] : `${grouped(count)} ${state}`)).join(", ");
  return { label: { text: "total" }, name: grouped(found.length), words: [words] };
}

function buildLabel(state: HealthState) {
  return { text: state, tone: TONES[state] };
}

/** Returns `disabled  eth-sepolia  nonce sync failed: the service tries again by itself, about once a minute` */
function statusLine(status: RelayerStatus, flags: readonly string[], known: Known = {}): ScreenLine {
  const unknown = known.unknown?.get(status.relayer.id)?.message;
  const words = [
    formatWords(status, flags, unknown === undefined),
    unknown === undefined ? "" : `${UNKNOWN}: ${unknown}`,
  ];
  return {
    label: buildLabel(status.health.state),
    ...(known.isMarked && { isMarked: known.isMarked(status) }),
    name: status.relayer.id,
    words: words.filter((text) => text !== ""),
    facts: statusFacts(status, known),
  };
}

function formatWords(status: RelayerStatus, flags: readonly string[], isRead: boolean): string {
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
