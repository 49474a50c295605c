import { execa } from "execa";
import { checked } from "../../helpers/checked.ts";
import { PROGRAM } from "../program.ts";
import { spawnOptions } from "../relayctl.ts";

export interface Served {
  /** The variables of the lines that it printed. */
  env: { RELAYCTL_SERVER: string; RELAYCTL_TOKEN: string };
  printed: string;
  interrupt(): Promise<{ exitCode: number | undefined; stderr: string }>;
}

/** Starts `relayctl serve` for one test, and waits for its two lines. */
export async function serve(args: readonly string[] = []): Promise<Served> {
  const [file, ...words] = PROGRAM;
  const server = execa(file, [...words, "serve", ...args], spawnOptions({}));
  const printed = await new Promise<string>((resolve, reject) => {
    let text = "";
    server.stdout.on("data", (bytes: Buffer) => {
      text += bytes;
      if (/^export RELAYCTL_TOKEN.*\n/m.test(text)) resolve(text);
    });
    server.stdout.on("end", () => reject(new Error(`serve ended after: ${text}`)));
  });
  const value = (name: string) => new RegExp(`^export ${name}=(\\S+)$`, "m").exec(printed)?.[1] ?? "";
  const interrupt = async () => {
    server.kill("SIGINT");
    const { exitCode, stderr } = await server;
    checked("serve", { exitCode, stdout: printed, stderr });
    return { exitCode, stderr };
  };
  onTestFinished(async () => void (await interrupt()));
  return {
    env: { RELAYCTL_SERVER: value("RELAYCTL_SERVER"), RELAYCTL_TOKEN: value("RELAYCTL_TOKEN") },
    printed,
    interrupt,
  };
}
