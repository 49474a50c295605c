import { elseOnError } from "../../errors.ts";

/** Returns a text without percent encoding; undefined for a broken one. */
export function percentDecoded(text: string): string | undefined {
  return elseOnError(() => decodeURIComponent(text));
}
