import type { Entry } from "../../../../src/journal/journal.ts";
import type { Command } from "../command.ts";

const PATH = "/api/v1/relayers/evm-2";
const RUN = "3f2a91c0-5d1e-4b7a-9c46-0a1b2c3d4e5f";
const SHARED = { id: "w-1", run: RUN, time: "2026-11-20T12:00:00.000Z" };

function pause(origin: string): readonly Entry[] {
  const before = { id: "evm-2", name: "evm-2", network: "sepolia", network_type: "evm", paused: false };
  return [
    {
      ...SHARED,
      type: "intent",
      user: "ada",
      host: "console",
      server: origin,
      command: "relayctl relayers pause evm-2 --diff",
      operation: "relayers.update",
      kind: "patch",
      method: "PATCH",
      target: PATH,
      ids: { relayer_id: "evm-2" },
      body: { paused: true },
      before,
    },
    { ...SHARED, type: "outcome", applied: "yes", after: { ...before, paused: true } },
  ];
}

export const undoCommands: readonly Command[] = [
  { name: "undo of a run", argv: ["undo", RUN] },
  { name: "undo of the newest run", argv: ["undo", "--yes"] },
].map(({ name, argv }) => ({
  name,
  argv,
  journal: pause,
  request: { method: "PATCH", path: PATH },
  kind: "patch",
  bodies: ['{"paused":false}'],
  item: "evm-2",
  provable: true,
  readsFirst: true,
}));
