import { setPaused } from "./set-paused.ts";

export const relayersResume = setPaused(false, {
  summary: "Resume paused relayers",
  description:
    "Resume paused relayers, so that they take work again. A relayer that the service disabled comes back by itself.",
  examples: [
    "relayctl relayers resume eth-main-2",
    "relayctl relayers resume eth-main-2 --diff",
    "relayctl relayers resume eth-main-2 --dry-run",
  ],
});
