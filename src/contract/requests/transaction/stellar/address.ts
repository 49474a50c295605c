import * as z from "zod/mini";
import { type StrkeyKind, strkeyProblem } from "../../../encoding/strkey.ts";
import { problemCheck } from "../../saying.ts";

/** Accepts a Stellar address of one of these kinds with a valid checksum. */
export function stellarAddress(...kinds: readonly StrkeyKind[]): z.ZodMiniString {
  return z.string().check(problemCheck((text) => strkeyProblem(text, kinds)));
}
