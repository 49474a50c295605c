import type { CommandGroup } from "../command.ts";

/** There is no `update`: the service rejects every change of a signer (facts 8.1). */
export const signers: CommandGroup = {
  list: async () => (await import("./list.ts")).signersList,
  get: async () => (await import("./get.ts")).signersGet,
  create: async () => (await import("./create.ts")).signersCreate,
  delete: async () => (await import("./delete.ts")).signersDelete,
};
