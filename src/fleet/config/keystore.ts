import { join } from "node:path";
import { objectIn, tryParseJson } from "../../contract/json.ts";
import { brokenRules } from "../../contract/requests/broken-rules.ts";
import { keystoreSchema } from "../../contract/requests/keystore.ts";
import { RelayctlError } from "../../errors.ts";
import type { FileItem } from "./file-item.ts";
import { InterpolationError, readable } from "./interpolation.ts";

/** Reports a keystore that ends the start of a service, or that is not where a service would look (facts 14.1). */
export async function inspectKeystore(item: FileItem): Promise<void> {
  const { document, reading } = item;
  const { path } = objectIn(item.value.config ?? null);
  if (typeof path !== "string" || document.format !== "json" || item.isSettled("config.path")) return;
  const places = await reading.sources.foldersFor(path, document.file);
  const files = places.filter(({ folder, root }) => folder !== root);
  for (const { folder: file, root } of files) {
    const text = await readable(file, join(root, path), reading.sources).catch((error) => {
      if (error instanceof InterpolationError || error instanceof RelayctlError) return undefined;
      throw error;
    });
    if (text === undefined) continue;
    const problem = keystoreProblem(text);
    if (problem !== undefined) item.refuseStart("config.path", `keystore ${file}: ${problem}`);
    return;
  }
  reading.report.say(document, item.full("config.path"), {
    ...{ severity: "note", code: "unreadable", fix: "create it where the service runs" },
    message: `the keystore was not read; looked in ${files.map(({ folder }) => folder).join(", ")}`,
  });
}

function keystoreProblem(text: string): string | undefined {
  const keystore = tryParseJson(text);
  if (keystore === undefined) return "not JSON";
  const [broken] = brokenRules(keystoreSchema, keystore);
  return broken && `${broken.path.join(".")}: ${broken.rule}`;
}
