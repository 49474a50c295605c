import type { JsonObject } from "../../../contract/json.ts";
import type { LiveFleet } from "../../../fleet/live.ts";
import { yamlText } from "../../../terminal/formats/yaml.ts";
import type { Call } from "../../command.ts";

/** Explains a file to its reader. The same fleet gives the same text, so it contains neither a time nor a server. */
const HEADER = `# A fleet of relayers, in the form of the service's config.json.
# Written by: relayctl export
# Compare it with the service: relayctl plan -f FILE
# Change the service: relayctl apply -f FILE
# \${hidden:...} stands for a value that is not in this file, and $\${ for \${.
`;

export async function yamlFile(document: JsonObject): Promise<string> {
  return HEADER + (await yamlText(document));
}

export async function noteMissingInExport(call: Call, { unavailable }: LiveFleet): Promise<void> {
  if (unavailable.length === 0) return;
  await call.say({
    note: `this service has no route for ${unavailable.join(", ")}, so the export does not contain them`,
  });
}
