import type { AnyCommand, CommandGroup } from "../commands/command.ts";
import { TREE } from "./tree.ts";

/** Returns every command by its words. Loads all of them: only for rarely needed pages about the whole program. */
export async function allCommands(): Promise<(readonly [path: string, file: AnyCommand])[]> {
  const found = Object.entries(TREE).map(async ([noun, branch]) => {
    if ("command" in branch) return [[noun, await branch.command()] as const];
    const verbs = await commandsOf(branch.verbs());
    return verbs.map(([verb, file]) => [`${noun} ${verb}`, file] as const);
  });
  return (await Promise.all(found)).flat();
}

export async function commandsOf(group: CommandGroup): Promise<(readonly [verb: string, file: AnyCommand])[]> {
  return await Promise.all(Object.entries(group).map(async ([verb, load]) => [verb, await load()] as const));
}
