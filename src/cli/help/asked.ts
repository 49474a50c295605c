import type { Command } from "commander";
import { unknownCommand } from "../mistake.ts";
import { commandAt } from "../route.ts";
import { draw } from "./draw.ts";
import { namesOf } from "./help-of.ts";
import { TOPICS } from "./topics.ts";

/**
 * The page that `relayctl help …` asks for: of a topic, of a command, or of the program.
 * @param words those after `help`
 * @throws RelayctlError usage, naming what there is
 */
export async function askedPage(program: Command, words: readonly string[], width: number): Promise<string> {
  const [name = "", ...rest] = words;
  const topic = Object.hasOwn(TOPICS, name) && rest.length === 0 ? TOPICS[name] : undefined;
  if (topic) return draw(await (await topic.page())(program), width);
  const command = commandAt(program, words);
  const unknown = words[namesOf(command).length];
  if (unknown !== undefined) throw unknownCommand(command, unknown, command === program ? Object.keys(TOPICS) : []);
  return command.helpInformation();
}
