import type { Goal, Standing } from "../../../../chain/follow/followed.ts";
import { buildWaitResult } from "../../../../chain/follow/wait-result.ts";
import { loadLinks } from "../../../../command-support/links.ts";
import { liveTimeOfDay } from "../../../../command-support/live.ts";
import { printerOf } from "../../../../command-support/printing.ts";
import { formatAmount, GAS_PRICE, wireAmount } from "../../../../contract/amount.ts";
import { groupDigits } from "../../../../contract/decimal.ts";
import { knownTime } from "../../../../contract/reply/received-time.ts";
import { isTxBeingCanceled, phasesText, txStatus } from "../../../../contract/transaction/transaction.ts";
import type { Session } from "../../../../session/session.ts";
import { commandLine } from "../../../../shell/shell-words.ts";
import { asciiOutput } from "../../../../terminal/ascii.ts";
import { withLinks } from "../../../../terminal/links.ts";
import type { Phase } from "../../../../terminal/live-screen.ts";
import { type LiveEntry, type LiveLine, liveScreen } from "../../../../terminal/live-screen.ts";
import { createPaintedScreen, paintedRows } from "../../../../terminal/painter.ts";
import { createStyle } from "../../../../terminal/style.ts";
import { durationText } from "../../../../terminal/text/duration.ts";
import type { Call } from "../../../command.ts";
import type { Wait, WaitReporter } from "../flags.ts";

const PHASES = ["pending", "sent", "submitted", "mined"];
const [SENT, SUBMITTED, MINED] = [1, 2, 3];

const PHASES_OF_GOAL: Readonly<Record<Goal["until"], number>> = { broadcast: 3, mined: 4, confirmed: 5, final: 5 };

function phasesFor({ record, verdict, end }: Standing, { until }: Goal, isCancellation: boolean): Phase[] {
  const last = isCancellation ? "canceled" : until === "final" ? "final" : "confirmed";
  const words = [...PHASES, last].slice(0, PHASES_OF_GOAL[until]);
  const at = record === undefined ? -1 : phaseReached(txStatus(record), verdict?.stage);
  const done = (word: string): Phase => ({ word, state: "done" });
  if (end === "reached") return words.filter((word, index) => index <= at || word === words.at(-1)).map(done);
  if (end !== undefined && end !== "pending") {
    const word = verdict?.verdict.replaceAll("_", " ") ?? "unknown";
    return [...PHASES.slice(0, at + 1).map(done), { word, state: "failed" }];
  }
  return words.map((word, index) => ({ word, state: index < at ? "done" : index === at ? "now" : "ahead" }));
}

function phaseReached(status: string, stage: NonNullable<Standing["verdict"]>["stage"] | undefined): number {
  if (stage === "mined") return MINED;
  if (stage === "broadcast") return SUBMITTED;
  if (stage === "unsigned" || status === "pending") return 0;
  return status === "sent" ? SENT : SUBMITTED;
}

interface LiveFacts {
  goal: Goal;
  isCancellation: boolean;
  network: string | undefined;
  /** The flags that a command repeats to reach the same service. */
  flags: readonly string[];
  /** `start` is when it was first shown. */
  now: number;
  start: number;
}

function liveEntry(standing: Standing, known: LiveFacts): LiveEntry {
  const { id, trouble, end } = standing;
  const fee = feeLine(standing);
  const isLow = fee?.isLow === true;
  const alert = trouble ? "no response" : isLow ? "fee likely too low" : undefined;
  const lines = [
    fee && { label: "fee", text: { text: fee.text, tone: isLow ? ("warn" as const) : undefined } },
    hashLine(standing),
    reasonLine(standing),
    end === undefined ? nextLine(standing, known, isLow) : undefined,
  ];
  return {
    id,
    place: [standing.relayerId, known.network ?? ""].filter((name) => name !== ""),
    facts: factTexts(standing, known),
    phases: phasesFor(standing, known.goal, known.isCancellation),
    lines: lines.filter((line) => line !== undefined),
    ...(alert !== undefined && end === undefined && { alert }),
    isEnded: end !== undefined,
  };
}

