import { pluginFields } from "../resources/plugin.ts";
import { schemaOf } from "./field-schemas.ts";

/** facts 8.3. Null would change nothing, and is rejected. */
export const updatePluginSchema = schemaOf(pluginFields, "update");
