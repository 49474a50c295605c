import { dirname, join } from "node:path";
import type { Config } from "../../config/config.ts";
import { parseProxy } from "../../config/connection/proxy.ts";
import { type Environment, readEnv } from "../../config/environment.ts";
import type { Machine } from "../../config/machine/machine.ts";
import { RuleError } from "../../config/sourced.ts";
import { LOCK_LIFETIME } from "../../timing.ts";
import type { MachineCode } from "../codes.ts";
import { type ExposedFile, type Fact, factValue, type JournalFacts } from "../facts.ts";
import type { Checked, Found } from "../finding.ts";
import { remedyFor } from "../remedies.ts";
import { checkChangedJournal, checkOldNode, checkOpenFiles, checkUnsettledWrites } from "./local-checks.ts";

interface Check {
  /** A fact without which the check is skipped. */
  needs?(facts: MachineFacts): Fact<unknown>;
  find(facts: MachineFacts): Checked;
}

const HERE = { flags: [] };
const DAY = 86_400_000;
const contextCheck = (
  find: (name: string, context: Config["contexts"][string], facts: MachineFacts) => Found | undefined,
): Check => ({
  needs: ({ config }) => config,
  find: (facts) =>
    Object.entries(factValue(facts.config).contexts).flatMap(([name, each]) => find(name, each, facts) ?? []),
});
const journalCheck = (find: (journal: JournalFacts) => Checked): Check => ({
  needs: ({ journal }) => journal,
  find: ({ journal }) => find(factValue(journal)),
});

export const machineChecks: Readonly<Record<MachineCode, Check>> = {
  "CONF-READ": { find: ({ fault }) => (fault === undefined ? undefined : { message: fault, advice: READ_ADVICE }) },
  "CONF-MODE": { find: checkOpenFiles },
  "NODE-VERSION": { find: (facts) => checkOldNode(facts, facts) },
  "JOURNAL-CHANGED": journalCheck(checkChangedJournal),
  "JOURNAL-UNKNOWN": journalCheck((journal) => checkUnsettledWrites(journal, HERE)),
  "LOCAL-WRITE": { find: findUnwritable },
  "LOCAL-TOKEN": contextCheck((name, { token_command: [program] = [] }, { machine }) => {
    if (program === undefined || machine.canRun(program)) return undefined;
    const message = `the program of the token_command of context ${name} cannot be run: ${program}`;
    return { message, advice: "Install the program, or sign in again with relayctl auth login." };
  }),
  "LOCAL-CERT": { find: unusableCertificates },
  "LOCAL-PROXY": { find: unusableProxies },
  "LOCAL-CERT-EXPIRED": { find: expiredCertificates },
  "LOCAL-CLOCK": { find: wrongClock },
  "LOCAL-LOCK": { find: heldLock },
  "LOCAL-PATH": { find: programsOnPath },
  "LOCAL-VARIABLE": { find: ({ unknownVariables }) => unknownVariables.map((message) => ({ message })) },
  "LOCAL-OVERRIDE": { find: findOverrides },
  "LOCAL-SIGNED-OUT": contextCheck((name, { token, token_command: command }) => {
    if (token !== undefined || command) return undefined;
    return { message: `context ${name} has no token`, remedy: remedyFor(HERE, "auth", "login", "--context", name) };
  }),
  "LOCAL-COMPILED": {
    find: ({ env }) =>
      readEnv(env, "NODE_DISABLE_COMPILE_CACHE") === undefined
        ? undefined
        : { message: "NODE_DISABLE_COMPILE_CACHE is set, so each start compiles relayctl again" },
  },
  "LOCAL-LOCALE": { find: asciiLocale },
  "LOCAL-COMPLETION": { find: noCompletion },
};

const READ_ADVICE = "Correct the file, or move it away and log in again.";

function findUnwritable({ configPath, journalFolder, machine }: MachineFacts): Found[] {
  const folders = [dirname(configPath), ...(journalFolder === undefined ? [] : [journalFolder])];
  const closed = [...new Set(folders)].filter((folder) => !machine.canWrite(folder));
  return closed.map((folder) => ({
    message: `no file can be created in ${folder}`,
    advice: "Change the mode or the owner of the folder, or set RELAYCTL_CONFIG_DIR to another one.",
  }));
}

function listExpiries({ certificates, machine }: MachineFacts) {
  return certificates.map(({ path, from, pem }) => {
    if ("skipped" in pem) return { path, from, problem: pem.skipped, expiries: [] };
    try {
      const expiries = machine.expiries(pem.value);
      return {
        path,
        from,
        expiries,
        problem: expiries.length === 0 ? `${path}: contains no PEM certificate` : undefined,
      };
    } catch {
      return { path, from, expiries: [], problem: `${path}: contains a certificate that is not valid` };
    }
  });
}

function unusableCertificates(facts: MachineFacts): Found[] {
  const bad = listExpiries(facts).filter(({ problem }) => problem !== undefined);
  return bad.map(({ from, problem = "" }) => ({ message: `${problem} (from ${from})` }));
}

/** The most certificates of a service's file. A system's bundle has expired ones, too. */
const FEW = 10;

