import { readFileSync } from "node:fs";
import { allCommands } from "../../src/cli/all-commands.ts";
import { usesService } from "../../src/cli/request-flags.ts";

test("the page of contexts lists every command that reads from one context only", async () => {
  const page = readFileSync("docs/reference/configuration.md", "utf8");
  const [, list = ""] = /These work with only one context, [^:]*: ([\s\S]*?)\n- /.exec(page) ?? [];
  const listed = [...list.matchAll(/`([a-z][a-z -]*[a-z])`/g)].map(([, name = ""]) => name);
  const commands = await allCommands();
  const single = commands.filter(([, { sends, contexts }]) => sends === "read" && usesService(sends) && !contexts);
  expect(single.length).toBeGreaterThan(5);
  expect(single.map(([path]) => path).filter((path) => !listed.includes(path))).toEqual([]);
});
