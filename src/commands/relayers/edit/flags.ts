import type { DiffFlag } from "../../../command-support/shown.ts";

/** The flags of `relayers edit`, as commander names them. */
export interface EditFlags extends DiffFlag {
  editor?: true;
}
