import { chmodSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accessOfOthers } from "../../../src/config/files/privacy.ts";

const me = process.getuid?.() ?? 0;
const folder = mkdtempSync(join(tmpdir(), "privacy-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(mode: number): string {
  const path = join(folder, mode.toString(8));
  writeFileSync(path, "");
  chmodSync(path, mode);
  return path;
}

describe("other users", () => {
  test.each([
    [0o600, undefined],
    [0o400, undefined],
    [0o611, undefined],
    [0o640, "read"],
    [0o604, "read"],
    [0o620, "change"],
    [0o666, "change"],
  ])("with a file of mode %o may %s it", (mode, may) => expect(accessOfOthers(file(mode), me)).toBe(may));

  test("may see the names in a folder, and may change it only if they may write to it and it is not like /tmp", () => {
    const modes = [0o700, 0o755, 0o777, 0o1777].map((mode) => {
      const path = mkdtempSync(join(folder, "f"));
      chmodSync(path, mode);
      return accessOfOthers(path, me);
    });
    expect(modes).toEqual([undefined, undefined, "change", undefined]);
  });

  test("are checked at the file that a link leads to", () => {
    const link = join(folder, "link");
    symlinkSync(file(0o644), link);
    expect(accessOfOthers(link, me)).toBe("read");
  });

  test("may change a device without a finding: every program needs it as it is", () =>
    expect(accessOfOthers("/dev/null", statSync("/dev/null").uid)).toBeUndefined());

  test("do not matter for a file of another user, a missing file, and on Windows", () => {
    const open = file(0o664);
    expect([
      accessOfOthers(open, me + 1),
      accessOfOthers(join(folder, "none"), me),
      accessOfOthers(open, undefined),
    ]).toEqual([undefined, undefined, undefined]);
  });
});
