import { readFileSync } from "node:fs";
import { join } from "node:path";
import { headerProblem } from "../../../scripts/release/headers.js";
import { PLATFORMS } from "../../../scripts/release/platforms.js";
import { signed } from "../../../scripts/release/sign-macos.js";
import { gzip, tar } from "../../../scripts/release/tar.js";
import { DIFFERENCES } from "../../e2e/differences.ts";
import { readTar } from "./read-archive.ts";

const MAC = { os: "darwin", cpu: "x64" };
const [SIGNATURE_AT, SIGNATURE_SIZE] = [10_000, 500];

/** The parts of an executable of macOS that its signature depends on: two segments, and the place of the signature. */
function machO(): Buffer {
  const bytes = Buffer.alloc(SIGNATURE_AT + SIGNATURE_SIZE, "content");
  bytes.fill(0, 0, 200).fill(0, SIGNATURE_AT);
  for (const [index, value] of [0xfeedfacf, 0x01000007, 3, 2, 3].entries()) bytes.writeUInt32LE(value, 4 * index);
  const segment = (at: number, name: string, start: number, size: number) => {
    bytes.writeUInt32LE(0x19, at);
    bytes.writeUInt32LE(72, at + 4);
    bytes.write(name, at + 8, "latin1");
    bytes.writeBigUInt64LE(BigInt(start), at + 40);
    bytes.writeBigUInt64LE(BigInt(size), at + 48);
  };
  segment(32, "__TEXT", 0, 8192);
  segment(104, "__LINKEDIT", 8192, SIGNATURE_AT + SIGNATURE_SIZE - 8192);
  for (const [index, value] of [0x1d, 16, SIGNATURE_AT, SIGNATURE_SIZE].entries())
    bytes.writeUInt32LE(value, 176 + 4 * index);
  return bytes;
}

function elf(machine: number): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.write("\x7fELF", "latin1");
  bytes.writeUInt16LE(machine, 18);
  return bytes;
}

function pe(machine: number): Buffer {
  const bytes = Buffer.alloc(128);
  bytes.write("MZ");
  bytes.writeUInt32LE(64, 60);
  bytes.write("PE\0\0", 64);
  bytes.writeUInt16LE(machine, 68);
  return bytes;
}

test.each([
  ["Linux on x64", elf(62), { os: "linux", cpu: "x64" }],
  ["Linux on arm64", elf(183), { os: "linux", cpu: "arm64" }],
  ["Windows on x64", pe(0x8664), { os: "win32", cpu: "x64" }],
  ["macOS on x64, signed", signed(machO()), MAC],
])("an executable for %s has no problem", (_, bytes, platform) => {
  expect(headerProblem(bytes, platform)).toBeUndefined();
});

test.each([
  ["for another processor", elf(183), { os: "linux", cpu: "x64" }, "it is not for x64"],
  ["for another system", elf(62), { os: "win32", cpu: "x64" }, "it is not an executable for win32"],
  ["that is text", Buffer.from("#!/bin/sh\n".repeat(20)), MAC, "it is not an executable for darwin"],
  ["whose signature is empty", machO(), MAC, "its signature has no code directory"],
])("an executable %s has a problem", (_, bytes, platform, problem) => {
  expect(headerProblem(bytes, platform)).toBe(problem);
});

test("an executable of macOS that was changed or cut after it was signed has a problem", () => {
  for (const at of [250, 5_000, SIGNATURE_AT - 1]) {
    const bytes = signed(machO());
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    expect(headerProblem(bytes, MAC)).toBe(`its page ${Math.floor(at / 4096)} does not match its signature`);
  }
});

test("signing twice changes nothing, and the last segment ends where the signature does", () => {
  const once = signed(machO());
  expect(signed(once).equals(once)).toBe(true);
  expect(8192 + Number(once.readBigUInt64LE(104 + 48))).toBe(once.length);
});

test("folders that no entry describes are added, each once", () => {
  const paths = [...readTar(tar({ "a/b/c": { content: "1" }, "a/d": { content: "" } }, { epoch: 0 })).keys()];
  expect(paths).toEqual(["a/", "a/b/", "a/b/c", "a/d"]);
});

test("a folder with the sticky bit, and a symbolic link, keep what they are", () => {
  const found = readTar(tar({ tmp: { mode: 0o1777 }, lib: { link: "usr/lib" } }, { epoch: 5 }));
  expect(found.get("tmp/")).toMatchObject({ type: "folder", mode: 0o1777, time: 5 });
  expect(found.get("lib")).toMatchObject({ type: "link", link: "usr/lib" });
});

test.each([0, 1, 511, 512, 513])("a file of %i bytes keeps them, and the archive is in whole blocks", (size) => {
  const content = Buffer.alloc(size, "x");
  const archive = tar({ a: { content }, b: { content: "end" } }, { epoch: 0 });
  expect(archive.length % 512).toBe(0);
  expect(readTar(archive).get("a")?.content).toEqual(content);
  expect(readTar(archive).get("b")?.content.toString()).toBe("end");
});

test("a path that the header cannot hold is an error, not cut", () =>
  expect(() => tar({ ["x".repeat(101)]: { content: "" } }, { epoch: 0 })).toThrow("longer than the 100 bytes"));

test("a compressed archive reads the same", () => {
  const archive = tar({ a: { content: "1" } }, { epoch: 0 });
  expect(readTar(gzip(archive))).toEqual(readTar(archive));
});

const folder = join(import.meta.dirname, "../../../scripts/release/toolchain");
const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));

test("every platform has one version of Bun, with a checksum and without the address of a registry", () => {
  const locked = PLATFORMS.map((platform) => packages[`node_modules/${platform.package}`]);
  expect(new Set(locked.map(({ version }) => version)).size).toBe(1);
  expect(locked.map(({ os, cpu }) => [...os, ...cpu])).toEqual(PLATFORMS.map(({ os, cpu }) => [os, cpu]));
  for (const { integrity, resolved } of locked)
    expect([integrity, resolved]).toEqual([expect.stringMatching(/^sha512-/), undefined]);
});

const root = join(import.meta.dirname, "../../..");

test.each(DIFFERENCES)("$file has the test that is skipped for an executable: $title", ({ file, title }) => {
  const text = readFileSync(join(root, file), "utf8");
  expect(text).toContain(title === undefined ? "test(" : `test("${title}"`);
});

test("every skipped test has a reason and an effect, and no test is skipped twice", () => {
  for (const { reason, effect } of DIFFERENCES)
    expect([reason, effect]).toEqual([/\.$/, /\.$/].map((end) => expect.stringMatching(end)));
  const skipped = DIFFERENCES.map(({ file, title }) => `${file}: ${title}`);
  expect(new Set(skipped).size).toBe(skipped.length);
});
