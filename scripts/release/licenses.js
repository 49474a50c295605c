import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BUN_PARTS } from "./bun-parts.js";

/** The licenses that ask for their text. */
const TEXTS = ["LGPL-2", "LGPL-2.1", "Apache-2.0", "MIT", "BSD-2-Clause", "BSD-3-Clause", "Zlib"];
const IMAGE = `The image contains libraries of Debian's package libc6 (GNU C Library, LGPL-2.1-or-later and others), whose licenses are in
/usr/share/doc/libc6/copyright, and the root certificates of Mozilla (MPL-2.0, https://www.mozilla.org/MPL/2.0/).`;
const RULE = "=".repeat(80);

/**
 * Returns the text of LICENSES.txt: of relayctl, of the packages in its bundle, of Bun in the executables, and of what the
 * image adds.
 * @param {{ root: string, bunVersion: string }} about
 */
export function licensesText({ root, bunVersion }) {
  const read = (...path) => readFileSync(join(root, ...path), "utf8").trim();
  const texts = TEXTS.map((name) => section(name, read("scripts/release/texts", `${name}.txt`)));
  const parts = [
    section("relayctl", read("LICENSE")),
    section("Packages inside relayctl", read("THIRD-PARTY-NOTICES.md")),
    section(`Bun ${bunVersion}, in the executables only`, bunText(bunVersion)),
    section("In the container image only", IMAGE),
    ...texts,
  ];
  return `${parts.join("\n\n")}\n`;
}

function section(title, text) {
  return `${RULE}\n${title}\n${RULE}\n\n${text}`;
}

function bunText(version) {
  const widest = Math.max(...BUN_PARTS.map(({ name }) => name.length));
  const rows = BUN_PARTS.map(({ name, license, source, copyright }) =>
    [`${name.padEnd(widest)}  ${license}`, source, ...(copyright ? [copyright] : [])].join("\n  "),
  );
  return `Bun is licensed under the MIT License: https://github.com/oven-sh/bun/tree/bun-v${version}

The executables contain Bun ${version} as the packages @oven/bun-* of the npm registry have it, unchanged. The package
relayctl-*.tgz contains none of it.

Bun links JavaScriptCore statically, which is licensed under the GNU Library General Public License, version 2 or later.
That license allows you to change JavaScriptCore and to link the program again: its sources are at
https://github.com/oven-sh/WebKit, and the license file of Bun has the commands that build Bun with them. \`npm run release\` of
relayctl's sources then builds the executables with that Bun.

Bun links or contains the parts below. The texts of their licenses follow, except for those of BoringSSL, libarchive, ICU, and libjpeg-turbo;
these, and copyright notices that are not listed, are at the addresses of the parts.

${rows.join("\n")}`;
}
