import { disabledBy } from "../choices.ts";
import type { ListSubject } from "../draft.ts";
import type { Interview } from "../interview.ts";
import { itemProblem } from "../list-item.ts";

/** Asks for texts to add until Enter alone. @returns what is to be added */
export async function addTexts(
  { prompts }: Interview,
  { subject: { label, broken }, field, list }: ListSubject,
): Promise<string[]> {
  const added: string[] = [];
  for (;;) {
    const all = [...list, ...added];
    const typed = await prompts.text(`${label}, one to add (Enter when done):`, {
      validate: (text) => text === "" || (itemProblem(text, all, field) ?? broken([...all, text]) ?? true),
    });
    if (typed === "") return added;
    added.push(typed);
  }
}

/** One of the words that the list does not hold yet. */
export async function addWord(
  { prompts }: Interview,
  { subject: { label, broken }, list }: ListSubject,
  words: readonly string[],
): Promise<string> {
  const choices = words
    .filter((word) => !list.includes(word))
    .map((word) => ({ value: word, name: word, ...disabledBy(broken([...list, word])) }));
  return await prompts.select(`${label}, one to add:`, choices);
}
