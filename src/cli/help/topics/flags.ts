import { type TopicPage, textOf } from "../block.ts";
import { flagSections } from "../flag-sections.ts";

export const flagsPage: TopicPage = (program) => [
  textOf("Every command takes these flags and -h, --help. They can stand before, within, or after the command's name."),
  { kind: "sections", sections: flagSections(program), apart: true },
  textOf(
    "A flag that takes one value is an error if it is given twice. Most flags have a variable: run `relayctl help environment`.",
  ),
];
