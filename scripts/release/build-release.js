import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CHECKSUMS, debName, LICENSES, ociName, sbomName, tarballName } from "./artifacts.js";
import { checksumsOf, sha256Of } from "./checksums.js";

/** @typedef {import("./platforms.js").Platform} Platform */
/** @typedef {{ version: string, licenses: string, into: string, epoch: number }} Packing */

/**
 * What builds the parts of a release. Each function writes its file into the folder `into`.
 * @typedef {object} Builders
 * @property {() => Promise<string>} licensesText
 * @property {(into: string) => Promise<void>} buildTarball
 * @property {(platform: Platform, into: string) => Promise<string>} buildExecutable returns the path
 * @property {(deb: Packing & { executable: string, platform: Platform }) => Promise<unknown>} buildDeb
 * @property {(image: Packing & { executables: { platform: Platform, executable: string }[], commit: string }) => Promise<unknown>} buildOciLayout
 * @property {(executables: readonly { platform: Platform, sha256: string }[]) => Promise<string>} sbomText
 */

/**
 * Builds a release into an empty folder and returns the text of SHA256SUMS, which is written last: a folder without it is
 * not a release.
 * @param {object} release
 * @param {{ version: string, hash: string, epoch: number }} release.about the version and the commit
 * @param {readonly Platform[]} release.platforms
 * @param {string} release.into
 * @param {Builders} release.builders
 * @param {(line: string) => void} release.say called with a line for each file
 * @param {() => number} release.now milliseconds
 */
export async function buildRelease({ about, platforms, into, builders, say, now }) {
  const { version, hash, epoch } = about;
  const names = [];
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into, { recursive: true });

  const write = async (name, build) => {
    const started = now();
    await build();
    const { size } = statSync(join(into, name));
    names.push(name);
    say(lineOf(name, size, now() - started));
  };

  const licenses = await builders.licensesText();
  await write(LICENSES, () => writeFileSync(join(into, LICENSES), licenses));
  await write(tarballName(version), () => builders.buildTarball(into));
  const executables = [];
  for (const platform of platforms) {
    await write(platform.file, async () => {
      executables.push({ platform, executable: await builders.buildExecutable(platform, into) });
    });
  }
  for (const { platform, executable } of executables.filter((each) => each.platform.deb)) {
    const deb = { executable, platform, version, licenses, into, epoch };
    await write(debName(version, platform.deb), () => builders.buildDeb(deb));
  }
  const inImage = executables.filter(({ platform }) => platform.oci);
  if (inImage.length > 0) {
    const layout = { executables: inImage, version, licenses, into, epoch, commit: hash };
    await write(ociName(version), () => builders.buildOciLayout(layout));
  }
  await write(sbomName(version), async () => {
    const sums = executables.map(({ platform, executable }) => ({ platform, sha256: sha256Of(executable) }));
    writeFileSync(join(into, sbomName(version)), await builders.sbomText(sums));
  });
  const checksums = checksumsOf(into, names);
  await write(CHECKSUMS, () => writeFileSync(join(into, CHECKSUMS), checksums));
  return checksums;
}

function lineOf(name, size, milliseconds) {
  const kibibytes = Math.ceil(size / 1024).toLocaleString("en-US");
  return `${name.padEnd(28)} ${kibibytes.padStart(8)} KiB ${(milliseconds / 1000).toFixed(1).padStart(6)} s`;
}
