import type { Command } from "commander";

/** A page about something that many commands share. */
export interface Topic {
  summary: string;
  page: () => Promise<TopicPage>;
}

/** @param program the tree, with the common flags on it */
export type TopicPage = (width: number, program: Command) => string | Promise<string>;
