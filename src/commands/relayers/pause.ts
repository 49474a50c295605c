import { setPaused } from "./set-paused.ts";

/** `relayctl relayers pause <id>`, which never prompts. */
export const relayersPause = setPaused(true, {
  summary: "Pause relayers, so that they take no new work",
  description: "Pause relayers. A paused relayer rejects new work; work that is already queued keeps running.",
  examples: [
    "relayctl relayers pause eth-main-1",
    "relayctl relayers pause eth-main-1 --diff",
    "relayctl relayers pause --where network=base --yes",
  ],
});
