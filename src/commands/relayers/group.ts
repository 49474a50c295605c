import type { CommandGroup } from "../command.ts";

export const relayers: CommandGroup = {
  list: async () => (await import("./list.ts")).relayersList,
  get: async () => (await import("./get.ts")).relayersGet,
  update: async () => (await import("./update.ts")).relayersUpdate,
  edit: async () => (await import("./edit/edit.ts")).relayersEdit,
  pause: async () => (await import("./pause.ts")).relayersPause,
  resume: async () => (await import("./resume.ts")).relayersResume,
  freeze: async () => (await import("./freeze.ts")).relayersFreeze,
  create: async () => (await import("./create.ts")).relayersCreate,
  clone: async () => (await import("./clone.ts")).relayersClone,
  delete: async () => (await import("./delete.ts")).relayersDelete,
  status: async () => (await import("./status.ts")).relayersStatus,
  unstick: async () => (await import("./unstick.ts")).relayersUnstick,
  balance: async () => (await import("./balance.ts")).relayersBalance,
  rpc: async () => (await import("./rpc.ts")).relayersRpc,
  sign: async () => (await import("./sign.ts")).relayersSign,
  "sign-typed-data": async () => (await import("./sign-typed-data.ts")).relayersSignTypedData,
  "sign-transaction": async () => (await import("./sign-transaction.ts")).relayersSignTransaction,
};
