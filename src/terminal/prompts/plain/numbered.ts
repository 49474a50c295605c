import type { Choice } from "../../prompts.ts";
import { narrowed, shownChoice } from "../choices.ts";
import { type Asker, type Read, untilRight } from "./until-right.ts";

/** More than this is searched, not dumped. */
const MOST_LISTED = 20;

/** One of a list, by its number; a long list is narrowed first by what is typed. */
export function askOne<T>(asker: Asker, question: string, choices: readonly Choice<T>[], chosen?: T): Promise<T> {
  let found = choices;
  const now = choices.findIndex(({ value }) => value === chosen) + 1;
  list(asker, found);
  const isLong = choices.length > MOST_LISTED;
  const asked = `${question} number${isLong ? " or part of a name" : ""}${now > 0 ? ` [${now}]` : ""}`;
  return untilRight(asker, asked, (typed) => {
    const numbers = typed === "" && now > 0 ? String(now) : typed;
    if (!isLong || /^[\d\s]*$/.test(typed)) return oneOf(found, numbers);
    found = narrowed(choices, typed);
    list(asker, found);
    return { again: found.length === 0 ? "nothing matches" : `${found.length} of ${choices.length} match` };
  });
}

/** Any number of a list, by their numbers. */
export function askSeveral<T>(asker: Asker, question: string, choices: readonly Choice<T>[]): Promise<T[]> {
  list(asker, choices);
  return untilRight(asker, `${question} numbers, or nothing`, (typed) => numbersIn(choices, typed));
}

function list<T>({ say }: Asker, choices: readonly Choice<T>[]): void {
  for (const [index, choice] of choices.slice(0, MOST_LISTED).entries()) {
    const { name, description, disabled } = shownChoice(choice);
    say([`  ${index + 1}`, name, description, disabled].filter((part) => part !== undefined).join("  "));
  }
  if (choices.length > MOST_LISTED) say(`  and ${choices.length - MOST_LISTED} more`);
}

function oneOf<T>(choices: readonly Choice<T>[], typed: string): Read<T> {
  const read = numbersIn(choices, typed);
  if ("again" in read) return read;
  const [answer, ...more] = read.answer;
  return answer === undefined || more.length > 0 ? { again: `a number from 1 to ${choices.length}` } : { answer };
}

/** The values that were chosen by numbers with spaces or commas between, in the order of the list. */
function numbersIn<T>(choices: readonly Choice<T>[], typed: string): Read<T[]> {
  const numbers = new Set(typed.split(/[\s,]+/).filter((word) => word !== ""));
  for (const number of numbers) {
    const choice = /^[1-9]\d*$/.test(number) ? choices[Number(number) - 1] : undefined;
    if (!choice) return { again: `${number} is no number from 1 to ${choices.length}` };
    if (choice.disabled !== undefined) return { again: `${number} cannot be chosen now` };
  }
  return { answer: choices.filter((_, index) => numbers.has(String(index + 1))).map(({ value }) => value) };
}
