import type { Command } from "commander";
import { unknownCommand } from "../mistake.ts";
import { commandAt } from "../route.ts";
import { draw } from "./draw.ts";
import { namesOf } from "./help-of.ts";
import { TOPICS } from "./topics.ts";

/**
 * Returns the page that `relayctl help …` requests: of a topic, a command, or the program.
 * @param words the words after `help`
 * @throws RelayctlError usage, with a list of commands and topics
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
