import type { Config, Context } from "../../src/config/config.ts";
import type { ConnectionFlags } from "../../src/config/connection/typed-connection.ts";
import { resolveSettings, type ServiceSettings, type Settings } from "../../src/config/resolve-settings.ts";
import { RelayctlError } from "../../src/errors.ts";

const PROD: Context = { server: "https://prod.example/api/v1", token: "prod-token", protected: true };
const DEV: Context = {
  server: "http://dev.example",
  token_command: ["pass", "dev"],
  allow_http: true,
  ca_file: "/dev.pem",
};
const CONFIG: Config = { version: 1, current: "prod", contexts: { prod: PROD, dev: DEV } };

type Env = Record<string, string>;

async function resolve(flags: ConnectionFlags = {}, env: Env = {}, config: Config = CONFIG): Promise<ServiceSettings> {
  const settings = await resolveSettings(flags, env, async () => config);
  if (settings.demo) throw new Error("a service was expected");
  return settings;
}

async function neverRead(): Promise<Config> {
  throw new Error("the config was read");
}

async function failureOf(settings: Promise<Settings>): Promise<unknown> {
  return await settings.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("the server", () => {
  const SERVER = { RELAYCTL_SERVER: "https://env.example" };
  test.each<[string, ConnectionFlags, Env, string, string]>([
    ["the current context", {}, {}, "https://prod.example", "context prod"],
    ["the variable's context", {}, { RELAYCTL_CONTEXT: "dev" }, "http://dev.example", "context dev"],
    ["a given context", { context: "dev" }, { RELAYCTL_CONTEXT: "prod" }, "http://dev.example", "context dev"],
    ["the variable", {}, SERVER, "https://env.example", "RELAYCTL_SERVER"],
    [
      "the variable, along with a context in a variable",
      {},
      { ...SERVER, RELAYCTL_CONTEXT: "dev" },
      "https://env.example",
      "RELAYCTL_SERVER",
    ],
    ["a given context rather than the variable", { context: "prod" }, SERVER, "https://prod.example", "context prod"],
    ["the flag", { server: "https://flag.example/" }, SERVER, "https://flag.example", "--server"],
    [
      "the flag, along with a given context",
      { server: "https://flag.example", context: "prod" },
      {},
      "https://flag.example",
      "--server",
    ],
  ])("is taken from %s", async (_, flags, env, value, from) => {
    expect((await resolve(flags, env)).server).toEqual({ value, from });
  });

  test("is required, and the error shows how to configure one", () =>
    expect(resolve({}, {}, { version: 1, contexts: {} })).rejects.toMatchObject({
      failure: "usage",
      message: "no server configured. Run `relayctl auth login`, set RELAYCTL_SERVER, or try --demo",
      hint: "relayctl auth login",
    }));

  test.each([
    [["prod"], "relayctl context use prod"],
    [["prod", "test"], "relayctl context list"],
  ])("is required, and contexts %j that are not in use are pointed to", (names, hint) => {
    const contexts = Object.fromEntries(names.map((name) => [name, { server: "https://prod.example" }]));
    return expect(resolve({}, {}, { version: 1, contexts })).rejects.toMatchObject({
      message: "no context is in use, and RELAYCTL_SERVER is not set",
      hint,
    });
  });

  test("from a context is validated", async () => {
    const config: Config = {
      version: 1,
      current: "bad",
      contexts: { bad: { server: "https://me:hunter2@x.example" } },
    };
    await expect(resolve({}, {}, config)).rejects.toMatchObject({
      failure: "usage",
      message: "context bad: must not contain a user name, a password, a query, or a fragment",
    });
  });
});

describe("the token", () => {
  const TOKEN = { RELAYCTL_TOKEN: "env-token" };
  const FILE = { RELAYCTL_TOKEN_FILE: "/run/token" };
  const stored = { kind: "stored", from: "context prod", token: "prod-token", boundTo: "https://prod.example" };
  test.each<[string, ConnectionFlags, Env, object]>([
    ["the context", {}, {}, stored],
    ["the context, bound to its server even for another server", { server: "https://other.example" }, {}, stored],
    ["the variable", {}, TOKEN, { kind: "variable", from: "RELAYCTL_TOKEN", token: "env-token" }],
    ["the variable with a file", {}, FILE, { kind: "file", from: "RELAYCTL_TOKEN_FILE", path: "/run/token" }],
    ["the flag with a file", { tokenFile: "-" }, TOKEN, { kind: "file", from: "--token-file", path: "-" }],
    [
      "the flag with a file, along with a given context",
      { tokenFile: "t", context: "prod" },
      {},
      { kind: "file", from: "--token-file", path: "t" },
    ],
    ["a given context rather than the variables", { context: "prod" }, { ...TOKEN, ...FILE }, stored],
    [
      "the context's command",
      { context: "dev" },
      {},
      { kind: "command", from: "context dev", argv: ["pass", "dev"], boundTo: "http://dev.example" },
    ],
  ])("is taken from %s", async (_, flags, env, token) => expect((await resolve(flags, env)).token).toEqual(token));

  test("may be missing", async () => {
    const config: Config = { version: 1, current: "bare", contexts: { bare: { server: "https://x.example" } } };
    expect((await resolve({}, {}, config)).token).toEqual({ kind: "none" });
  });

  test("from two variables is an error", () =>
    expect(resolve({}, { ...TOKEN, ...FILE })).rejects.toThrow("RELAYCTL_TOKEN_FILE: RELAYCTL_TOKEN is set too"));
});

describe("a context", () => {
  test("is returned with its source and its protection", async () => {
    expect(await resolve()).toMatchObject({ context: { value: "prod", from: "config.json" }, protected: true });
    expect(await resolve({}, { RELAYCTL_CONTEXT: "dev" })).toMatchObject({
      context: { value: "dev", from: "RELAYCTL_CONTEXT" },
      protected: false,
    });
  });

  test("is not found if unknown", () =>
    expect(resolve({ context: "stagng" })).rejects.toMatchObject({
      failure: "not_found",
      because: ["known contexts: dev, prod"],
    }));

  test("given by a flag overrides the environment, with a note for each variable", async () => {
    const env = { RELAYCTL_SERVER: "https://env.example", RELAYCTL_TOKEN: "env-token" };
    expect((await resolve({ context: "prod" }, env)).variableNotes).toEqual([
      "RELAYCTL_SERVER is ignored because --context is set",
      "RELAYCTL_TOKEN is ignored because --context is set",
    ]);
  });
});

test.each<[string, ConnectionFlags, Env, string, boolean]>([
  ["a variable overrides the current context", {}, { RELAYCTL_CONTEXT: "dev" }, "/env.pem", true],
  ["a given context overrides the variable", { context: "dev" }, {}, "/dev.pem", false],
  ["a flag overrides a given context", { context: "dev", caFile: "f.pem", allowHttp: true }, {}, "f.pem", true],
  ["a variable fills in what a given context lacks", { context: "prod" }, {}, "/env.pem", true],
])("%s", async (_, flags, env, caFile, allowHttp) => {
  const contexts = { prod: PROD, dev: { ...DEV, server: "https://dev.example", allow_http: false } };
  const all = { RELAYCTL_CA_FILE: "/env.pem", RELAYCTL_ALLOW_HTTP: "yes", ...env };
  const settings = await resolve(flags, all, { version: 1, contexts });
  expect([settings.caFiles[0]?.value, settings.allowHttp.value]).toEqual([caFile, allowHttp]);
});

describe("the config", () => {
  const BOTH = { RELAYCTL_SERVER: "https://env.example", RELAYCTL_TOKEN: "env-token" };

  test("is not read if variables specify server and token", async () => {
    const settings = await resolveSettings({}, BOTH, neverRead);
    expect(settings).toMatchObject({ demo: false, protected: false, token: { kind: "variable" } });
    expect(settings).not.toHaveProperty("context");
  });

  test("is read only for a note if flags specify both, and may be unreadable", async () => {
    const unreadable = () => Promise.reject(new RelayctlError("usage", "config.json: is not JSON"));
    const settings = await resolveSettings({ server: "https://x.example", tokenFile: "-" }, {}, unreadable);
    expect(settings).toMatchObject({ protected: false, notes: [], token: { kind: "file" } });
    expect(settings).not.toHaveProperty("context");
  });

  test("is not read for the demo or with invalid flags", async () => {
    await resolveSettings({ demo: true }, {}, neverRead);
    await expect(resolveSettings({ timeout: "30" }, {}, neverRead)).rejects.toThrow("needs a unit");
  });

  test("is read if a variable also specifies a context", () =>
    expect(resolveSettings({}, { ...BOTH, RELAYCTL_CONTEXT: "prod" }, neverRead)).rejects.toThrow(
      "the config was read",
    ));
});

describe("the server of a protected context", () => {
  const NOTE = "this is the server of the protected context prod; only --context prod asks for its name before writes";
  const ENV = { RELAYCTL_SERVER: "https://prod.example/", RELAYCTL_TOKEN: "t" };

  test.each<[string, ConnectionFlags, Env]>([
    ["a context in a variable", {}, { ...ENV, RELAYCTL_CONTEXT: "dev" }],
    ["a flag for the server", { server: "https://prod.example" }, { RELAYCTL_TOKEN: "t" }],
    ["a flag for the token", { tokenFile: "token" }, { RELAYCTL_SERVER: "https://prod.example" }],
    ["flags for both", { server: "https://prod.example/api/v1", tokenFile: "-" }, {}],
    ["a given context", { context: "dev", server: "https://prod.example:443" }, {}],
  ])("has one note if %s selects it without the protected context", async (_, flags, env) => {
    expect((await resolve(flags, env)).notes.filter((note) => note.includes("protected"))).toEqual([NOTE]);
  });

  test("has a note if another context has the same server", async () => {
    const config = {
      ...CONFIG,
      contexts: { ...CONFIG.contexts, open: { server: "https://prod.example", token: "t" } },
    };
    expect((await resolve({ context: "open" }, {}, config)).notes).toEqual([NOTE]);
  });

  test.each<[string, ConnectionFlags, Env]>([
    ["it is the server of the context in use", {}, {}],
    ["a flag specifies the same server", { context: "prod", server: "https://prod.example" }, {}],
    ["another server is in use", {}, { RELAYCTL_SERVER: "https://other.example", RELAYCTL_CONTEXT: "dev" }],
  ])("has no note if %s", async (_, flags, env) => {
    expect((await resolve(flags, env)).notes.filter((note) => note.includes("protected"))).toEqual([]);
  });

  test("has no note if variables specify server and token, since the config is not read", async () =>
    expect(await resolveSettings({}, ENV, neverRead)).toMatchObject({ protected: false, notes: [] }));
});

describe("an empty value", () => {
  test.each(["RELAYCTL_SERVER", "RELAYCTL_TOKEN", "RELAYCTL_TOKEN_FILE"])("for %s is an error", async (name) => {
    const error = await failureOf(resolveSettings({ server: "https://x.example" }, { [name]: "" }, neverRead));
    expect(error).toMatchObject({ failure: "usage", message: `${name}: is empty; give it a value, or unset it` });
  });

  test("counts as unset for other variables", async () => {
    const names = ["CONTEXT", "TIMEOUT", "RETRIES", "PROXY", "CA_FILE", "ALLOW_HTTP"].map((name) => `RELAYCTL_${name}`);
    const empty = Object.fromEntries([...names, "HTTPS_PROXY", "NODE_EXTRA_CA_CERTS"].map((name) => [name, ""]));
    expect(await resolve({}, empty)).toEqual(await resolve());
  });

  test.each<[string, ConnectionFlags]>([
    ["--context", { context: "" }],
    ["--server", { server: "" }],
    ["--token-file", { tokenFile: "" }],
    ["--ca-file", { caFile: "" }],
    ["--proxy", { proxy: "" }],
    ["--timeout", { timeout: "" }],
    ["--deadline", { deadline: "" }],
    ["--retries", { retries: "" }],
  ])("for %s is an error", async (flag, flags) => {
    const error = await failureOf(resolveSettings(flags, {}, neverRead));
    expect(error).toMatchObject({ failure: "usage", details: [{ where: flag }] });
  });
});

describe("plain HTTP", () => {
  const PLAIN = { RELAYCTL_SERVER: "http://relayer.example", RELAYCTL_TOKEN: "env-token" };
  const note = ["the token is sent to http://relayer.example without encryption, as allowed"];

  test("to another host is rejected", () =>
    expect(resolve({}, PLAIN)).rejects.toMatchObject({
      failure: "usage",
      message: expect.stringContaining("RELAYCTL_SERVER http://relayer.example: plain HTTP would expose the token"),
    }));

  test("to the loopback needs no permission", async () =>
    expect((await resolve({}, { ...PLAIN, RELAYCTL_SERVER: "http://127.0.0.1:1" })).notes).toEqual([]));

  test("is allowed by the flag or the variable, with a note", async () => {
    expect((await resolve({ allowHttp: true }, PLAIN)).notes).toEqual(note);
    const settings = await resolve({}, { ...PLAIN, RELAYCTL_ALLOW_HTTP: "1" });
    expect(settings).toMatchObject({ notes: note, allowHttp: { value: true, from: "RELAYCTL_ALLOW_HTTP" } });
  });

  test("is allowed by a context only to its own server", async () => {
    expect((await resolve({ context: "dev" })).allowHttp).toEqual({ value: true, from: "context dev" });
    await expect(resolve({ context: "dev", server: "http://other.example" })).rejects.toThrow("plain HTTP");
  });

  test("is rejected if the variable forbids it, even if the context allows it", () =>
    expect(resolve({}, { RELAYCTL_CONTEXT: "dev", RELAYCTL_ALLOW_HTTP: "false" })).rejects.toThrow("plain HTTP"));
});

describe("limits", () => {
  test("have defaults, except the deadline", async () => {
    const settings = await resolve();
    expect(settings.timeout).toEqual({ value: 30_000, from: "default" });
    expect(settings.retries).toEqual({ value: 2, from: "default" });
    expect(settings).not.toHaveProperty("deadline");
  });

  test("are taken from variables, and from flags first", async () => {
    const env = { RELAYCTL_TIMEOUT: "5s", RELAYCTL_RETRIES: "0" };
    expect(await resolve({}, env)).toMatchObject({
      timeout: { value: 5_000, from: "RELAYCTL_TIMEOUT" },
      retries: { value: 0, from: "RELAYCTL_RETRIES" },
    });
    expect(await resolve({ timeout: "1m", retries: "10", deadline: "1h" }, env)).toMatchObject({
      timeout: { value: 60_000, from: "--timeout" },
      retries: { value: 10, from: "--retries" },
      deadline: { value: 3_600_000, from: "--deadline" },
    });
  });

  test.each(["-1", "1.5", "11", "two", " 2", "0x2"])("%j is not a number of retries", async (retries) => {
    await expect(resolve({ retries })).rejects.toThrow(`--retries ${retries}: must be a whole number from 0 to 10`);
  });
});

test("certificates are those of the selected file and of Node", async () => {
  const env = { NODE_EXTRA_CA_CERTS: "/node.pem", RELAYCTL_CA_FILE: "/env.pem" };
  const node = { value: "/node.pem", from: "NODE_EXTRA_CA_CERTS" };
  expect((await resolve({ caFile: "f.pem" }, env)).caFiles).toEqual([{ value: "f.pem", from: "--ca-file" }, node]);
  expect((await resolve({}, env)).caFiles).toEqual([{ value: "/env.pem", from: "RELAYCTL_CA_FILE" }, node]);
  expect((await resolve({ context: "dev" })).caFiles).toEqual([{ value: "/dev.pem", from: "context dev" }]);
  expect((await resolve()).caFiles).toEqual([]);
});

describe("the demo", () => {
  test("overrides every variable and context", async () => {
    const env = { RELAYCTL_SERVER: "", RELAYCTL_TOKEN: "x", RELAYCTL_CONTEXT: "gone", RELAYCTL_TIMEOUT: "5s" };
    expect(await resolveSettings({ demo: true }, env, neverRead)).toEqual({
      demo: true,
      timeout: { value: 5_000, from: "RELAYCTL_TIMEOUT" },
      retries: { value: 2, from: "default" },
      notes: [],
      variableNotes: [],
    });
  });

  test("cannot be combined with a flag for another target", async () => {
    const flags = { demo: true, context: "prod", server: "https://x.example", tokenFile: "-" } as const;
    expect(await failureOf(resolveSettings(flags, {}, neverRead))).toMatchObject({
      failure: "usage",
      details: ["--context", "--server", "--token-file"].map((where) => ({
        where,
        rule: "cannot be combined with --demo",
      })),
    });
  });
});

test("reports every error at once", async () => {
  const flags = { timeout: "30", deadline: "0s", server: "ftp://x", proxy: "socks5://me:hunter2@p" };
  const env = { RELAYCTL_RETRIES: "-1", RELAYCTL_TOKEN: "", RELAYCTL_ALLOW_HTTP: "maybe" };
  expect(await failureOf(resolveSettings(flags, env, neverRead))).toMatchObject({
    message: "7 problems, nothing was sent",
    details: [
      { where: "--timeout", given: "30", rule: "needs a unit, e.g. 30s" },
      { where: "RELAYCTL_RETRIES", given: "-1" },
      { where: "--deadline", given: "0s" },
      { where: "RELAYCTL_TOKEN" },
      { where: "--server", rule: "must begin with https:// or http://" },
      { where: "RELAYCTL_ALLOW_HTTP", given: "maybe" },
      { where: "--proxy", rule: "must begin with http:// or https://" },
    ],
  });
});

test("reports a misspelled variable", async () =>
  expect((await resolve({}, { RELAYCTL_CONTXT: "dev" })).variableNotes).toEqual([
    "RELAYCTL_CONTXT has no effect; did you mean RELAYCTL_CONTEXT?",
  ]));
