import type { DiffFlag } from "../../command-support/shown.ts";
import type { KeyFlags } from "./key-flags.ts";

/** The flags of `notifications create`, with commander's names. */
export interface CreateFlags extends KeyFlags {
  url?: string;
  type?: string;
  id?: string;
  file?: string;
}

/** The flags of `notifications update`, with commander's names. */
export interface UpdateFlags extends KeyFlags, DiffFlag {
  url?: string;
  type?: string;
  removeSigningKey?: true;
  file?: string;
}
