import { knownSymbol } from "../../contract/currency.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { DesiredFleet, DesiredResource, FleetNoun } from "../desired.ts";
import { placeText } from "../source/place.ts";
import type { FleetSources } from "../sources.ts";
import { FileItem, type Reading } from "./file-item.ts";
import { FileReport } from "./file-report.ts";
import { type LoadedDocument, loadDocument } from "./load-document.ts";
import { readNotification } from "./notification.ts";
import { readRelayer } from "./relayer.ts";
import { readSigner } from "./signer.ts";

const NOUNS = ["notifications", "signers", "relayers"] as const;

/**
 * Reads what files describe: the service's own `config.json` (facts 14), or YAML of the same shape.
 * @throws RelayctlError usage, with every problem of every file, and no secret
 */
export async function readFleet(files: readonly string[], sources: FleetSources): Promise<DesiredFleet> {
  const reading: Reading = { sources, report: new FileReport() };
  const items: FileItem[] = [];
  const nouns = new Set<FleetNoun>();
  for (const path of files) {
    const document = await loadDocument(path, sources, reading.report);
    if (document) for (const noun of NOUNS) if (addItems(items, document, noun, reading)) nouns.add(noun);
  }
  const resources = items.map((item) => resourceOf(item));
  refuseTwice(items);
  reading.report.throwIfAny();
  return { resources, nouns, warnings: reading.report.warnings };
}

function addItems(items: FileItem[], document: LoadedDocument, noun: FleetNoun, reading: Reading): boolean {
  const list = isJsonObject(document.value) ? document.value[noun] : undefined;
  if (!Array.isArray(list)) return false;
  for (const [index, value] of list.entries()) {
    const at = `${noun}.${index}`;
    if (isJsonObject(value)) items.push(new FileItem(noun, document, at, value, reading));
    else reading.report.problem(document, at, "must be an object");
  }
  return true;
}

function resourceOf(item: FileItem): DesiredResource {
  const fields = READERS[item.noun as (typeof NOUNS)[number]](item);
  return item.resource(String(fields.id), fields);
}

const READERS: Record<(typeof NOUNS)[number], (item: FileItem) => JsonObject> = {
  notifications: readNotification,
  signers: readSigner,
  relayers: (item) => readRelayer(item, (_, network) => knownSymbol(network)),
};

function refuseTwice(items: readonly FileItem[]): void {
  const first = new Map<string, FileItem>();
  for (const item of items) {
    const { id } = item.value;
    if (typeof id !== "string") continue;
    const before = first.get(`${item.noun} ${id}`);
    if (before) item.problem("id", `duplicate ID, first used at ${placeText(before.place)}`, id);
    else first.set(`${item.noun} ${id}`, item);
  }
}
