import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { programEnvironment } from "../../src/config/environment.ts";
import { configFolder, locationSubfolder, stateFolder } from "../../src/config/location.ts";
import { createMachine } from "../../src/config/machine/machine.ts";
import { hasNodes, nodeUrlFor, nodeVariable, parseNodeUrl, shownNodes } from "../../src/config/nodes.ts";
import { unknownVariableNotes } from "../../src/config/variables.ts";
import { createAuthority } from "../faults/server/certificates.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const HOME = "/home/ada";

describe("the config folder", () => {
  test.each([
    [{ HOME }, "linux", "/home/ada/.config/relayctl"],
    [{ HOME }, "darwin", "/home/ada/.config/relayctl"],
    [{ HOME, XDG_CONFIG_HOME: "/xdg" }, "linux", "/xdg/relayctl"],
    [{ XDG_CONFIG_HOME: "/xdg" }, "linux", "/xdg/relayctl"],
    [{ HOME, XDG_CONFIG_HOME: "relative" }, "linux", "/home/ada/.config/relayctl"],
    [{ HOME, XDG_CONFIG_HOME: "" }, "linux", "/home/ada/.config/relayctl"],
    [{ HOME, XDG_CONFIG_HOME: "/xdg", RELAYCTL_CONFIG_DIR: "/own" }, "linux", "/own"],
    [{ HOME, RELAYCTL_CONFIG_DIR: "" }, "linux", "/home/ada/.config/relayctl"],
    [{ APPDATA: "C:\\Users\\ada\\AppData\\Roaming" }, "win32", "C:\\Users\\ada\\AppData\\Roaming\\relayctl"],
    [{ APPDATA: "C:\\ada", RELAYCTL_CONFIG_DIR: "D:\\own" }, "win32", "D:\\own"],
  ])("with %j on %s is %s", (env, platform, folder) => expect(configFolder(env, platform)).toBe(folder));

  test.each([
    [{}, "linux", "HOME: is not set"],
    [{ HOME: "" }, "linux", "HOME: is not set"],
    [{ HOME: "ada" }, "linux", "HOME: is not an absolute path"],
    [{}, "win32", "APPDATA: is not set"],
  ])("with %j on %s is an error with the name of the variable", (env, platform, message) => {
    expect(() => configFolder(env, platform)).toThrow(message);
  });
});

test.each([
  [{ HOME }, "linux", "/home/ada/.local/state/relayctl"],
  [{ HOME, XDG_STATE_HOME: "/xdg" }, "linux", "/xdg/relayctl"],
  [{ HOME, XDG_STATE_HOME: "relative" }, "linux", "/home/ada/.local/state/relayctl"],
  [{ HOME, XDG_STATE_HOME: "/xdg", RELAYCTL_CONFIG_DIR: "/own" }, "linux", "/own"],
  [{ LOCALAPPDATA: "C:\\ada" }, "win32", "C:\\ada\\relayctl"],
])("the state folder with %j on %s is %s", (env, platform, folder) => expect(stateFolder(env, platform)).toBe(folder));

test("the journals of a service and of the demo are in the state folder", () => {
  expect(locationSubfolder("journal", { HOME }, "linux")).toBe("/home/ada/.local/state/relayctl/journal");
  expect(locationSubfolder("demo-journal", { LOCALAPPDATA: "C:\\ada" }, "win32")).toBe(
    "C:\\ada\\relayctl\\demo-journal",
  );
});

