import type { ConnectionFlags } from "../config/connection/connection-flags.ts";
import type { OutputFormat } from "../terminal/output-options.ts";

/** The common flags (promises 2.1), as commander names them. */
export interface CommonFlags extends ConnectionFlags {
  output?: OutputFormat;
  json?: true;
  fields?: string;
  query?: string;
  headers?: boolean;
  yes?: true;
  confirm?: string;
  /** False when `--no-input` was given. */
  input?: boolean;
  dryRun?: true;
  curl?: true;
  quiet?: true;
  verbose?: true;
  color?: "auto" | "always" | "never";
}
