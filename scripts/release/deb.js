import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { debianControl } from "./debian-texts.js";
import { installedFiles } from "./installed-files.js";
import { gzip, tar } from "./tar.js";

/**
 * Writes a Debian package, which is the same for the same executable and sources, and returns its path. Needs no tool of Debian.
 * @param {object} what
 * @param {string} what.executable its path
 * @param {import("./platforms.js").Platform} what.platform
 * @param {string} what.version as in package.json
 * @param {string} what.licenses the licenses of everything in the executable
 * @param {string} what.into the folder that the package is written to
 * @param {number} what.epoch time of everything in it, in seconds
 * @returns {Promise<string>}
 */
export async function buildDeb({ executable, platform, version, licenses, into, epoch }) {
  const files = installedFiles({ executable, version, licenses, epoch });
  const pack = (entries, level) => gzip(tar(entries, { epoch, prefix: "./" }), level);
  const path = join(into, `relayctl_${version}_${platform.deb}.deb`);
  const members = {
    "debian-binary": Buffer.from("2.0\n"),
    "control.tar.gz": pack({
      control: { content: debianControl({ version, architecture: platform.deb, kibibytes: sizeOf(files) }) },
      md5sums: { content: sumsOf(files) },
    }),
    "data.tar.gz": pack(files, 6),
  };
  writeFileSync(path, ar(members, epoch));
  return path;
}

function sizeOf(files) {
  return Object.values(files).reduce((total, { content }) => total + Math.ceil(Buffer.byteLength(content) / 1024), 0);
}

function sumsOf(files) {
  const lines = Object.keys(files)
    .sort()
    .map((path) => `${createHash("md5").update(files[path].content).digest("hex")}  ${path}\n`);
  return lines.join("");
}

/** The archive around the parts of a package; each begins at an even byte. */
function ar(members, epoch) {
  const parts = Object.entries(members).flatMap(([name, content]) => {
    const fields = [name.padEnd(16), String(epoch).padEnd(12), "0".padEnd(6), "0".padEnd(6), "100644".padEnd(8)];
    const head = `${fields.join("")}${String(content.length).padEnd(10)}\`\n`;
    return [Buffer.from(head), content, Buffer.alloc(content.length % 2, "\n")];
  });
  return Buffer.concat([Buffer.from("!<arch>\n"), ...parts]);
}
