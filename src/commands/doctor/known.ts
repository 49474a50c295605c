import { RelayctlError } from "../../errors.ts";
import type { Fact } from "./facts.ts";

/** Returns the value of a fact that was read: no check is made without its facts. */
export function known<T>(fact: Fact<T>): T {
  if ("skipped" in fact) throw new RelayctlError("internal", `a check without its facts: ${fact.skipped}`);
  return fact.value;
}
