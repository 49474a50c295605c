import type { DiffFlag } from "../../command-support/shown.ts";
import type { FieldFlags } from "../../contract/resources/field-types.ts";
import type { notificationFields } from "../../contract/resources/notification.ts";
import type { KeyFlags } from "./key-flags.ts";

/** The flags of `notifications create`, with commander's names. */
export interface CreateFlags extends KeyFlags, FieldFlags<typeof notificationFields, "create"> {
  file?: string;
}

/** The flags of `notifications update`, with commander's names. */
export interface UpdateFlags extends KeyFlags, DiffFlag, FieldFlags<typeof notificationFields, "update"> {
  removeSigningKey?: true;
  file?: string;
}
