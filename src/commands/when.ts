import type { When } from "./command.ts";

/** Whether something that holds for a command holds for what was typed. */
export function isSo(when: When | undefined, typed: Parameters<Exclude<When, true>>[0]): boolean {
  return typeof when === "function" ? when(typed) : when === true;
}
