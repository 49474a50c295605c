import { knownSymbol } from "../../contract/currency.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { DesiredFleet, DesiredResource, FleetNoun } from "../desired.ts";
import { hiddenText } from "../hidden.ts";
import type { FleetSources } from "../sources.ts";
import { collectItems } from "./collect-items.ts";
import { crossCheck, type Described } from "./cross-checks.ts";
import type { FileItem, Reading } from "./file-item.ts";
import { FileReport } from "./file-report.ts";
import { withInheritance } from "./inheritance.ts";
import type { LoadedDocument } from "./load-document.ts";
import { readNetwork } from "./network.ts";
import { networkId } from "./network-id.ts";
import { readNotification } from "./notification.ts";
import { readPlugin } from "./plugin.ts";
import { referToHidden } from "./refer.ts";
import { readRelayer, type SymbolOf } from "./relayer.ts";
import { readSigner } from "./signer.ts";

/**
 * Reads what files describe: the service's own `config.json` (facts 14), or YAML of the same shape. Relative paths in a
 * file begin at its folder.
 * @param files paths, or `-` for stdin
 * @throws RelayctlError usage, with every problem of every file in its place, and no secret; if the service may have all
 * that is wrong, it is returned as doubts instead
 */
export async function readFleet(files: readonly string[], sources: FleetSources): Promise<DesiredFleet> {
  const reading: Reading = { sources, report: new FileReport() };
  const { items, nouns, documents } = await collectItems(files, reading);
  const networks = withInheritance(
    items.flatMap((item) => (item.noun === "networks" ? [{ item, fields: readNetwork(item) }] : [])),
  );
  const symbolOf = symbolsIn(networks.values());
  const described = items.map((item): Described => [item, networks.get(item) ?? resourceOf(item, symbolOf)]);
  crossCheck(described, nouns);
  for (const document of documents) refuseUnclaimed(document, reading);
  const doubts = reading.report.doubtsOnly();
  return { resources: described.map(([, resource]) => resource), nouns, warnings: reading.report.warnings, doubts };
}

const READERS: Record<Exclude<FleetNoun, "networks">, (item: FileItem, symbolOf: SymbolOf) => JsonObject> = {
  notifications: readNotification,
  signers: readSigner,
  plugins: readPlugin,
  relayers: readRelayer,
};

function resourceOf(item: FileItem, symbolOf: SymbolOf): DesiredResource {
  const fields = READERS[item.noun as keyof typeof READERS](item, symbolOf);
  referToHidden(item, fields);
  return item.resource(typeof fields.id === "string" ? fields.id : "", fields);
}

/** Returns the coins of the networks in the files, then of the well-known ones. */
function symbolsIn(networks: Iterable<DesiredResource>): SymbolOf {
  const symbols = new Map<string, string>();
  for (const { id, fields } of networks) if (typeof fields.symbol === "string") symbols.set(id, fields.symbol);
  return (kind, network) => symbols.get(networkId(kind, network)) ?? knownSymbol(network);
}

function refuseUnclaimed(document: LoadedDocument, { report }: Reading): void {
  for (const path of document.unclaimed)
    if (!report.has(document, path))
      report.problem(document, path, `${hiddenText("…")} stands only for a secret that the service does not return`);
}
