import type { AnyCommand } from "../commands/command.ts";
import { TREE } from "./tree.ts";

/** Every command by the words that lead to it. Loads all of them: for pages about the whole, and for nothing that is typed often. */
export async function allCommands(): Promise<(readonly [path: string, file: AnyCommand])[]> {
  const found = Object.entries(TREE).map(async ([noun, branch]) => {
    if ("command" in branch) return [[noun, await branch.command()] as const];
    return Object.entries(await branch.group()).map(([verb, file]) => [`${noun} ${verb}`, file] as const);
  });
  return (await Promise.all(found)).flat();
}
