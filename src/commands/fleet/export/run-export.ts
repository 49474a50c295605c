import { showIfDryRun } from "../../../command-support/shown.ts";
import { operations } from "../../../contract/operations.ts";
import { FLEET_NOUNS } from "../../../fleet/desired-fleet.ts";
import { fleetDocument } from "../../../fleet/export/fleet-document.ts";
import { readLiveFleet } from "../../../fleet/live.ts";
import type { View } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import type { ExportRequest } from "./run-update.ts";
import { noteMissingInExport, yamlFile } from "./yaml-file.ts";

export async function runExport(call: Call, request: ExportRequest): Promise<View> {
  const { output } = call;
  const isPrinted = request.files.length === 0;
  const shown = isPrinted || call.common.curl ? await showIfDryRun(call, LIST) : undefined;
  if (shown) return shown;
  if (!isPrinted) return await (await import("./run-update.ts")).runUpdate(call, request);
  const live = await readLiveFleet((await call.session()).client, FLEET_NOUNS);
  await noteMissingInExport(call, live);
  const notation = output.format === "json" ? "json" : "yaml";
  const document = call.app.secrets.masked(fleetDocument(live, { notation, showUrls: request.showUrls }));
  const isText = notation === "yaml" && output.query === undefined;
  return isText ? { kind: "text", text: await yamlFile(document) } : { kind: "facts", lines: [], value: document };
}

const LIST = { operation: operations["relayers.list"] };
