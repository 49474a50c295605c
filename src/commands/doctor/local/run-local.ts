import { dirname, join } from "node:path";
import type { Config } from "../../../config/config.ts";
import { type Environment, readEnv } from "../../../config/environment.ts";
import { unknownVariableNotes } from "../../../config/variables.ts";
import { type CaFile, loginShell, type MachineFacts, machineChecks } from "../../../doctor/checks/machine-checks.ts";
import { doctorCodeSeverity, type MachineCode, SEVERITIES } from "../../../doctor/codes.ts";
import type { ExposedFile, Fact, JournalFacts } from "../../../doctor/facts.ts";
import { doctorFindings, type Examination, type Finding, type Skipped } from "../../../doctor/finding.ts";
import { RelayctlError, rescue } from "../../../errors.ts";
import type { View } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import { openWholeHistory } from "../../history/open.ts";
import { journalFacts } from "../read/read-journal.ts";
import { type DoctorRequest, findExposedFiles, runDoctorAndFix } from "../report/run-doctor.ts";

/** Examines only this machine, for all contexts, and sends nothing. */
export async function runLocalDoctor(call: Call, request: DoctorRequest): Promise<View> {
  const checks = request.codes.map((code) => ({ code, relayer: null }));
  return await runDoctorAndFix(call, request, {
    async examine() {
      const examination = examineMachine(await readMachine(call), request.codes as readonly MachineCode[]);
      return { now: call.app.clock.now(), examination, checks };
    },
    pausing: async () => (waiting) => waiting,
    place: async () => ({ name: "the setup of this machine", flags: [] }),
    subject: "this machine",
  });
}

function examineMachine(facts: MachineFacts, codes: readonly MachineCode[]): Examination {
  const findings: Finding[] = [];
  const skipped: Skipped[] = [];
  for (const code of codes) {
    const { needs, find } = machineChecks[code];
    const need = needs?.(facts);
    if (need && "skipped" in need) skipped.push({ code, relayer: null, reason: need.skipped });
    else
      findings.push(
        ...doctorFindings(find(facts)).map((found) => ({
          ...found,
          code,
          relayer: null,
          severity: doctorCodeSeverity(code),
        })),
      );
  }
  const ordered = SEVERITIES.flatMap((severity) => findings.filter((each) => each.severity === severity));
  return { findings: ordered, skipped };
}

const MAX_BYTES = 8 * 2 ** 20;

async function readMachine(call: Call): Promise<MachineFacts> {
  const { app } = call;
  const { config, fault } = await readConfig(call);
  const { journal, folder } = await readWholeJournal(call);
  const files = await Promise.all(certificateFiles(call, config).map((file) => readPem(app, file)));
  return {
    ...{ now: app.clock.now(), env: app.env, machine: await app.machine(), configPath: app.config.path },
    ...{
      config,
      fault,
      journal,
      journalFolder: folder,
      nodeVersion: app.runtime.name === "node" ? app.runtime.version : undefined,
    },
    open: exposedFiles(call, files, folder),
    certificates: files,
    unknownVariables: unknownVariableNotes(app.env),
    startup: await startupText(call),
  };
}

async function readConfig({ app }: Call): Promise<Pick<MachineFacts, "config" | "fault">> {
  return await rescue(
    app.config.read().then((value) => ({ config: { value }, fault: undefined })),
    ({ message }) => ({ config: { skipped: "the config cannot be read" }, fault: message }),
  );
}

async function readWholeJournal(call: Call): Promise<{ journal: Fact<JournalFacts>; folder?: string }> {
  try {
    const journal = await openWholeHistory(call);
    return { journal: { value: await journalFacts(journal, undefined) }, folder: journal.path };
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.failure === "interrupted") throw error;
    return { journal: { skipped: error.failure === "usage" ? "no journal is kept" : error.message } };
  }
}

function certificateFiles({ app, common }: Call, config: Fact<Config>): Omit<CaFile, "pem">[] {
  const contexts = "value" in config ? Object.entries(config.value.contexts) : [];
  const typed = { "--ca-file": common.caFile, ...pickVariables(app.env, ["RELAYCTL_CA_FILE", "NODE_EXTRA_CA_CERTS"]) };
  return [
    ...Object.entries(typed).flatMap(([from, path]) => (path ? [{ path, from }] : [])),
    ...contexts.flatMap(([name, { ca_file: path }]) => (path ? [{ path, from: `context ${name}` }] : [])),
  ];
}

function pickVariables(env: Environment, names: readonly string[]): Record<string, string | undefined> {
  return Object.fromEntries(names.map((name) => [name, readEnv(env, name)]));
}

async function readPem({ files }: Call["app"], file: Omit<CaFile, "pem">): Promise<CaFile> {
  const pem = await rescue(files.read(file.path, MAX_BYTES), ({ message }) => message);
  return { ...file, pem: typeof pem === "string" ? { skipped: pem } : { value: new TextDecoder().decode(pem) } };
}

function exposedFiles({ app, common }: Call, certificates: readonly CaFile[], journal?: string): ExposedFile[] {
  const tokenFile = common.tokenFile ?? readEnv(app.env, "RELAYCTL_TOKEN_FILE");
  const files: Omit<ExposedFile, "others">[] = [
    { path: app.config.path, what: "the config", isSecret: true },
    { path: dirname(app.config.path), what: "the folder of the config", isSecret: false },
    ...(tokenFile && tokenFile !== "-" ? [{ path: tokenFile, what: "the file with the token", isSecret: true }] : []),
    ...certificates.map(({ path }) => ({ path, what: "a file with certificates to trust", isSecret: false })),
    ...(journal === undefined ? [] : [{ path: journal, what: "the folder of the journal", isSecret: false }]),
  ];
  return findExposedFiles(app, files);
}

/** Where each shell may load completion, below the home folder. */
const STARTUP: Readonly<Record<string, readonly string[]>> = {
  bash: [".bashrc", ".bash_profile", ".profile"],
  zsh: [".zshrc", ".zprofile"],
  fish: [".config/fish/config.fish"],
};

async function startupText({ app: { env, files } }: Call): Promise<string> {
  const names = STARTUP[loginShell(env)] ?? [];
  const texts = names.map((name) => files.load(join(readEnv(env, "HOME") ?? "", name), MAX_BYTES).catch(() => ""));
  return (await Promise.all(texts)).join("\n");
}
