import type { FindingCode } from "./diagnosis.ts";

export interface Cause {
  code: FindingCode;
  message: string;
  remedy: "wait" | "bump" | "replace" | "fund" | "restart" | "repair" | "other-node" | "none";
  /** False if it is in progress, and `unknown` if only the chain shows it (default: true). */
  isStuck?: boolean | "unknown";
  /** Wei that the relayer lacks. */
  short?: bigint;
}
