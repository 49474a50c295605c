import type { When } from "./command.ts";

/** Returns whether a command's property applies to the typed line. */
export function isSo(when: When | undefined, typed: Parameters<Exclude<When, true>>[0]): boolean {
  return typeof when === "function" ? when(typed) : when === true;
}
