import { gzip, tar } from "../../../scripts/release/tar.js";
import { readTar } from "./read-archive.ts";

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
