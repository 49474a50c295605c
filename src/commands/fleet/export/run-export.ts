import { shownInstead } from "../../../command-support/shown.ts";
import { operations } from "../../../contract/operations.ts";
import { FLEET_NOUNS } from "../../../fleet/desired.ts";
import { fleetDocument } from "../../../fleet/export/fleet-document.ts";
import { type LiveFleet, readLiveFleet } from "../../../fleet/live.ts";
import { yamlText } from "../../../terminal/formats/yaml.ts";
import type { View } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";

export interface ExportRequest {
  /** Whether the RPC URLs of networks are written in full. */
  showUrls: boolean;
}

/** Explains a file to whoever opens it. The same fleet gives the same text, so it contains neither a time nor a server. */
const HEADER = `# A fleet of relayers, in the form of the service's config.json. Written by \`relayctl export\`.
# Compare it with the service: relayctl plan -f FILE. Change the service: relayctl apply -f FILE.
# \${hidden:…} stands for a value that is not in this file, and $\${ for \${.
`;

/** Writes a fleet to stdout. */
export async function runExport(call: Call, request: ExportRequest): Promise<View> {
  const { output } = call;
  const shown = await shownInstead(call, { operation: operations["relayers.list"] });
  if (shown) return shown;
  const live = await readLiveFleet((await call.session()).client, FLEET_NOUNS);
  await noteMissing(call, live);
  const notation = output.format === "json" ? "json" : "yaml";
  const document = fleetDocument(live, { notation, showUrls: request.showUrls });
  const isText = notation === "yaml" && output.query === undefined;
  return isText
    ? { kind: "text", text: HEADER + (await yamlText(document)) }
    : { kind: "facts", lines: [], value: document };
}

async function noteMissing(call: Call, { unavailable }: LiveFleet): Promise<void> {
  if (unavailable.length === 0) return;
  await call.say(`note: this service has no route for ${unavailable.join(", ")}, so the export does not contain them`);
}
