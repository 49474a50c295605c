import type { JsonObject } from "../../contract/json.ts";
import { indentedItem } from "../formats/json.ts";
import { createYamlWriter } from "../formats/yaml.ts";
import type { OutputFormat } from "../output-options.ts";
import { pickFields } from "../select/fields.ts";
import type { RowFormat } from "./row-format.ts";

/** A format of a list that is written once all rows are known. */
export interface WholeFormat extends RowFormat {
  /** Comes between two rows. */
  between: string;
  /** Comes after the last row. */
  footer: string;
  /** The text of a list without rows. */
  empty: string;
}

/**
 * Returns how a list is written in a format.
 * @param rows the rows of a format with rows; every other one is JSON or YAML
 */
export async function wholeFormat(
  format: OutputFormat,
  rows: RowFormat | undefined,
  fields: readonly string[] | undefined,
): Promise<WholeFormat> {
  if (rows) return { ...rows, between: "", footer: "", empty: "" };
  const picked = (item: JsonObject) => (fields ? pickFields(item, fields) : item);
  if (format === "yaml") {
    const write = await createYamlWriter();
    return { header: "", row: (item) => write([picked(item)]), between: "", footer: "", empty: write([]) };
  }
  return { header: "[\n", row: (item) => indentedItem(picked(item)), between: ",\n", footer: "\n]\n", empty: "[]\n" };
}
