import type { Choice } from "../../terminal/prompts.ts";
import { columnWidth, padded } from "../../terminal/text/padded.ts";

/** Something to choose, and what helps to recognise it. */
export interface ChoiceRow {
  value: string;
  about: readonly (string | null | undefined)[];
}

/** Choices in two columns; once chosen, the value alone is shown. */
export function choiceRows(rows: readonly ChoiceRow[]): Choice<string>[] {
  const width = columnWidth(rows.map(({ value }) => value));
  return rows.map(({ value, about }) => {
    const known = about.filter((text) => text).join(" · ");
    return { value, name: `${padded(value, width)}  ${known}`.trimEnd(), short: value };
  });
}
