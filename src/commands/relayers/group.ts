import type { CommandGroup } from "../command.ts";

export const relayers: CommandGroup = {
  list: async () => (await import("./list.ts")).relayersList,
  get: async () => (await import("./get.ts")).relayersGet,
  update: async () => (await import("./update.ts")).relayersUpdate,
  edit: async () => (await import("./edit/edit.ts")).relayersEdit,
  pause: async () => (await import("./pause.ts")).relayersPause,
  resume: async () => (await import("./resume.ts")).relayersResume,
  delete: async () => (await import("./delete.ts")).relayersDelete,
  status: async () => (await import("./status.ts")).relayersStatus,
};
