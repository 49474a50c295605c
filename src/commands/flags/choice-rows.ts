import type { Choice } from "../../terminal/prompts.ts";
import { columnWidth, padded } from "../../terminal/width.ts";

export interface ChoiceRow {
  value: string;
  about: readonly (string | null | undefined)[];
}

export function choiceRows(rows: readonly ChoiceRow[]): Choice<string>[] {
  const width = columnWidth(rows.map(({ value }) => value));
  return rows.map(({ value, about }) => {
    const known = about.filter((text) => text).join(" · ");
    return { value, name: `${padded(value, width)}  ${known}`.trimEnd(), short: value };
  });
}
