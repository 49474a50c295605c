import type { OutputOptions } from "../output-options.ts";

/** Returns the fields that `--fields`, `--where`, and `--sort` use, whether they exist or not. */
export function namedFields({ fields, where = [], sort }: OutputOptions): ReadonlySet<string> {
  const texts = [...(fields?.split(",") ?? []), ...where, ...(sort === undefined ? [] : [sort])];
  return new Set(texts.flatMap((text) => fieldNamed(text) ?? []));
}

/** Returns the field that a condition, a sort, or a name begins with. */
export function fieldNamed(text: string): string | undefined {
  return /^\s*[!-]?\s*([\w.-]+)/.exec(text)?.[1];
}
