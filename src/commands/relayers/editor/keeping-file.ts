import type { App } from "../../../app.ts";
import { RelayctlError } from "../../../errors.ts";
import { type Edit, isBlank } from "./edit-loop.ts";

/** Hands out a file for an editor. It is gone afterwards, unless something went wrong: then what was typed is kept. */
export async function keepingFile<T>(app: App, name: string, use: (edit: Edit) => Promise<T>): Promise<T> {
  const file = await app.editorFile(name);
  let typed: string | undefined;
  const edit: Edit = async (text) => {
    typed = await file.edit(text);
    return typed;
  };
  try {
    const result = await use(edit);
    await file.remove();
    return result;
  } catch (error) {
    if (!isWorthKeeping(error, typed)) {
      await file.remove();
      throw error;
    }
    const kept = `the file is kept: ${file.path}`;
    throw error instanceof RelayctlError ? error.with({ because: [kept] }) : error;
  }
}

/** Not what was never opened, since there is no such editor, nor what was left empty. */
function isWorthKeeping(error: unknown, typed: string | undefined): boolean {
  if (typed === undefined) return !(error instanceof RelayctlError && error.failure === "usage");
  return !isBlank(typed);
}
