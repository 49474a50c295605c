import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PLATFORMS } from "../../../scripts/release/platforms.js";

const folder = join(import.meta.dirname, "../../../scripts/release/toolchain");
const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));

test("every platform has one version of Bun, with a checksum and without the address of a registry", () => {
  const locked = PLATFORMS.map((platform) => packages[`node_modules/${platform.package}`]);
  expect(new Set(locked.map(({ version }) => version)).size).toBe(1);
  expect(locked.map(({ os, cpu }) => [...os, ...cpu])).toEqual(PLATFORMS.map(({ os, cpu }) => [os, cpu]));
  for (const { integrity, resolved } of locked)
    expect([integrity, resolved]).toEqual([expect.stringMatching(/^sha512-/), undefined]);
});
