import { flagGroups } from "../flag-rows.ts";
import { columnOf, page, section, wrapped } from "../layout.ts";
import type { TopicPage } from "../topic.ts";

/** `relayctl help flags` */
export const flagsPage: TopicPage = (width, program) => {
  const groups = [...flagGroups(program)];
  const column = columnOf(
    groups.flatMap(([, rows]) => rows),
    width,
  );
  return page(
    wrapped("Every command takes these flags and -h, --help: before its name, within it and after it.", width),
    ...groups.map(([heading, rows]) => section(heading, rows, width, column)),
    wrapped(
      "A flag for one value that is given twice is an error. Variables for most of them: relayctl help environment",
      width,
    ),
  );
};
