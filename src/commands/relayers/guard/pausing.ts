import { liveForm, writeEvent } from "../../../command-support/live.ts";
import { counted } from "../../../contract/decimal.ts";
import { writeJson } from "../../../contract/json.ts";
import { RelayctlError } from "../../../errors.ts";
import { pendingNow } from "../../../session/pending-now.ts";
import { nextWords } from "../../../session/receipt-words.ts";
import type { Session } from "../../../session/session.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import type { View } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import { createProgramQueue } from "../../watch/on-change/on-change.ts";
import { countOf } from "../many/consent.ts";

/** What a guard reports; `condition` and `pending` are null where they say nothing. */
export interface GuardEvent {
  event: "guarding" | "paused" | "not_paused" | "unread" | "read";
  relayer: string;
  condition?: string | null;
  pending?: number | null;
}

/** Returns what pauses relayers, and reports it: to the user, to a pipe, and to a program. */
export function createPausing(call: Call, session: Session, onChange: readonly string[] | undefined) {
  const { app } = call;
  const paused: string[] = [];
  const refused = new Map<string, RelayctlError>();
  const queue = onChange && createProgramQueue(app, onChange, call.say);
  const printsEvents = liveForm(call) === "events";
  const formatLine = (event: GuardEvent) => formatEvent(event, session.name, app.clock.now());

  async function note(text: string, event: GuardEvent): Promise<void> {
    await call.say(text);
    if (printsEvents) await writeEvent(app.stdout, formatLine(event));
    queue?.add(formatLine(event));
  }

  return {
    paused,
    note,
    async begin(ids: readonly string[]): Promise<void> {
      await call.say(`guarding ${countOf(ids)} in ${session.name} until Ctrl-C`);
      if (!printsEvents) return;
      for (const relayer of ids) await writeEvent(app.stdout, formatLine({ event: "guarding", relayer }));
    },
    /** Pauses a relayer. One that could not be paused is tried again after the next measurement. */
    async pause(id: string, why: string): Promise<void> {
      try {
        await session.client.relayers.update(id, { paused: true });
      } catch (error) {
        if (!(error instanceof RelayctlError) || app.interrupt.aborted) throw error;
        refused.set(id, error);
        const text = `warning: ${id} meets ${why}, and could not be paused: ${error.message}`;
        return await note(text, { event: "not_paused", relayer: id, condition: why });
      }
      refused.delete(id);
      if (!paused.includes(id)) paused.push(id);
      const pending = await countPending(session, id);
      const open = pending === null ? "pending transactions" : counted(pending, "pending transaction");
      const text = `paused ${id}: ${why}; ${open} can still be mined`;
      await note(text, { event: "paused", relayer: id, condition: why, pending });
    },
    async end(): Promise<void> {
      await queue?.idle();
      await queue?.end();
    },
    /** @throws RelayctlError if a relayer was paused, or met a condition and could not be */
    view(): View {
      const [failure] = refused.values();
      if (paused.length === 0 && failure) throw failure;
      if (paused.length === 0) return { kind: "nothing" };
      const open = failure ? `; could not be paused: ${[...refused.keys()].join(", ")}` : "";
      throw new RelayctlError("unmet", `paused: ${paused.join(", ")}${open}`, {
        applied: "yes",
        retryable: false,
        next: [nextWords.undo(commandLine(...session.flags, "relayers", "resume", ...paused))],
      });
    },
  };
}

function formatEvent({ event, relayer, condition = null, pending = null }: GuardEvent, context: string, now: number) {
  return `${writeJson({ time: new Date(now).toISOString(), context, event, relayer, condition, pending })}\n`;
}

async function countPending({ client }: Session, id: string): Promise<number | null> {
  try {
    return (await pendingNow(client, id)).length;
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    return null;
  }
}
