import { dirname, isAbsolute, join } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { choiceOf } from "../../nearest.ts";
import { FLEET_NOUNS, type FleetNoun } from "../desired.ts";
import { FileItem, type Reading } from "./file-item.ts";
import { type LoadedDocument, loadDocument } from "./load-document.ts";
import { NOT_SEEN } from "./seen-members.ts";

/** What files contain, before it is validated. */
export interface Collected {
  /** In the order of the files. */
  items: FileItem[];
  /** The nouns for which any file has a list. */
  nouns: Set<FleetNoun>;
  documents: LoadedDocument[];
}

/** Collects the items of files, and of the folders of networks that they refer to. */
export async function collectItems(files: readonly string[], reading: Reading): Promise<Collected> {
  const collector = new Collector(reading);
  for (const file of files) await collector.addFile(file, FLEET_NOUNS);
  return collector;
}

class Collector implements Collected {
  readonly items: FileItem[] = [];
  readonly nouns = new Set<FleetNoun>();
  readonly documents: LoadedDocument[] = [];
  private readonly read = new Set<string>();
  private readonly reading: Reading;

  constructor(reading: Reading) {
    this.reading = reading;
  }

  async addFile(path: string, known: readonly FleetNoun[]): Promise<void> {
    const { report, sources } = this.reading;
    if (this.read.has(path)) return;
    this.read.add(path);
    const document = await loadDocument(path, sources, report, known !== FLEET_NOUNS);
    if (!document) return;
    this.documents.push(document);
    const { value } = document;
    if (!isJsonObject(value)) {
      report.problem(document, "", `must be an object with ${known.join(", ")}`);
      return;
    }
    // Of a file without lists, every fleet would be what it describes.
    if (known === FLEET_NOUNS && !known.some((noun) => Object.hasOwn(value, noun)))
      report.problem(document, "", `${notFleet(value)}; a fleet has ${known.join(", ")}`);
    for (const [name, list] of Object.entries(value)) {
      const noun = known.find((one) => one === name);
      if (!noun)
        report.warn(document, name, `unknown member "${name}", which the service ignores${choiceOf([name], known)}`);
      else if (document.interpolations.get(name)?.isHidden) report.problem(document, name, NOT_SEEN);
      else if (noun === "networks" && typeof list === "string") await this.addFolder(document, list);
      else this.addList(document, noun, list);
    }
  }

  private addList(document: LoadedDocument, noun: FleetNoun, list: JsonValue): void {
    const { report } = this.reading;
    const allowed =
      noun === "networks" ? "must be a list, or the path of a folder" : "must be a list; [] is an empty one";
    if (!Array.isArray(list)) {
      report.problem(document, noun, allowed);
      return;
    }
    this.nouns.add(noun);
    for (const [index, value] of list.entries()) {
      const at = `${noun}.${index}`;
      if (isJsonObject(value)) this.items.push(new FileItem(noun, document, at, value, this.reading));
      else report.problem(document, at, "must be an object");
    }
  }

  /** Adds the files of a folder, which is next to the file, or next to the folder of the file (facts 14). */
  private async addFolder(document: LoadedDocument, path: string): Promise<void> {
    const { report, sources } = this.reading;
    this.nouns.add("networks");
    const next = dirname(document.file);
    const roots = isAbsolute(path) ? [next] : [next, join(next, "..")];
    const folders = roots.map((root) => (isAbsolute(path) ? path : join(root, path)));
    for (const [index, folder] of folders.entries()) {
      const listed = await report.gather(folder, () => sources.list(folder, roots[index] ?? next));
      if (!listed) return;
      const names = listed.filter((name) => name.endsWith(".json")).sort();
      for (const name of names) await this.addFile(join(folder, name), ["networks"]);
      if (names.length > 0) return;
    }
    report.problem(document, "networks", `no *.json files found in ${folders.join(" or ")}`);
  }
}

function notFleet(value: JsonObject): string {
  const isPlan = Object.hasOwn(value, "checksum") && Object.hasOwn(value, "changes");
  return isPlan ? "is a saved plan, which `relayctl apply` takes without --file" : "has no list of a fleet";
}
