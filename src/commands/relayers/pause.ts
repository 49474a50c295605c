import { setPaused } from "./set-paused.ts";

/** `relayctl relayers pause <id>`, which is never asked about. */
export const relayersPause = setPaused(true, {
  summary: "stop a relayer from taking new work",
  description: "Pause a relayer: it refuses new work. What it has queued already goes on.",
  examples: [
    "relayctl relayers pause eth-main-1",
    "relayctl relayers pause eth-main-1 --diff",
    "relayctl relayers pause --where network=base --yes",
  ],
});
