import type { CommandGroup } from "../command.ts";

export const tx: CommandGroup = {
  send: async () => (await import("./send.ts")).txSend,
  replace: async () => (await import("./replace.ts")).txReplace,
  quote: async () => (await import("./quote.ts")).txQuote,
  build: async () => (await import("./build.ts")).txBuild,
};
