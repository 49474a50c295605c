import { join } from "node:path";
import { objectIn, tryParseJson, writeJson } from "../../../contract/json.ts";
import type { TokenEntry, TokenStore } from "./token-store.ts";

const storeService = ({ server }: TokenEntry) => `relayctl ${server}`;

/** Quotes a word for `security -i`, which reads a character after a backslash literally. */
const quoteWord = (word: string) => `"${word.replace(/[\\"]/g, "\\$&")}"`;

/** The keychain of macOS. `security` reads whole commands from stdin, lines of less than 4,096 bytes. */
const keychain: TokenStore = {
  title: "the keychain",
  advice: "it is a part of macOS",
  label: ({ name, server }) => `relayctl ${server}, account ${name}`,
  put: (entry, token) => {
    const words = ["-U", "-a", entry.name, "-s", storeService(entry), "-w", token].map(quoteWord);
    return { argv: ["security", "-i"], input: `add-generic-password ${words.join(" ")}\n` };
  },
  get: (entry) => ["security", "find-generic-password", "-a", entry.name, "-s", storeService(entry), "-w"],
  remove: (entry) => ["security", "delete-generic-password", "-a", entry.name, "-s", storeService(entry)],
  partsOf: (argv) => ({ server: argv[5]?.replace("relayctl ", "") ?? "" }),
  isMissing: ({ status }) => status === 44,
  longest: 4_095,
};

const storeAttributes = ({ name, server }: TokenEntry) => ["service", "relayctl", "context", name, "server", server];

/** The keyring of GNOME, KDE, and others. `secret-tool` cuts off a longer password without an error. */
const secretService: TokenStore = {
  title: "the keyring",
  advice: "install secret-tool, e.g. apt install libsecret-tools or dnf install libsecret",
  label: ({ name }) => `relayctl ${name}`,
  put: (entry, token) => ({
    argv: ["secret-tool", "store", `--label=relayctl ${entry.name}`, ...storeAttributes(entry)],
    input: token,
  }),
  get: (entry) => ["secret-tool", "lookup", ...storeAttributes(entry)],
  remove: (entry) => ["secret-tool", "clear", ...storeAttributes(entry)],
  partsOf: (argv) => ({ server: argv[7] ?? "" }),
  isMissing: ({ status, stderr }) => status === 1 && stderr === "",
  longest: 8_192,
};

const powershellArgv = (script: string) => {
  const checked = `$ErrorActionPreference='Stop';if($env:OS -ne 'Windows_NT'){exit 4};${script}`;
  return ["powershell", "-NoProfile", "-NonInteractive", "-Command", checked];
};

/** PowerShell ends a quoted text with typographic quotes too. */
const tokenFile = ({ folder, name }: TokenEntry) => join(folder, `token-${name}.dpapi`);
const pathWord = (entry: TokenEntry) => `-LiteralPath '${tokenFile(entry).replace(/['‘’‚‛]/g, "$&$&")}'`;
const ifThere = (entry: TokenEntry) => `if(!(Test-Path ${pathWord(entry)})){exit 3};`;

/** A file that Windows encrypts for the user: the Data Protection API, through Windows PowerShell. */
const wincred: TokenStore = {
  title: "a file that Windows encrypts for you",
  advice: "Windows PowerShell is a part of Windows",
  label: tokenFile,
  put: (entry, token) => ({
    argv: powershellArgv(
      `ConvertTo-SecureString ([Console]::In.ReadToEnd()) -AsPlainText -Force|ConvertFrom-SecureString|Set-Content ${pathWord(entry)}`,
    ),
    input: token,
  }),
  get: (entry) =>
    powershellArgv(
      `${ifThere(entry)}[Console]::Out.Write([Net.NetworkCredential]::new('',(Get-Content ${pathWord(entry)}|ConvertTo-SecureString)).Password)`,
    ),
  remove: (entry) => powershellArgv(`${ifThere(entry)}Remove-Item ${pathWord(entry)}`),
  partsOf: () => ({}),
  isMissing: ({ status }) => status === 3,
};

