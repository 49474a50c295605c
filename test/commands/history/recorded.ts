import type { Config } from "../../../src/config/config.ts";
import type { Entry, Intent, WriteOutcome } from "../../../src/journal/journal.ts";
import { type MemoryJournal, memoryJournal } from "../../helpers/memory/journal.ts";
import { SERVER, TOKEN, type World } from "../../helpers/test-app.ts";

export const NOON = Date.parse("2026-08-20T12:00:00.000Z");

/** The intent of a write in context `prod`. */
export function intent(id: string, more: Partial<Intent> = {}): Intent {
  return {
    type: "intent",
    id,
    run: `run-${id}`,
    time: new Date(NOON).toISOString(),
    user: "ada",
    host: "console",
    context: "prod",
    server: SERVER,
    command: "relayctl relayers update base-hot --name treasury -c prod",
    operation: "relayers.update",
    kind: "patch",
    method: "PATCH",
    target: "/api/v1/relayers/base-hot",
    ids: { relayer_id: "base-hot" },
    body: { name: "treasury" },
    ...more,
  };
}

export function outcome(id: string, more: Partial<WriteOutcome> = {}): WriteOutcome {
  return { type: "outcome", id, run: `run-${id}`, time: new Date(NOON + 40).toISOString(), applied: "yes", ...more };
}

export function configOf(...names: readonly string[]): Config {
  const contexts = names.map((name) => [
    name,
    { server: name === "prod" ? SERVER : `https://${name}.example.org`, token: TOKEN },
  ]);
  return { version: 1, current: "prod", contexts: Object.fromEntries(contexts) };
}

export function recorded(entries: readonly Entry[], more: World = {}): World & { journal: MemoryJournal } {
  return { env: {}, config: configOf("prod", "staging"), ...more, journal: memoryJournal({ entries }) };
}
