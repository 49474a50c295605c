import type { ConnectionFlags } from "../config/connection/connection-flags.ts";
import type { OutputFormat } from "../terminal/output-options.ts";

/** The common flags (promises 2.1), with commander's names. */
export interface CommonFlags extends ConnectionFlags {
  output?: OutputFormat;
  json?: true;
  fields?: string;
  query?: string;
  headers?: boolean;
  yes?: true;
  confirm?: string;
  /** False with `--no-input`. */
  input?: boolean;
  dryRun?: true;
  curl?: true;
  quiet?: true;
  verbose?: true;
  color?: "auto" | "always" | "never";
}
