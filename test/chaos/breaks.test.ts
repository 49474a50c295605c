import { existsSync, readFileSync } from "node:fs";
import breaks from "./breaks.json" with { type: "json" };

test.each(breaks)("$what: one place of $file can be broken", ({ file, old, test: found }) => {
  expect(readFileSync(file, "utf8").split(old)).toHaveLength(2);
  expect(found === undefined || existsSync(found), found).toBe(true);
});