const pathOf = ({ name }: TokenEntry) => `relayctl/${name}`;

/** The password store of GnuPG. It replaces an entry without a question if stdin is not a terminal. */
const pass: TokenStore = {
  title: "pass",
  advice: "install pass, e.g. apt install pass or brew install pass",
  label: pathOf,
  put: (entry, token) => ({ argv: ["pass", "insert", "-m", "--", pathOf(entry)], input: token }),
  get: (entry) => ["pass", "show", "--", pathOf(entry)],
  remove: (entry) => ["pass", "rm", "-f", "--", pathOf(entry)],
  partsOf: () => ({}),
  isMissing: ({ stderr }) => stderr.includes("is not in the password store"),
};

const FIELD = "relayctl-token";
const ID = /^[a-z0-9]{26}$/;

/** 1Password, which gives each item an ID. Titles may occur several times. */
const op: TokenStore = {
  title: "1Password",
  advice: "install the 1Password CLI: https://developer.1password.com/docs/cli/get-started",
  label: ({ name }) => `relayctl ${name}`,
  put: ({ name, server, within }, token) => ({
    argv: ["op", "item", "create", "--format=json", ...(within === undefined ? [] : [`--vault=${within}`]), "-"],
    input: writeJson({
      title: `relayctl ${name}`,
      category: "API_CREDENTIAL",
      fields: [
        { id: FIELD, type: "CONCEALED", label: FIELD, value: token },
        { id: "relayctl-server", type: "STRING", label: "server", value: server },
      ],
    }),
  }),
  stored: (entry, printed) => {
    const item = tryParseJson(printed);
    const vault = objectIn(objectIn(item).vault).id;
    const id = objectIn(item).id;
    return isId(id) && isId(vault) ? { ...entry, within: vault, id } : undefined;
  },
  get: ({ within, id }) => ["op", "read", "--no-newline", `op://${within}/${id}/${FIELD}`],
  remove: ({ within = "", id = "" }) => ["op", "item", "delete", id, `--vault=${within}`],
  partsOf: (argv) => {
    const [, , within, id] = argv[3]?.split("/") ?? [];
    return isId(within) && isId(id) ? { within, id } : {};
  },
  isMissing: ({ stderr }) => stderr.includes("isn't an item"),
};

function isId(text: unknown): text is string {
  return typeof text === "string" && ID.test(text);
}

const mount = ({ within = "secret" }: TokenEntry) => `-mount=${within}`;

const vault: TokenStore = {
  title: "Vault",
  advice: "install the CLI of HashiCorp Vault: https://developer.hashicorp.com/vault/install",
  label: (entry) => `${entry.within ?? "secret"}/${pathOf(entry)}`,
  put: (entry, token) => ({ argv: ["vault", "kv", "put", mount(entry), pathOf(entry), "token=-"], input: token }),
  get: (entry) => ["vault", "kv", "get", mount(entry), "-field=token", pathOf(entry)],
  remove: (entry) => ["vault", "kv", "delete", mount(entry), pathOf(entry)],
  partsOf: (argv) => ({ within: argv[3]?.replace("-mount=", "") }),
  isMissing: ({ stderr }) => stderr.includes("No value found at"),
};

const STORES = { keychain, "secret-service": secretService, wincred, pass, op, vault };

export type StoreName = keyof typeof STORES;

export interface Kept {
  in: StoreName;
  entry: TokenEntry;
}

export function tokenStoreOf(kept: Kept): TokenStore {
  return STORES[kept.in];
}

/** Returns the entry of a `token_command` that `auth login --store` wrote, and undefined for any other. @param folder of the config */
export function storedEntry(argv: readonly string[] | undefined, name: string, folder: string): Kept | undefined {
  if (argv === undefined) return undefined;
  for (const [word, store] of Object.entries(STORES) as [StoreName, TokenStore][]) {
    const entry: TokenEntry = { name, folder, server: "", ...store.partsOf(argv) };
    if (isSameArgv(store.get(entry), argv)) return { in: word, entry };
  }
  return undefined;
}

export function isSameArgv(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((word, index) => word === other[index]);
}
