import type { JsonObject } from "../contract/json.ts";
import type { Cell, ResourceView } from "../terminal/view.ts";
import { column, lines } from "./cells.ts";

/**
 * Returns the view of a response that is no resource of the service: its fields in order, each with its label.
 * @param shown returns a field for the block; undefined to omit it
 */
export function fieldsView(
  one: string,
  fields: readonly string[],
  shown: (field: string, item: JsonObject) => Cell | undefined,
): ResourceView {
  return {
    one,
    many: `${one}s`,
    table: fields.map((field) => column(field, field)),
    flat: fields,
    fields,
    block: (item) =>
      fields.flatMap((field) => {
        const value = shown(field, item);
        return value === undefined ? [] : lines(field.replaceAll("_", " "), [value]);
      }),
  };
}
