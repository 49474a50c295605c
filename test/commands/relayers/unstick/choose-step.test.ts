import { expect, test } from "vitest";
import type { QueueStep } from "../../../../src/chain/queue/diagnosis.ts";
import { chooseStep } from "../../../../src/commands/relayers/unstick/free.ts";

const bump: QueueStep = { action: "bump", id: "tx-1", speed: "fastest" };
const raiseCap: QueueStep = { action: "raise-cap", id: "tx-1", cap: 2n, speed: "fastest" };

test.each([
  [true, raiseCap],
  [false, bump],
])("with --raise-cap %s, where the service may keep a bump back", (raisesCap, chosen) => {
  const steps = [bump, raiseCap, { action: "cancel", id: "tx-1", discards: true } as const];
  expect(chooseStep({ steps }, { cancels: true, raisesCap })).toBe(chosen);
});
