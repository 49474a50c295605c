import type { RelayctlError } from "../../../errors.ts";
import type { Seen } from "./read.ts";

/** Reports what a watch reads. */
export interface ChangeReporter {
  seen(seen: Seen): Promise<void>;
  /** Reports that the service does not respond; the watch retries. */
  failed(error: RelayctlError): Promise<void>;
  /** Ends the watch; the last state stays readable. */
  end(): Promise<void>;
}
