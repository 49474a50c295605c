import { commandLine } from "../../../flow/shell-words.ts";
import type { ScreenLine } from "../../../terminal/view.ts";
import { isKnownReason, reasonWords } from "../state.ts";
import type { HealthState, RelayerStatus } from "./health.ts";

const TONES = { disabled: "bad", paused: "warn", active: "good" } as const;

/** The screen of relayers that come worst first: who is in trouble, why, and what will happen; the healthy ones are folded. */
export function statusScreen(found: readonly RelayerStatus[], flags: readonly string[]): ScreenLine[] {
  const active = found.filter(({ health }) => health.state === "active").map(({ relayer }) => relayer.id);
  const troubled = (["disabled", "paused"] as const).flatMap((state) =>
    found.filter(({ health }) => health.state === state).map((status) => statusLine(status, flags)),
  );
  return [...troubled, ...(active.length > 0 ? [{ label: labelOf("active"), names: active }] : [])];
}

function labelOf(state: HealthState) {
  return { text: state, tone: TONES[state] };
}

/** `disabled  eth-sepolia  nonce sync failed: the service tries again by itself, about once a minute` */
export function statusLine(status: RelayerStatus, flags: readonly string[]): ScreenLine {
  return { label: labelOf(status.health.state), name: status.relayer.id, words: wordsOf(status, flags) };
}

function wordsOf(status: RelayerStatus, flags: readonly string[]): string {
  const { relayer, health } = status;
  if (health.state === "disabled") return disabledWords(status);
  return health.state === "paused" ? pausedWords(relayer.id, flags) : "";
}

function pausedWords(id: string, flags: readonly string[]): string {
  return `by an operator: ${commandLine(...flags, "relayers", "resume", id)}`;
}

function disabledWords({ relayer, health: { reasons } }: RelayerStatus): string {
  const why = reasons.length === 0 ? "no reason given" : reasons.map(reasonWords).join("; ");
  const also = relayer.paused ? "; paused by an operator too, and stays so" : "";
  return [why, ...outlook(relayer.address ?? "its address", reasons)].join(": ") + also;
}

/**
 * What the service does by itself (service-facts 4.2: it looks again after 10, 20, 30, 45 and then every 60 seconds).
 * Nothing is claimed for a reason that is not known.
 */
function outlook(address: string, reasons: readonly string[]): string[] {
  if (reasons.length > 0 && !reasons.some(isKnownReason)) return [];
  const again = "the service tries again by itself, about once a minute";
  return [reasons.includes("BalanceCheckFailed") ? `${again}; fund ${address}` : again];
}
