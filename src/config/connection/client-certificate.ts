import { isUtf8 } from "node:buffer";
import { resolve } from "node:path";
import type { ClientCertificate } from "../../contract/wire.ts";
import { type Problem, usageError } from "../../errors.ts";
import { type Environment, readEnv } from "../environment.ts";
import { throwUnnamedFileError } from "../files/file-error.ts";
import type { Sourced } from "../sourced.ts";

export interface CertificateFlags {
  cert?: string;
  key?: string;
  keyPassphraseFile?: string;
}

/** The files of a client certificate: PEM with its key, or PKCS#12, which has both. */
export interface ClientCertificateFiles {
  cert: string;
  /** The file of the key, unless the certificate's file has it. */
  key?: string;
  passphraseFile?: string;
}

const VARIABLES = ["RELAYCTL_CERT", "RELAYCTL_KEY", "RELAYCTL_KEY_PASSPHRASE_FILE"] as const;
const FLAGS = ["--cert", "--key", "--key-passphrase-file"] as const;

/** Returns the files of flags or, without any, of variables: a certificate never gets a foreign key. */
export function typedCertificate(
  flags: CertificateFlags,
  env: Environment,
  problems: Problem[],
): Sourced<ClientCertificateFiles> | undefined {
  const typed = [flags.cert, flags.key, flags.keyPassphraseFile];
  const isTyped = typed.some((value) => value !== undefined);
  const [cert, key, passphraseFile] = isTyped ? typed : VARIABLES.map((name) => readEnv(env, name));
  const names = isTyped ? FLAGS : VARIABLES;
  for (const [index, path] of typed.entries())
    if (path === "") problems.push({ where: FLAGS[index] ?? "", rule: "is empty" });
  if (cert === undefined) {
    const lonely = [key, passphraseFile].findIndex((path) => path !== undefined);
    if (lonely >= 0) problems.push({ where: names[lonely + 1] ?? "", rule: `needs ${names[0]}, too` });
    return undefined;
  }
  return { value: { cert, ...(key && { key }), ...(passphraseFile && { passphraseFile }) }, from: names[0] };
}

/** Returns the files that flags specify as a context stores them: by absolute paths, since it is used from any folder. */
export function absoluteCertificate(flags: CertificateFlags, problems: Problem[]) {
  const typed = typedCertificate(flags, {}, problems)?.value;
  if (!typed) return undefined;
  const pathOf = (file: string | undefined) => (file ? resolve(file) : null);
  return { cert: resolve(typed.cert), key: pathOf(typed.key), key_passphrase_file: pathOf(typed.passphraseFile) };
}

const MAX_BYTES = 2 ** 20;

/** Reads a client certificate. @throws RelayctlError usage, with a file's path, never its content */
export async function readClientCertificate(
  { value: { cert: path, key: keyPath, passphraseFile }, from }: Sourced<ClientCertificateFiles>,
  files: { read(path: string, maxBytes: number): Promise<Uint8Array> },
): Promise<ClientCertificate> {
  const fail = (given: string, rule: string) => usageError([{ where: from, given, rule }]);
  const names = [VARIABLES, FLAGS].find(([first]) => first === from);
  const read = async (file: string, index: number) => {
    const { [index]: name } = names ?? [];
    const bytes = files.read(file, MAX_BYTES);
    return await (name === undefined ? bytes : bytes.catch(throwUnnamedFileError(name)));
  };
  const textOf = async (file: string, index: number) => new TextDecoder().decode(await read(file, index));
  const bytes = await read(path, 0);
  const passphrase: { passphrase?: string } = {};
  if (passphraseFile !== undefined) passphrase.passphrase = (await textOf(passphraseFile, 2)).replace(/\r?\n$/, "");
  const cert = isUtf8(bytes) ? new TextDecoder().decode(bytes) : "";
  if (!cert.includes("-----BEGIN CERTIFICATE-----")) {
    if (bytes[0] !== PKCS12) throw fail(path, "contains neither a PEM certificate nor PKCS#12");
    if (keyPath !== undefined) throw fail(path, "is PKCS#12, which contains the key; leave the key's file out");
    return { pfx: bytes, ...passphrase };
  }
  const key = PRIVATE_KEY.exec(keyPath === undefined ? cert : await textOf(keyPath, 1))?.[0];
  if (key === undefined) throw fail(keyPath ?? path, "contains no PEM private key (--key specifies its file)");
  return { cert, key, ...passphrase };
}

/** The first byte of a file in PKCS#12. */
export const PKCS12 = 0x30;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/;