function expiredCertificates(facts: MachineFacts): Found[] {
  return listExpiries(facts).flatMap(({ path, from, expiries }) => {
    const expired = expiries.filter((end) => end < facts.now);
    if (expired.length === 0 || (expiries.length > FEW && expired.length < expiries.length)) return [];
    const [since] = expired.sort((one, other) => one - other);
    return [
      { message: `${expired.length} of ${expiries.length} certificates in ${path} expired (from ${from})`, since },
    ];
  });
}

const PROXIES = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY", "RELAYCTL_PROXY"];

function unusableProxies({ env }: MachineFacts): Found[] {
  return PROXIES.flatMap((name) => {
    try {
      const value = readEnv(env, name);
      if (value !== undefined) parseProxy(value);
      return [];
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      return [{ message: `${name} ${error.message}` }];
    }
  });
}

/** This version did not exist before. */
const FIRST_DAY = Date.parse("2026-01-01T00:00:00Z");

function wrongClock({ now, configPath, machine }: MachineFacts): Found | undefined {
  const changed = machine.changedAt(configPath) ?? 0;
  const advice = "Set the clock: tokens and certificates seem to be expired, or not valid yet.";
  if (now < FIRST_DAY) return { message: `the clock shows ${new Date(now).toISOString()}`, advice };
  if (changed <= now + DAY) return undefined;
  return {
    message: `the config was changed at ${new Date(changed).toISOString()}, after the time of the clock`,
    advice,
  };
}

function heldLock({ now, configPath, machine }: MachineFacts): Found | undefined {
  const path = `${configPath}.lock`;
  const since = machine.changedAt(path);
  if (since === undefined) return undefined;
  const isHeld = now - since < LOCK_LIFETIME;
  const message = isHeld ? "another relayctl process is changing the config" : `a process left the lock ${path}`;
  return { message, since, ...(isHeld ? {} : { advice: "The next change of the config removes the lock." }) };
}

function findOverrides({ env, config }: MachineFacts): Found[] {
  const current = "value" in config ? config.value.current : undefined;
  if (current === undefined) return [];
  const names = ["RELAYCTL_SERVER", "RELAYCTL_TOKEN", "RELAYCTL_TOKEN_FILE", "RELAYCTL_CONTEXT"];
  const set = names.filter((name) => readEnv(env, name) !== undefined);
  return set.map((name) => ({ message: `${name} is set and overrides the current context ${current}` }));
}

function programsOnPath({ machine }: MachineFacts): Found | undefined {
  const [first, ...others] = machine.programs("relayctl");
  if (first === undefined || others.length === 0) return undefined;
  return {
    message: `PATH has several programs named relayctl; ${first} runs`,
    advice: `Not used: ${others.join(", ")}`,
  };
}

function noCompletion({ env, machine, startup }: MachineFacts): Found | undefined {
  const shell = loginShell(env);
  const files = COMPLETIONS[shell]?.map((path) =>
    join(path.startsWith("/") ? "/" : (readEnv(env, "HOME") ?? "/"), path),
  );
  if (!files || startup.includes("relayctl completion") || files.some((path) => machine.changedAt(path) !== undefined))
    return undefined;
  return { message: `${shell} does not complete the words of relayctl`, advice: `To install: ${LINES[shell] ?? ""}` };
}

const COMPLETIONS: Readonly<Record<string, readonly string[]>> = {
  bash: ["/usr/share/bash-completion/completions/relayctl", ".local/share/bash-completion/completions/relayctl"],
  zsh: ["/usr/share/zsh/vendor-completions/_relayctl", "/usr/share/zsh/site-functions/_relayctl"],
  fish: ["/usr/share/fish/vendor_completions.d/relayctl.fish", ".config/fish/completions/relayctl.fish"],
};

const LINES: Readonly<Record<string, string>> = {
  bash: `echo 'eval "$(relayctl completion bash)"' >> ~/.bashrc`,
  zsh: `echo 'eval "$(relayctl completion zsh)"' >> ~/.zshrc`,
  fish: "relayctl completion fish > ~/.config/fish/completions/relayctl.fish",
};

function asciiLocale({ env }: MachineFacts): Found | undefined {
  const name = ["LC_ALL", "LC_CTYPE", "LANG"].find((each) => readEnv(env, each) !== undefined);
  const locale = name && readEnv(env, name);
  if (locale === undefined || /utf-?8/i.test(locale)) return undefined;
  return {
    message: `the locale ${locale} is not UTF-8, so relayctl prints only ASCII on a terminal`,
    advice: "Set LC_ALL=C.UTF-8.",
  };
}

export interface MachineFacts {
  now: number;
  env: Environment;
  machine: Machine;
  configPath: string;
  config: Fact<Config>;
  fault: string | undefined;
  journal: Fact<JournalFacts>;
  journalFolder: string | undefined;
  open: readonly ExposedFile[];
  nodeVersion: string | undefined;
  certificates: readonly CaFile[];
  unknownVariables: readonly string[];
  /** The text of the files in which a shell may load completion, if the shell is known. */
  startup: string;
}

export interface CaFile {
  path: string;
  from: string;
  /** The text, or why it cannot be read. */
  pem: Fact<string>;
}

export function loginShell(env: Environment): string {
  return (readEnv(env, "SHELL") ?? "").split("/").at(-1) ?? "";
}
