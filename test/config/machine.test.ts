import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createMachine } from "../../src/config/machine/machine.ts";
import { createAuthority } from "../faults/server/certificates.ts";
import { temporaryFolder } from "./temporary-folder.ts";

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
