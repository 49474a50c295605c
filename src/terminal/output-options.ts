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
  headers?: boolean | undefined;
  where?: readonly string[] | undefined;
  sort?: string | undefined;
  /** The time that ages refer to, in milliseconds since 1970. */
  now?: number | undefined;
  limit?: number | undefined;
}

export function fieldsInOutputOptions({ fields, where = [], sort }: OutputOptions): ReadonlySet<string> {
  const texts = [...(fields?.split(",") ?? []), ...where, ...(sort === undefined ? [] : [sort])];
  return new Set(texts.flatMap((text) => fieldInOutputOption(text) ?? []));
}

export function fieldInOutputOption(text: string): string | undefined {
  return /^\s*[!-]?\s*([\w.-]+)/.exec(text)?.[1];
}