describe("the machine", () => {
  /** Two folders of PATH with programs named `tool`. */
  function twoFolders() {
    const folder = temporaryFolder();
    const [one, other] = ["one", "other"].map((name) => join(folder, name));
    for (const path of [one, other]) mkdirSync(path ?? "");
    for (const path of [one, other]) writeFileSync(join(path ?? "", "tool"), "#!/bin/sh\n", { mode: 0o755 });
    return { folder, one: one ?? "", other: other ?? "" };
  }

  test("finds the programs with a name in the order of PATH, and each once", () => {
    const { folder, one, other } = twoFolders();
    symlinkSync(join(one, "tool"), join(folder, "tool"));
    mkdirSync(join(folder, "folders/tool"), { recursive: true });
    const path = [join(folder, "missing"), other, join(folder, "folders"), folder, one].join(":");
    const machine = createMachine({ PATH: path }, "linux");
    expect(machine.programs("tool")).toEqual([join(other, "tool"), join(one, "tool")]);
    expect(machine.programs("gone")).toEqual([]);
  });

  test("can run a file that is executable, by its path or its name", () => {
    const { one } = twoFolders();
    const machine = createMachine({ PATH: one }, "linux");
    expect(["tool", join(one, "tool"), "gone", join(one, "gone"), one].map(machine.canRun)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    chmodSync(join(one, "tool"), 0o644);
    expect(machine.canRun("tool")).toBe(false);
  });

  test("can write to a folder, or to one that can be created", () => {
    const { folder, one } = twoFolders();
    const { canWrite } = createMachine({}, "linux");
    expect([one, join(folder, "a/b/c"), join(one, "tool"), join(one, "tool/below")].map(canWrite)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test("sees no time of a file that it cannot reach", () => {
    const { folder, one } = twoFolders();
    symlinkSync("loop", join(folder, "loop"));
    const { changedAt } = createMachine({}, "linux");
    const paths = ["gone", "loop", "loop/below", "one/tool/below", "a".repeat(5_000)];
    expect(paths.map((path) => changedAt(join(folder, path)))).toEqual(paths.map(() => undefined));
    expect(changedAt(join(one, "tool"))).toBeGreaterThan(0);
  });

  test("reads when the certificates of a file expire", () => {
    const folder = temporaryFolder();
    const [key, pem] = [join(folder, "key"), join(folder, "pem")];
    const subject = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=test"];
    execFileSync("openssl", ["req", "-x509", ...subject, "-keyout", key, "-out", pem, "-days", "3650"], {
      stdio: "ignore",
    });
    const text = readFileSync(pem, "utf8");
    const { expiries } = createMachine({}, "linux");
    const [first, second, ...others] = expiries(`# two\n${text}${text}`);
    expect([first === second, others, new Date(first ?? 0).getUTCFullYear() > 2030]).toEqual([true, [], true]);
    expect(expiries("nothing")).toEqual([]);
    const damaged = text.replace(/\n[A-Za-z0-9+/]{20}/, "\nAAAAAAAAAAAAAAAAAAAA");
    expect(() => expiries(damaged)).toThrow();
  });

  test("follows the chain of a certificate through its file", () => {
    const { chain } = createMachine({}, "linux");
    const until = new Date("2031-02-03T00:00:00Z");
    const [authority, other] = [createAuthority("an authority"), createAuthority("another")];
    const { cert } = authority.issue({ until });
    const ends = until.getTime();
    expect(chain(cert)).toEqual({ ends, missing: "CN=an authority", others: 0 });
    expect(chain(`${cert}${other.cert}`)).toEqual({ ends, missing: "CN=an authority", others: 1 });
    expect(chain(`${cert}${authority.cert}`)).toEqual({ ends, others: 0 });
    expect(chain(authority.cert)).toEqual({ ends: Date.parse("2049-01-01T00:00:00Z"), others: 0 });
  });
});

const STORED = { mainnet: "https://context.example/0123456789abcdef0123" };
const ENV = { RELAYCTL_NODE_ARBITRUM_ONE: "https://variable.example/v2?key=0123456789abcdef0123" };

describe("the node of a network", () => {
  test("has a variable in upper case, with underscores for dashes", () => {
    expect(nodeVariable("arbitrum-one")).toBe("RELAYCTL_NODE_ARBITRUM_ONE");
    expect(nodeUrlFor("arbitrum-one", ENV, {})).toBe("https://variable.example/v2?key=0123456789abcdef0123");
  });

  test("comes from the context unless a variable overrides it", () => {
    expect(nodeUrlFor("mainnet", {}, STORED)).toBe(STORED.mainnet);
    const env = { RELAYCTL_NODE_MAINNET: "https://variable.example" };
    expect(nodeUrlFor("mainnet", env, STORED)).toBe("https://variable.example/");
    expect(nodeUrlFor("mainnet", { RELAYCTL_NODE_MAINNET: "" }, STORED)).toBe(STORED.mainnet);
  });

  test("is not that of another network, or a name that every object has", () => {
    expect(nodeUrlFor("sepolia", ENV, STORED)).toBeUndefined();
    expect(nodeUrlFor("constructor", {}, {})).toBeUndefined();
  });

  test.each([
    [{ RELAYCTL_NODE_MAINNET: "ws://node.example/0123456789" }, {}, "RELAYCTL_NODE_MAINNET"],
    [{}, { mainnet: "node.example/0123456789" }, "nodes.mainnet of the context"],
  ])("is a usage error that never quotes an invalid URL: %j", (env, stored, where) => {
    expect(() => nodeUrlFor("mainnet", env, stored)).toThrow(
      expect.objectContaining({
        failure: "usage",
        details: [{ where, rule: "must begin with https:// or http://" }],
      }),
    );
  });

  test("counts as set if a variable or the context has any", () => {
    expect([hasNodes({}, {}), hasNodes(ENV, {}), hasNodes({}, STORED)]).toEqual([false, true, true]);
    expect(hasNodes({ RELAYCTL_NODE_MAINNET: "" }, {})).toBe(false);
  });

  test("is shown masked, with its source", () => {
    expect(shownNodes({ ...ENV, PATH: "/bin" }, STORED)).toEqual([
      { network: "arbitrum-one", url: "https://variable.example/***", from: "RELAYCTL_NODE_ARBITRUM_ONE" },
      { network: "mainnet", url: "https://context.example/***", from: "the context" },
    ]);
    expect(shownNodes({ RELAYCTL_NODE_MAINNET: "https://v.example" }, STORED)).toEqual([
      { network: "mainnet", url: "https://v.example", from: "RELAYCTL_NODE_MAINNET" },
    ]);
  });

  test("has a variable that is known, and that no other program sees", () => {
    expect(unknownVariableNotes(ENV)).toEqual([]);
    expect(programEnvironment({ ...ENV, PATH: "/bin" })).toEqual({ PATH: "/bin" });
  });
});

test.each(["https://u:p@rpc.example/a%20b?x=1", "http://10.0.0.1:8545", "https://rpc.example"])(
  "%s is the URL of a node",
  (url) => expect(parseNodeUrl(url)).toBe(new URL(url).href),
);

test.each([
  "",
  "rpc.example",
  "ws://rpc.example",
  "https://",
  "https://a b",
  "https://a/#x",
  "https://a/%zz",
  "https://a\\b",
])("%j is not the URL of a node", (url) => expect(() => parseNodeUrl(url)).toThrow());
