import type { CommandGroup } from "../command.ts";
import { contextDelete } from "./delete.ts";
import { contextList } from "./list.ts";
import { contextSet } from "./set.ts";
import { contextShow } from "./show.ts";
import { contextUse } from "./use.ts";

export const context: CommandGroup = {
  list: contextList,
  show: contextShow,
  use: contextUse,
  set: contextSet,
  delete: contextDelete,
};
