import type { CommandGroup } from "../command.ts";

export const webhooks: CommandGroup = {
  listen: async () => (await import("./listen.ts")).webhooksListen,
  events: async () => (await import("./events.ts")).webhooksEvents,
  verify: async () => (await import("./verify.ts")).webhooksVerify,
  sign: async () => (await import("./sign.ts")).webhooksSign,
  test: async () => (await import("./test.ts")).webhooksTest,
  replay: async () => (await import("./replay.ts")).webhooksReplay,
};
