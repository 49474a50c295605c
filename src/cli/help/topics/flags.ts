import { textOf } from "../block.ts";
import { flagSections } from "../flag-sections.ts";
import type { TopicPage } from "../topic.ts";

/** `relayctl help flags` */
export const flagsPage: TopicPage = (program) => [
  textOf("Every command takes these flags and -h, --help: before its name, within it and after it."),
  { kind: "sections", sections: flagSections(program), apart: true },
  textOf("A flag for one value that is given twice is an error. Variables for most of them: relayctl help environment"),
];
