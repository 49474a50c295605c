import { execa } from "execa";
import { onTestFinished } from "vitest";
import { checked } from "../../helpers/checked.ts";
import { PROGRAM } from "../program.ts";
import { spawnOptions, type World } from "../relayctl.ts";

/** A `relayctl serve` that runs. */
export interface Served {
  /** The variables of the lines that it printed. */
  env: { RELAYCTL_SERVER: string; RELAYCTL_TOKEN: string };
  /** What it printed on stdout. */
  printed: string;
  /** Ends it as Ctrl-C does, and tells how it ended. */
  interrupt(): Promise<{ exitCode: number | undefined; stderr: string }>;
}

/** A service for one test. */
export async function serve(args: readonly string[] = [], world: World = {}): Promise<Served> {
  const served = await startServe(args, world);
  onTestFinished(async () => void (await served.interrupt()));
  return served;
}

/** Starts `relayctl serve` and waits for its two lines. Whoever starts it ends it. */
export async function startServe(args: readonly string[], world: World): Promise<Served> {
  const [file, ...words] = PROGRAM;
  const server = execa(file, [...words, "serve", ...args], spawnOptions(world));
  const printed = await new Promise<string>((resolve, reject) => {
    let text = "";
    server.stdout.on("data", (bytes: Buffer) => {
      text += bytes;
      if (/^export RELAYCTL_TOKEN.*\n/m.test(text)) resolve(text);
    });
    server.stdout.on("end", () => reject(new Error(`serve ended after: ${text}`)));
  });
  const value = (name: string) => new RegExp(`^export ${name}=(\\S+)$`, "m").exec(printed)?.[1] ?? "";
  return {
    env: { RELAYCTL_SERVER: value("RELAYCTL_SERVER"), RELAYCTL_TOKEN: value("RELAYCTL_TOKEN") },
    printed,
    async interrupt() {
      server.kill("SIGINT");
      const { exitCode, stderr } = await server;
      checked("serve", { exitCode, stdout: printed, stderr });
      return { exitCode, stderr };
    },
  };
}
