import type { Command } from "commander";
import type { Block } from "./block.ts";

/** A page about something that many commands share. */
export interface Topic {
  summary: string;
  page: () => Promise<TopicPage>;
}

/** @param program the tree, with the common flags on it */
export type TopicPage = (program: Command) => Block[] | Promise<Block[]>;
