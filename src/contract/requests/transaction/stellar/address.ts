import * as z from "zod/mini";
import { type StrkeyKind, strkeyProblem } from "../../../encoding/strkey.ts";
import { saying } from "../../saying.ts";

/** A Stellar address of one of these kinds, its checksum checked. */
export function stellarAddress(...kinds: readonly StrkeyKind[]): z.ZodMiniString {
  return z.string().check(saying((text) => strkeyProblem(text, kinds)));
}
