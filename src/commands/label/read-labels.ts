import type { App } from "../../app.ts";
import { type Label, labelName } from "../../config/labels.ts";
import { isJsonObject, type JsonValue } from "../../contract/json.ts";
import type { Problems } from "../../contract/problems.ts";
import { usageError } from "../../errors.ts";
import { inputFileName, parseInputJson, readInputText } from "../../session/input-file.ts";
import { type TypedLabel, validLabelChange } from "./change.ts";

const MAX_BYTES = 512 * 1024;

export async function readLabels(app: App, path: string, problems: Problems): Promise<Label[]> {
  const text = await readInputText(app, path, MAX_BYTES);
  const file = inputFileName(path);
  const typed = /^\s*[[{]/.test(text) ? fromJson(text, file) : fromCsv(text, file);
  if (typed.length === 0) problems.add(file, "contains no labels");
  return await validLabelChange(typed, problems);
}

const SHAPE = "needs an object of addresses by label, or a list of objects with name and address";

function fromJson(text: string, file: string): TypedLabel[] {
  const value = parseInputJson(text, file);
  const entries: (readonly [JsonValue | undefined, JsonValue | undefined])[] = Array.isArray(value)
    ? value.map((item) => (isJsonObject(item) ? [item.name, item.address] : [undefined, undefined]))
    : Object.entries(value ?? {});
  return entries.map(([name, address], index) => {
    if (typeof name !== "string" || typeof address !== "string") throw usageError([{ where: file, rule: SHAPE }]);
    return { where: `${file}, label ${index + 1}`, name: labelName(name), address };
  });
}

function fromCsv(text: string, file: string): TypedLabel[] {
  const [header = [], ...rows] = text
    .split(/\r?\n/)
    .map((line) => line.split(",").map((cell) => cell.trim().replace(/^"(.*)"$/, "$1")));
  const [name, address] = [header.indexOf("name"), header.indexOf("address")];
  if (name < 0 || address < 0)
    throw usageError([{ where: `${file}, line 1`, rule: "needs the columns name and address, or JSON" }]);
  return rows.flatMap((cells, index) =>
    cells.join("") === ""
      ? []
      : [{ where: `${file}, line ${index + 2}`, name: labelName(cells[name] ?? ""), address: cells[address] ?? "" }],
  );
}
