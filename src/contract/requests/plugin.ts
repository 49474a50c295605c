import * as z from "zod/mini";
import { MAX_U64 } from "../limits.ts";
import { PLUGIN_SWITCHES } from "../resources/plugin.ts";
import { integer } from "./integer.ts";

const switches = Object.fromEntries(PLUGIN_SWITCHES.map((name) => [name, z.exactOptional(z.boolean("true or false"))]));

/** facts 8.3. Null would change nothing, and is rejected. */
export const updatePluginSchema = z.strictObject({
  timeout: z.exactOptional(integer(1n, MAX_U64, "Timeout must be greater than 0, in whole seconds")),
  ...switches,
  config: z.exactOptional(z.looseObject({})),
});
