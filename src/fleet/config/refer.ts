import { type JsonObject, jsonLeavesIn } from "../../contract/json.ts";
import { secretRpcUrlParts } from "../../contract/rpc-url.ts";
import type { FleetSources } from "../sources.ts";
import type { FileItem } from "./file-item.ts";
import { interpolationLiteral, rebasedInterpolation } from "./interpolation.ts";

/** User info, or a part of a URL that may be a key. */
const URL_SECRET = /^[^/?#]*:\/\/[^/?#]*[^/?#:@][^/?#]*@|:\/\/[^/?#]*[/?#](?:.*[/?#&=])?[^/?#&=]{8}/;

/**
 * Notes how a plan refers to a value: by its text if that isn't secret, otherwise by its place in the file.
 * @param path the path in the fields of the resource
 * @param from the path in the item
 * @param isSecret whether the member is a secret by its kind
 */
export function refer(item: FileItem, path: string, from: string, text: string, isSecret = false): void {
  const { file, interpolations } = item.document;
  const { values, written, isHidden } = interpolations.get(item.full(from)) ?? { values: [], written: "" };
  protectSecret(text, isSecret, item.reading.sources);
  const rest = interpolationLiteral(written);
  const isWritten = values.length > 0 && !(isSecret ? rest !== "" : URL_SECRET.test(rest));
  const pointer = item.full(from).split(".").map(pointerPart).join("/");
  item.references.set(path, isWritten ? rebasedInterpolation(written, file) : `\${source:${file}#/${pointer}}`);
  if (isHidden) item.hidden.add(path);
}

export function protectSecret(text: string, isSecret: boolean, { protect }: Pick<FleetSources, "protect">): void {
  for (const secret of isSecret ? [text] : secretRpcUrlParts(text)) protect?.(secret);
}

export function referToHidden(item: FileItem, fields: JsonObject): void {
  const { interpolations } = item.document;
  if (interpolations.size === 0) return;
  for (const { path } of jsonLeavesIn(fields)) {
    const found = interpolations.get(item.full(path));
    if (found?.isHidden && !item.references.has(path)) refer(item, path, path, found.text);
  }
}

function pointerPart(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
