import type { CommandGroup } from "../command.ts";
import { relayersDelete } from "./delete.ts";
import { relayersEdit } from "./edit/edit.ts";
import { relayersGet } from "./get.ts";
import { relayersList } from "./list.ts";
import { relayersPause } from "./pause.ts";
import { relayersResume } from "./resume.ts";
import { relayersStatus } from "./status.ts";
import { relayersUpdate } from "./update.ts";

export const relayers: CommandGroup = {
  list: relayersList,
  get: relayersGet,
  update: relayersUpdate,
  edit: relayersEdit,
  pause: relayersPause,
  resume: relayersResume,
  delete: relayersDelete,
  status: relayersStatus,
};
