import { relative } from "node:path";
import { DIFFERENCES } from "./differences.ts";
import { EXECUTABLE } from "./program.ts";
import { ROOT } from "./relayctl.ts";

/** Skips, for an executable, the tests that are listed with their reasons. */
beforeEach((context) => {
  if (!EXECUTABLE) return;
  const { name, file } = context.task;
  const listed = DIFFERENCES.find((each) => each.file === relative(ROOT, file.filepath) && each.title === name);
  if (listed) context.skip(listed.reason);
});
