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
import { relayersBalance } from "./balance.ts";
import { relayersCreate } from "./create.ts";
import { relayersDelete } from "./delete.ts";
import { relayersEdit } from "./edit/edit.ts";
import { relayersGet } from "./get.ts";
import { relayersList } from "./list.ts";
import { relayersPause } from "./pause.ts";
import { relayersResume } from "./resume.ts";
import { relayersRpc } from "./rpc.ts";
import { relayersSign } from "./sign.ts";
import { relayersSignTransaction } from "./sign-transaction.ts";
import { relayersSignTypedData } from "./sign-typed-data.ts";
import { relayersStatus } from "./status.ts";
import { relayersUpdate } from "./update.ts";

export const relayers: CommandGroup = {
  list: relayersList,
  get: relayersGet,
  update: relayersUpdate,
  edit: relayersEdit,
  pause: relayersPause,
  resume: relayersResume,
  create: relayersCreate,
  delete: relayersDelete,
  status: relayersStatus,
  balance: relayersBalance,
  rpc: relayersRpc,
  sign: relayersSign,
  "sign-typed-data": relayersSignTypedData,
  "sign-transaction": relayersSignTransaction,
};
