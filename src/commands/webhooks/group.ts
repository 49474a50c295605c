import type { CommandGroup } from "../command.ts";

export const webhooks: CommandGroup = {
  verify: async () => (await import("./verify.ts")).webhooksVerify,
  sign: async () => (await import("./sign.ts")).webhooksSign,
};
