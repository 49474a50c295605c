import { SPEND_FIELDS, type SpendWindow } from "../../../audit/spend-windows.ts";
import { runwayText } from "../../../chain/runway/runway.ts";
import { formatAmount } from "../../../contract/amount.ts";
import { grouped } from "../../../contract/decimal.ts";
import { erc20In, erc20Text } from "../../../contract/erc20.ts";
import type { Problem } from "../../../errors.ts";
import { checkFailure, stateCounts } from "../../../relayer-state/health.ts";
import { failureToRead } from "../../../relayer-state/read-status-routes.ts";
import type { Session } from "../../../session/session.ts";
import { durationText } from "../../../terminal/text/duration.ts";
import type { View } from "../../../terminal/view.ts";
import { type Measurement, statusList } from "../../../views/relayer-status/table.ts";
import type { Call } from "../../command.ts";
import { namedSpends } from "../status/status-reads.ts";
import { createMonitor, type MonitorReads } from "./create-monitor.ts";
import type { Threshold } from "./thresholds.ts";

type Erc20Read = Pick<MonitorReads, "erc20">;

/** Reads the relayers once, prints them, and fails if one is disabled or paused, or crosses a threshold. */
export async function checkThresholds(
  call: Call,
  session: Session,
  { ids, thresholds, erc20 }: { ids: readonly string[] | undefined; thresholds: readonly Threshold[] } & Erc20Read,
): Promise<View> {
  const shownSpends = namedSpends(call.output);
  const isRead = (name: SpendWindow) => shownSpends.includes(name) || thresholds.some(({ field }) => field === name);
  const windows = SPEND_FIELDS.filter(isRead);
  const { relayers, seen, shown, notes, failures } = await createMonitor(call, session, ids, { windows, erc20 })();
  const crossed = thresholds.flatMap((threshold) =>
    relayers.filter((relayer) => threshold.isCrossed(relayer) === true).map((relayer) => ({ threshold, relayer })),
  );
  const missed = relayers.flatMap((relayer) => {
    const failure = failures.get(relayer.id);
    const isOpen = thresholds.some(({ isCrossed }) => isCrossed(relayer) === undefined);
    return failure && isOpen ? [[relayer.id, failure] as const] : [];
  });
  const parts = [
    ...stateCounts(shown),
    ...(["critical", "warning"] as const).flatMap((severity) => {
      const count = crossed.filter(({ threshold }) => threshold.severity === severity).length;
      return count === 0 ? [] : `${grouped(count)} ${severity}`;
    }),
  ];
  const details = crossed.map(({ threshold: { severity, text, field }, relayer }): Problem => {
    return { where: relayer.id, rule: `${severity}: ${text} (${measuredText(field, relayer)})` };
  });
  const failure =
    checkFailure(seen.found, shown, parts.join(", "), details) ??
    failureToRead(
      relayers.map(({ id }) => id),
      new Map(missed),
      call,
    );
  const all = [...notes, ...thresholds.flatMap((threshold) => openNotes(threshold, relayers))];
  return { ...statusList(seen, session, true), ending: async () => ({ notes: all, ...(failure && { failure }) }) };
}

/** Returns notes about the relayers that a threshold could not be compared with. */
function openNotes({ text, field, isCrossed }: Threshold, relayers: readonly Measurement[]): string[] {
  const listIds = (result: ReturnType<Threshold["isCrossed"]>) =>
    relayers.filter((relayer) => isCrossed(relayer) === result).map(({ id }) => id);
  const [others, unknown] = [listIds("other coin"), listIds(undefined)];
  const kind = erc20In(field) === undefined ? "coins" : "networks";
  return [
    ...(others.length > 0 ? [`note: ${text} does not apply to relayers of other ${kind}: ${others.join(", ")}`] : []),
    ...(unknown.length > 0 ? [`note: ${text} not checked, the value is not known: ${unknown.join(", ")}`] : []),
  ];
}

export function measuredText(field: Threshold["field"], relayer: Measurement): string {
  const { balance, coin, runway, pending, oldest, drift } = relayer;
  switch (field) {
    case "balance":
      return balance !== undefined && coin ? formatAmount(balance, coin) : "";
    case "spend_1h":
    case "spend_1d":
      return coin ? `${formatAmount(relayer.spends?.[field] ?? 0n, coin)} spent` : "";
    case "runway":
      return runway ? runwayText(runway) : "";
    case "pending":
      return `${pending} pending`;
    case "oldest":
      return durationText((oldest ?? 0) * 1_000);
    case "nonce_drift":
      return String(drift);
    default: {
      const token = relayer.erc20?.find(({ name }) => name === erc20In(field));
      return token?.balance === undefined ? "" : erc20Text(token.balance, token.name, token.decimals);
    }
  }
}
