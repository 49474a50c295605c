import type { DiffFlag } from "../../command-support/shown.ts";
import type { KeyFlags } from "./key-flags.ts";

/** The flags of `notifications create`, as commander names them. */
export interface CreateFlags extends KeyFlags {
  url?: string;
  type?: string;
  id?: string;
  file?: string;
}

/** The flags of `notifications update`, as commander names them. */
export interface UpdateFlags extends KeyFlags, DiffFlag {
  url?: string;
  type?: string;
  removeSigningKey?: true;
  file?: string;
}