function factTexts({ record, ahead }: Standing, { now, start }: LiveFacts): string[] {
  const nonce = wireAmount(record?.nonce);
  const created = knownTime(record?.created_at);
  const waitsFor = ahead !== undefined && ahead > 0n ? ` (${ahead} before it)` : "";
  const facts = [
    nonce === undefined ? "" : `nonce ${nonce}${waitsFor}`,
    // The clock of the service may be ahead.
    created === undefined ? "" : durationText(now - Math.min(created, start)),
  ];
  return facts.filter((fact) => fact !== "");
}

function hashLine(standing: Standing): LiveLine | undefined {
  const { hash } = buildWaitResult(standing);
  return hash === null ? undefined : { label: "hash", text: { text: hash } };
}

function reasonLine({ verdict, trouble, end }: Standing): LiveLine | undefined {
  if (trouble) return { label: "why", text: { text: `no response: ${trouble.message}; retrying`, tone: "warn" } };
  if (!verdict || end === "reached") return undefined;
  return { label: "why", text: { text: verdict.why, tone: "faint" } };
}

/** Returns `11.9 gwei · base fee 14.2 gwei: likely too low`. It waits while the base fee is above its limit. */
function feeLine({ record, verdict, baseFee, end }: Standing): { text: string; isLow: boolean } | undefined {
  const fee = wireAmount(record?.max_fee_per_gas) ?? wireAmount(record?.gas_price);
  if (fee === undefined) return undefined;
  const text = formatAmount(fee, GAS_PRICE);
  if (baseFee === undefined || end !== undefined || verdict?.stage === "mined") return { text, isLow: false };
  const isLow = fee < baseFee;
  return { text: `${text}, base fee ${formatAmount(baseFee, GAS_PRICE)}${isLow ? ": likely too low" : ""}`, isLow };
}

function nextLine(standing: Standing, { flags }: LiveFacts, isLow: boolean): LiveLine | undefined {
  const { relayerId, id, record, ahead } = standing;
  const nonce = wireAmount(record?.nonce);
  const command = (...words: readonly string[]): LiveLine => ({
    label: "next",
    text: { text: commandLine(...flags, "tx", ...words) },
  });
  if (ahead !== undefined && ahead > 0n && nonce !== undefined)
    return command("get", relayerId, "--nonce", String(nonce - ahead));
  if (!isLow || !record || isTxBeingCanceled(record)) return undefined;
  return command("replace", relayerId, id, "--inherit", "--speed", "fastest");
}

export async function liveReporter(call: Call, session: Session, { targets, plan }: Wait): Promise<WaitReporter> {
  const { clock, env, links } = call.app;
  const stdout = asciiOutput(call.app.stdout, env);
  const { goal } = plan;
  const painted = createPaintedScreen(stdout);
  const style = await createStyle(printerOf(call).color);
  const start = clock.now();
  const entriesFor = (standings: readonly Standing[], now: number) =>
    standings.map((standing, index) => {
      const isCancellation = targets[index]?.wanted === "cancellation";
      const network = String(session.placed.get(standing.relayerId)?.network ?? "");
      return liveEntry(standing, { goal, isCancellation, network, flags: session.flags, now, start });
    });
  return {
    async seen(standings) {
      await loadLinks(call, standings.map(buildWaitResult), { mayRead: true });
      const now = clock.now();
      const entries = entriesFor(standings, now);
      const text = async () =>
        withLinks(liveScreen(entries, { columns: stdout.columns, rows: paintedRows(stdout), style }), links.words);
      await painted.show(
        text,
        footerText(standings, { where: `${liveTimeOfDay(now)} · ${session.name}`, time: now - start }),
      );
    },
    end: () => painted.end(),
  };
}

function footerText(standings: readonly Standing[], { where, time }: { where: string; time: number }): string {
  const open = standings.filter(({ end }) => end === undefined);
  const phases = phasesText(open.map(({ record }) => (record ? txStatus(record) : "")));
  const ended = `${groupDigits(standings.length - open.length)} of ${groupDigits(standings.length)} ended`;
  const counts = standings.length === 1 ? [] : [phases, ended, durationText(time)];
  return [where, ...counts.filter((text) => text !== ""), "Ctrl-C to stop"].join(" · ");
}
