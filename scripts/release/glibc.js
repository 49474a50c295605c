import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

/** What Bun's executables link, in the order of `ldd`, and where each loader has to be. */
const LIBRARIES = ["libc.so.6", "libpthread.so.0", "libdl.so.2", "libm.so.6"];
const PLACES = {
  amd64: { folder: "x86_64-linux-gnu", loader: "lib64/ld-linux-x86-64.so.2" },
  arm64: { folder: "aarch64-linux-gnu", loader: "lib/ld-linux-aarch64.so.1" },
};

/**
 * What a program needs of glibc, by path, its version in Debian, and its licenses.
 * @typedef {{ version: string, files: Record<string, import("./tar.js").Entry>, copyright: Buffer }} Glibc
 */

/**
 * Downloads glibc of any architecture with APT, which verifies it, and returns the files that the executable links. Uses the sources and
 * keys of this machine, but changes nothing on it.
 * @param {"amd64" | "arm64"} architecture as Debian writes it
 * @returns {Glibc}
 */
export function downloadGlibc(architecture) {
  const folder = mkdtempSync(join(tmpdir(), "relayctl-glibc-"));
  try {
    const options = separateApt(folder, architecture);
    run("apt-get", [...options, "update"], folder);
    run("apt-get", [...options, "download", "libc6"], folder);
    const found = readdirSync(folder).find((name) => name.endsWith(".deb"));
    run("dpkg-deb", ["--extract", found, "unpacked"], folder);
    const version = run("dpkg-deb", ["--field", found, "Version"], folder).trim();
    return { version, ...linkedFiles(join(folder, "unpacked"), architecture) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The options of an APT for one architecture, with lists and a cache in this folder. */
function separateApt(folder, architecture) {
  for (const path of ["lists/partial", "cache/archives/partial"]) mkdirSync(join(folder, path), { recursive: true });
  const settings = {
    "APT::Architecture": architecture,
    "APT::Architectures": architecture,
    "APT::Sandbox::User": "root",
    "APT::Update::Error-Mode": "any",
    "Acquire::IndexTargets::deb::DEP-11::DefaultEnabled": "false",
    "Acquire::Languages": "none",
    "Dir::Cache": join(folder, "cache"),
    "Dir::State": folder,
    "Dir::State::status": "/dev/null",
  };
  return ["-qq", ...Object.entries(settings).flatMap(([name, value]) => ["-o", `${name}=${value}`])];
}

function run(program, args, cwd) {
  try {
    return execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    const cause = error.code === "ENOENT" ? "it is not on this machine. Build the image on Debian" : error.stderr;
    throw new Error(`${program} cannot get glibc for the image: ${cause}`);
  }
}

function linkedFiles(unpacked, architecture) {
  const { folder, loader } = PLACES[architecture];
  // Debian 13 keeps libraries in usr/lib, Debian 12 in lib.
  const from = [`usr/lib/${folder}`, `lib/${folder}`].find((path) => existsSync(join(unpacked, path, "libc.so.6")));
  if (from === undefined) throw new Error(`libc6 for ${architecture} holds no libc.so.6`);
  const read = (name) => readFileSync(join(unpacked, from, name));
  return {
    files: {
      ...Object.fromEntries(LIBRARIES.map((name) => [`lib/${folder}/${name}`, { content: read(name) }])),
      [loader]: { mode: 0o755, content: read(basename(loader)) },
    },
    copyright: readFileSync(join(unpacked, "usr/share/doc/libc6/copyright")),
  };
}
