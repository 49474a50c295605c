import type { Context } from "../../../src/config/config.ts";
import { EMPTY, runWith } from "./stored-world.ts";

test("lists the contexts by name, without their tokens", async () => {
  const { exitCode, stdout } = await runWith(["context", "list", "-o", "json"]);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual([
    {
      name: "dev",
      current: false,
      server: "http://127.0.0.1:8080",
      token: "command",
      token_command: ["pass", "dev"],
      protected: false,
      ca_file: "/ca.pem",
      allow_http: false,
      require_reason: false,
      journal: null,
      max_value: null,
      max_per_day: null,
      allow_to: null,
      headers: "none",
      read_only: false,
      approvers: null,
      approvals: null,
      erc20: null,
    },
    {
      name: "prod",
      current: true,
      server: "https://prod.example",
      token: "stored",
      token_command: null,
      protected: true,
      ca_file: null,
      allow_http: false,
      require_reason: false,
      journal: null,
      max_value: null,
      max_per_day: null,
      allow_to: null,
      headers: "none",
      read_only: false,
      approvers: null,
      approvals: null,
      erc20: null,
    },
  ]);
});

test("prints a table on a terminal", async () => {
  const { stdout } = await runWith(["context", "list"], { terminal: true });
  expect(stdout).toMatchInlineSnapshot(`
    "[2mNAME[22m  [2mCURRENT[22m  [2mSERVER[22m                 [2mTOKEN[22m    [2mWRITES[22m
    dev   [2m–[22m        http://127.0.0.1:8080  command  [2m–[22m
    prod  current  https://prod.example   stored   protected
    "
  `);
});

test.each([
  [{ protected: true, read_only: true }, "read-only, protected"],
  [{ protected: true, approvers: { signers: [], needed: 2 } }, "protected, signed"],
])("shows what writes to a context with %o need", async (rules, words) => {
  const prod = { server: "https://prod.example", ...rules } as Context;
  const config = { version: 1 as const, contexts: { prod } };
  const { stdout } = await runWith(["context", "list"], { config, terminal: true });
  expect(stdout.trimEnd().endsWith(words)).toBe(true);
});

test("selects fields, and suggests none for an unknown field", async () => {
  expect((await runWith(["context", "list", "--fields", "name,token"])).stdout).toBe("dev\tcommand\nprod\tstored\n");
  expect((await runWith(["context", "list", "-o", "name"])).stdout).toBe("dev\nprod\n");
  const { exitCode, stderr } = await runWith(["context", "list", "--fields", "tokn"]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("--fields tokn")]);
});

test("shows the searched file if there is no context", async () => {
  const { stdout, stderr } = await runWith(["context", "list"], { config: EMPTY });
  expect([stdout, stderr]).toEqual(["", "no contexts in config.json\n"]);
});

test.each(["--demo", "--dry-run", "--curl"])("rejects %s", async (flag) => {
  const { exitCode, stderr } = await runWith(["context", "list", flag]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`${flag}: not supported: this command `)]);
});
