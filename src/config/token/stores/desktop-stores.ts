import { join } from "node:path";
import type { Entry, TokenStore } from "./token-store.ts";

const service = ({ server }: Entry) => `relayctl ${server}`;

/** Quotes a word for `security -i`, which reads a character after a backslash literally. */
const quoted = (word: string) => `"${word.replace(/[\\"]/g, "\\$&")}"`;

/** The keychain of macOS. `security` reads whole commands from stdin, lines of less than 4,096 bytes. */
export const keychain: TokenStore = {
  title: "the keychain",
  advice: "it is a part of macOS",
  label: ({ name, server }) => `relayctl ${server}, account ${name}`,
  put: (entry, token) => {
    const words = ["-U", "-a", entry.name, "-s", service(entry), "-w", token].map(quoted);
    return { argv: ["security", "-i"], input: `add-generic-password ${words.join(" ")}\n` };
  },
  get: (entry) => ["security", "find-generic-password", "-a", entry.name, "-s", service(entry), "-w"],
  remove: (entry) => ["security", "delete-generic-password", "-a", entry.name, "-s", service(entry)],
  partsOf: (argv) => ({ server: argv[5]?.replace("relayctl ", "") ?? "" }),
  isMissing: ({ status }) => status === 44,
  longest: 4_095,
};

const attributes = ({ name, server }: Entry) => ["service", "relayctl", "context", name, "server", server];

/** The keyring of GNOME, KDE, and others. `secret-tool` cuts off a longer password without an error. */
export const secretService: TokenStore = {
  title: "the keyring",
  advice: "install secret-tool, e.g. apt install libsecret-tools or dnf install libsecret",
  label: ({ name }) => `relayctl ${name}`,
  put: (entry, token) => ({
    argv: ["secret-tool", "store", `--label=relayctl ${entry.name}`, ...attributes(entry)],
    input: token,
  }),
  get: (entry) => ["secret-tool", "lookup", ...attributes(entry)],
  remove: (entry) => ["secret-tool", "clear", ...attributes(entry)],
  partsOf: (argv) => ({ server: argv[7] ?? "" }),
  isMissing: ({ status, stderr }) => status === 1 && stderr === "",
  longest: 8_192,
};

const powershell = (script: string) => {
  const checked = `$ErrorActionPreference='Stop';if($env:OS -ne 'Windows_NT'){exit 4};${script}`;
  return ["powershell", "-NoProfile", "-NonInteractive", "-Command", checked];
};

/** PowerShell ends a quoted text with typographic quotes too. */
const getFile = ({ folder, name }: Entry) => join(folder, `token-${name}.dpapi`);
const path = (entry: Entry) => `-LiteralPath '${getFile(entry).replace(/['‘’‚‛]/g, "$&$&")}'`;
const ifThere = (entry: Entry) => `if(!(Test-Path ${path(entry)})){exit 3};`;

/** A file that Windows encrypts for the user: the Data Protection API, through Windows PowerShell. */
export const wincred: TokenStore = {
  title: "a file that Windows encrypts for you",
  advice: "Windows PowerShell is a part of Windows",
  label: getFile,
  put: (entry, token) => ({
    argv: powershell(
      `ConvertTo-SecureString ([Console]::In.ReadToEnd()) -AsPlainText -Force|ConvertFrom-SecureString|Set-Content ${path(entry)}`,
    ),
    input: token,
  }),
  get: (entry) =>
    powershell(
      `${ifThere(entry)}[Console]::Out.Write([Net.NetworkCredential]::new('',(Get-Content ${path(entry)}|ConvertTo-SecureString)).Password)`,
    ),
  remove: (entry) => powershell(`${ifThere(entry)}Remove-Item ${path(entry)}`),
  partsOf: () => ({}),
  isMissing: ({ status }) => status === 3,
};
