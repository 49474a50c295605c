import { createHash } from "node:crypto";

/** CPU types of ELF, of PE, and of Mach-O, by the names of Node. */
const MACHINES = {
  linux: { x64: 62, arm64: 183 },
  win32: { x64: 0x8664, arm64: 0xaa64 },
  darwin: { x64: 0x01000007, arm64: 0x0100000c },
};
const ELF = 0x464c457f;
const MACH_O = 0xfeedfacf;
const PE = 0x00004550;
const [LOAD_COMMANDS, CODE_SIGNATURE, CODE_DIRECTORY, AD_HOC] = [32, 0x1d, 0xfade0c02, 2];

/**
 * Returns why a file can't be an executable of a platform: its format, its machine, or an invalid signature on macOS.
 * @param {Buffer} bytes
 * @param {Pick<import("./platforms.js").Platform, "os" | "cpu">} platform
 * @returns {string | undefined}
 */
export function headerProblem(bytes, { os, cpu }) {
  const machine = machineOf(bytes, os);
  if (machine === undefined) return `it is not an executable for ${os}`;
  if (machine !== MACHINES[os][cpu]) return `it is not for ${cpu}`;
  return os === "darwin" ? signatureProblem(bytes) : undefined;
}

function machineOf(bytes, os) {
  const magic = bytes.readUInt32LE(0);
  if (os === "linux") return magic === ELF ? bytes.readUInt16LE(18) : undefined;
  if (os === "darwin") return magic === MACH_O ? bytes.readUInt32LE(4) : undefined;
  const header = bytes.toString("latin1", 0, 2) === "MZ" ? bytes.readUInt32LE(60) : 0;
  return header > 0 && bytes.readUInt32LE(header) === PE ? bytes.readUInt16LE(header + 4) : undefined;
}

/** Compares each page with its hash in the code directory, as macOS does. The numbers of a signature are big-endian. */
function signatureProblem(bytes) {
  const start = signatureStart(bytes);
  if (start === undefined) return "it has no signature";
  const directory = directoryStart(bytes, start);
  if (directory === undefined) return "its signature has no code directory";
  const number = (at) => bytes.readUInt32BE(directory + at);
  const [flags, hashes, count, limit] = [number(12), number(16), number(28), number(32)];
  const [hashSize, pageSize] = [bytes[directory + 36], 2 ** bytes[directory + 39]];
  if (!(flags & AD_HOC)) return "its signature is not ad hoc";
  if (limit !== start || count !== Math.ceil(limit / pageSize)) return "its signature does not cover all of it";
  for (let page = 0; page < count; page++) {
    const content = bytes.subarray(page * pageSize, Math.min((page + 1) * pageSize, limit));
    const at = directory + hashes + page * hashSize;
    const found = createHash("sha256").update(content).digest().subarray(0, hashSize);
    if (!found.equals(bytes.subarray(at, at + hashSize))) return `its page ${page} does not match its signature`;
  }
  return undefined;
}

function signatureStart(bytes) {
  let at = LOAD_COMMANDS;
  for (let command = 0; command < bytes.readUInt32LE(16); command++) {
    if (bytes.readUInt32LE(at) === CODE_SIGNATURE) return bytes.readUInt32LE(at + 8);
    at += bytes.readUInt32LE(at + 4);
  }
  return undefined;
}

function directoryStart(bytes, start) {
  for (let blob = 0; blob < bytes.readUInt32BE(start + 8); blob++) {
    const at = start + bytes.readUInt32BE(start + 16 + 8 * blob);
    if (bytes.readUInt32BE(at) === CODE_DIRECTORY) return at;
  }
  return undefined;
}
