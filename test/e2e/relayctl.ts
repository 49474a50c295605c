import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { execa, type Options } from "execa";
import { checked } from "../helpers/checked.ts";
import { removeFolder } from "../helpers/remove-folder.ts";
import { forProgram, PROGRAM } from "./program.ts";

export const ROOT = join(import.meta.dirname, "../..");
const [FILE, ...WORDS] = PROGRAM;

/** Creates a folder for a test, with a config folder in it, and removes it afterwards. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "relayctl-"));
  onTestFinished(() => removeFolder(folder));
  return folder;
}

export function namedPipe(): string {
  const path = join(newFolder(), "pipe");
  execFileSync("mkfifo", [path]);
  return path;
}

/** An environment with nothing of this machine but the path to programs; `relayctl` is the built program. */
export function environment(folder: string, more: Record<string, string> = {}): Record<string, string> {
  const programs = join(folder, "programs");
  mkdirSync(programs, { recursive: true });
  const shim = join(programs, "relayctl");
  // A running program can't be overwritten.
  const words = PROGRAM.map((word) => `'${word}'`).join(" ");
  if (!existsSync(shim)) writeFileSync(shim, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  const path = [programs, join(process.execPath, ".."), process.env.PATH].join(delimiter);
  return {
    PATH: path,
    HOME: folder,
    RELAYCTL_CONFIG_DIR: join(folder, "config"),
    LC_ALL: "C.UTF-8",
    PAGER: "cat",
    ...forProgram(more),
  };
}

export interface Ended {
  exitCode: number | undefined;
  stdout: string;
  stderr: string;
}

export interface World {
  folder?: string;
  env?: Record<string, string>;
  input?: string;
}

export async function relayctl(args: readonly string[], world: World = {}): Promise<Ended> {
  return checked(args, await ended(FILE, [...WORDS, ...args], world));
}

/** Starts the built program, to send it signals or to feed it while it runs. */
export function start(args: readonly string[], world: World = {}) {
  const child = execa(FILE, [...WORDS, ...args], { ...spawnOptions(world), stdin: "pipe" });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = child.then(({ exitCode, stdout, stderr }) => checked(args, { exitCode, stdout, stderr }));
  return { child, ended };
}

/** Resolves once these words are on a stream. */
export function said(stream: NodeJS.ReadableStream, words: string): Promise<void> {
  let text = "";
  return new Promise((resolve) => {
    stream.on("data", (bytes: Buffer) => {
      text += bytes;
      if (text.includes(words)) resolve();
    });
  });
}

/** Runs a line of bash, in which a pipe ends as its first failing part does not hide. */
export async function bash(line: string, world: World = {}): Promise<Ended> {
  const { exitCode, ...printed } = await ended("bash", ["-c", line], world);
  return { exitCode, ...checked(line, printed) };
}

async function ended(file: string, args: readonly string[], world: World): Promise<Ended> {
  const { exitCode, stdout, stderr } = await execa(file, args, spawnOptions(world));
  return { exitCode, stdout, stderr };
}

export function spawnOptions({ folder = newFolder(), env, input }: World) {
  return {
    cwd: folder,
    env: environment(folder, env),
    extendEnv: false,
    reject: false,
    stripFinalNewline: false,
    ...(input === undefined ? { stdin: "ignore" as const } : { input }),
  } satisfies Options;
}
