import { type ContextChange, changedContext } from "../../../src/commands/context/change.ts";
import type { Context } from "../../../src/config/config.ts";

const BEFORE: Context = {
  server: "http://one.example",
  token: "t",
  protected: true,
  ca_file: "/ca.pem",
  allow_http: true,
};

test.each<[string, ContextChange, Partial<Context>, (keyof Context)[]]>([
  ["nothing", {}, {}, []],
  ["the same server", { server: "http://one.example" }, {}, []],
  [
    "another server, without what was trusted for the old one",
    { server: "https://two.example" },
    { server: "https://two.example" },
    ["token", "allow_http"],
  ],
  [
    "another server, with plain HTTP allowed again",
    { server: "http://two.example", allow_http: true },
    { server: "http://two.example" },
    ["token"],
  ],
  ["a token command, which replaces the token", { token_command: ["pass"] }, { token_command: ["pass"] }, ["token"]],
  ["no token command, with none before", { token_command: null }, {}, []],
  ["no protection", { protected: false }, { protected: false }, []],
  ["no certificates", { ca_file: null }, {}, ["ca_file"]],
  ["other certificates", { ca_file: "/b.pem" }, { ca_file: "/b.pem" }, []],
  ["no plain HTTP", { allow_http: false }, { allow_http: false }, []],
])("a context changed by %s", (_, change, more, gone) => {
  const expected: Context = { ...BEFORE, ...more };
  for (const key of gone) delete expected[key as "token"];
  expect(changedContext(BEFORE, change)).toEqual(expected);
});

test("removes a token command on request, but not with a new server", () => {
  const before: Context = { server: "https://one.example", token_command: ["pass"] };
  expect(changedContext(before, { token_command: null })).toEqual({ server: "https://one.example" });
  expect(changedContext(before, { server: "https://two.example" })).toEqual({
    server: "https://two.example",
    token_command: ["pass"],
  });
});

test("treats an unreadable server as another server", () => {
  const before: Context = { server: "https://me:pw@one.example", token: "t" };
  expect(changedContext(before, { server: "https://one.example" })).toEqual({ server: "https://one.example" });
});
