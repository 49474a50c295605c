import type { DiffFlag } from "../../../flow/shown.ts";

/** The flags of `relayers edit`, as commander names them. */
export interface EditFlags extends DiffFlag {
  editor?: true;
}
