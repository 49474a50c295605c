import type { DiffFlag } from "../../../command-support/shown.ts";

/** The flags of `relayers edit`, with commander's names. */
export interface EditFlags extends DiffFlag {
  editor?: true;
}
