import type { RelayctlError } from "../../../errors.ts";
import type { Seen } from "./read.ts";

/** One way to tell what a watch sees. */
export interface ChangeReporter {
  seen(seen: Seen): Promise<void>;
  /** The service does not answer, and will be asked again. */
  failed(error: RelayctlError): Promise<void>;
  /** However the watch ends: what was seen last is left to be read. */
  end(): Promise<void>;
}
