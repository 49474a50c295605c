/** The formats of `--output`. */
export const OUTPUT_FORMATS = [
  "table",
  "json",
  "ndjson",
  "yaml",
  "csv",
  "tsv",
  "name",
  "raw",
  "prom",
  "markdown",
  "sarif",
  "github",
] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** How to write a result, as typed; `validateOutput` reports problems. */
export interface OutputOptions {
  /** Default: a table or block on a terminal, tsv or key/value lines to a pipe. */
  format?: OutputFormat | undefined;
  fields?: string | undefined;
  query?: string | undefined;
  /** `--headers` and `--no-headers`. */
  headers?: boolean | undefined;
  where?: readonly string[] | undefined;
  sort?: string | undefined;
  /** The time that ages refer to, in milliseconds since 1970. */
  now?: number | undefined;
  limit?: number | undefined;
}
