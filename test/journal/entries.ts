import type { Intent, WriteOutcome } from "../../src/journal/journal.ts";

const TIME = "2026-11-22T12:00:00.000Z";

export function intent(id: string, more: Partial<Intent> = {}): Intent {
  return {
    type: "intent",
    id,
    run: `run-${id}`,
    time: TIME,
    user: "ops",
    host: "host-1",
    server: "https://relayer.example.org",
    command: "relayctl relayers update eth-1 --paused",
    operation: "relayers.update",
    kind: "patch",
    method: "PATCH",
    target: "/api/v1/relayers/eth-1",
    ids: { relayer_id: "eth-1" },
    ...more,
  };
}

export function outcome(id: string, more: Partial<WriteOutcome> = {}): WriteOutcome {
  return { type: "outcome", id, run: `run-${id}`, time: TIME, applied: "yes", status: 200, ms: 12, ...more };
}
