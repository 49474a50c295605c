import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { buildDeb } from "../../../scripts/release/deb.js";
import { debianVersion } from "../../../scripts/release/debian-texts.js";
import { PLATFORMS } from "../../../scripts/release/platforms.js";
import { type Archived, readAr, readTar } from "./read-archive.ts";

const ROOT = join(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "relayctl-deb-"));
const EPOCH = 1_700_000_001;
/** Stands for the executable, with an odd number of bytes. */
const EXECUTABLE = "#!/bin/sh\necho executable\n\n";

let members: Map<string, Buffer>;
let files: Map<string, Archived>;

beforeAll(async () => {
  const bytes = readFileSync(await build("linux-x64", "first"));
  members = readAr(bytes);
  files = readTar(members.get("data.tar.gz") ?? Buffer.alloc(0));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function build(name: string, into: string): Promise<string> {
  const executable = join(folder, "relayctl");
  writeFileSync(executable, EXECUTABLE);
  mkdirSync(join(folder, into), { recursive: true });
  const platform = PLATFORMS.find((each) => each.name === name) as (typeof PLATFORMS)[0];
  const about = { platform, version: "1.2.0", licenses: "Every license\n", epoch: EPOCH };
  return buildDeb({ ...about, executable, into: join(folder, into) });
}

function unpacked(path: string): string {
  return gunzipSync(files.get(`./usr/share/${path}`)?.content ?? "").toString();
}

test("the package has the parts of format 2.0, in their order", () => {
  expect([...members.keys()]).toEqual(["debian-binary", "control.tar.gz", "data.tar.gz"]);
  expect(members.get("debian-binary")?.toString()).toBe("2.0\n");
});

test("every path is sorted, belongs to root, has the time of the release, and can be written by root alone", () => {
  expect([...files.keys()]).toEqual([...files.keys()].sort());
  for (const [path, { owner, time, mode }] of files)
    expect([path, owner, time, mode & 0o022]).toEqual([path, "0:0 root:root", EPOCH, 0]);
});

test("the executable can be run by everyone", () => {
  const program = files.get("./usr/bin/relayctl");
  expect(program).toMatchObject({ type: "file", mode: 0o755 });
  expect(program?.content.toString()).toBe(EXECUTABLE);
});

test("every manual page is installed where man finds it", () => {
  const pages = readdirSync(join(ROOT, "man"));
  expect(pages).toContain("relayctl-relayers.1");
  for (const page of pages) expect(unpacked(`man/man1/${page}.gz`)).toBe(readFileSync(join(ROOT, "man", page), "utf8"));
});

test.each([
  ["bash", "bash-completion/completions/relayctl", "relayctl.bash"],
  ["zsh", "zsh/vendor-completions/_relayctl", "_relayctl"],
  ["fish", "fish/vendor_completions.d/relayctl.fish", "relayctl.fish"],
])("the completion of %s is installed where the shell finds it", (_, path, file) => {
  expect(files.get(`./usr/share/${path}`)?.content).toEqual(readFileSync(join(ROOT, "completions", file)));
});

test("the documents hold the license of the project, all licenses, and both changelogs", () => {
  const copyright = files.get("./usr/share/doc/relayctl/copyright")?.content.toString();
  expect(copyright).toMatch(/^Copyright: 2026 the relayctl authors$/m);
  expect(copyright).toMatch(/^License: Expat\n Permission is hereby granted.*(\n .+)+\n SOFTWARE\.\n$/m);
  expect(unpacked("doc/relayctl/LICENSES.txt.gz")).toBe("Every license\n");
  expect(unpacked("doc/relayctl/CHANGELOG.md.gz")).toMatch(/^# Changelog/);
  expect(unpacked("doc/relayctl/changelog.gz")).toMatch(
    /^relayctl \(1\.2\.0\) .+> {2}Tue, 14 Nov 2023 22:13:21 \+0000$/ms,
  );
});

test("what is compressed has no time and no name in it", () => {
  const packed = [...files].filter(([path]) => path.endsWith(".gz"));
  expect(packed.length).toBeGreaterThan(10);
  for (const [path, { content }] of packed)
    expect([path, content.subarray(0, 10).toString("hex")]).toEqual([path, "1f8b0800000000000203"]);
});

test("the control file describes the package, and each sum is that of its file", () => {
  const control = readTar(members.get("control.tar.gz") ?? Buffer.alloc(0));
  const fields = control.get("./control")?.content.toString() ?? "";
  expect(fields).toMatch(/^Package: relayctl\nVersion: 1\.2\.0\nArchitecture: amd64\n/);
  expect(fields).toMatch(/^Depends: libc6 \(>= 2\.17\)$/m);
  const kept = [...files.values()].filter(({ type }) => type === "file");
  const size = kept.reduce((total, { content }) => total + Math.ceil(content.length / 1024), 0);
  expect(fields).toMatch(new RegExp(`^Installed-Size: ${size}$`, "m"));
  const sums = (control.get("./md5sums")?.content.toString() ?? "").trimEnd().split("\n");
  expect(sums).toHaveLength(kept.length);
  for (const line of sums) {
    const [sum = "", path] = line.split("  ");
    expect(
      createHash("md5")
        .update(files.get(`./${path}`)?.content ?? "")
        .digest("hex"),
      path,
    ).toBe(sum);
  }
});

test("the package is the same when it is built again, and differs for another processor", async () => {
  const [first, again, other] = [
    await build("linux-x64", "first"),
    await build("linux-x64", "again"),
    await build("linux-arm64", "first"),
  ];
  expect(readFileSync(again).equals(readFileSync(first))).toBe(true);
  expect(first).toMatch(/relayctl_1\.2\.0_amd64\.deb$/);
  expect(other).toMatch(/relayctl_1\.2\.0_arm64\.deb$/);
  const control = readTar(readAr(readFileSync(other)).get("control.tar.gz") ?? Buffer.alloc(0));
  expect(control.get("./control")?.content.toString()).toContain("\nArchitecture: arm64\n");
});

const hasDpkg = spawnSync("dpkg-deb", ["--version"]).status === 0;

test.skipIf(!hasDpkg)("dpkg-deb reads the package and unpacks it (skipped without dpkg-deb)", async () => {
  const target = join(folder, "unpacked");
  const { status, stderr } = spawnSync("dpkg-deb", ["--extract", await build("linux-x64", "first"), target]);
  expect([status, stderr.toString()]).toEqual([0, ""]);
  for (const [path, { type, content }] of files)
    if (type === "file") expect(readFileSync(join(target, path)).equals(content), path).toBe(true);
});

test("a version before a release sorts before it", () => expect(debianVersion("2.0.0-rc.1")).toBe("2.0.0~rc.1"));
