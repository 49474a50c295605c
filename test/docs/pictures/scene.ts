import { PassThrough } from "node:stream";
import { runArgv } from "../../../src/cli/run.ts";
import { createPrompts } from "../../../src/terminal/prompts/inquirer.ts";
import type { Output } from "../../../src/terminal/streams/output.ts";
import { createStyle } from "../../../src/terminal/style.ts";
import type { Screen } from "../../e2e/terminal/screen.ts";
import { checked } from "../../helpers/checked.ts";
import { argvUnderSh } from "../../helpers/shell.ts";
import { testApp, type World } from "../../helpers/test-app.ts";

export interface Scene {
  line: string;
  keys?: readonly string[];
  world?: World;
}

export const COLUMNS = 100;

/** Runs a command on a terminal. A command that ends with `> FILE` shows no output. */
export async function play({ line, keys = [], world = {} }: Scene, screen: Screen): Promise<void> {
  const [command = "", file] = line.split(" > ");
  const { app } = testApp({ env: {}, ...world, terminal: true, stdoutTerminal: file === undefined, columns: COLUMNS });
  const left = [...keys];
  screen.write(`$ ${folded(line)}\r\n`);
  let all = "";
  const write = (text: string) => {
    all += text;
    screen.write(text.replaceAll(/\r?\n/g, "\r\n"));
  };
  const shown = (output: Output): Output =>
    Object.create(output, { write: { value: async (text: string) => write(text) } });
  const argv = argvUnderSh("relayctl", command);
  const onScreen = Object.create(app, {
    ...(file === undefined && { stdout: { value: shown(app.stdout) } }),
    stderr: { value: shown(app.stderr) },
    prompts: {
      value: async ({ context }: { context?: string } = {}) => {
        const input = new PassThrough();
        const output = Object.assign(new PassThrough(), { columns: COLUMNS });
        output.on("data", (chunk) => write(String(chunk)));
        const prompts = createPrompts({ input, output }, { style: await createStyle(true), context });
        const typed = left.shift();
        if (typed !== undefined) setImmediate(() => input.write(`${typed}\r`));
        return prompts;
      },
    },
  });
  await runArgv(onScreen, argv);
  checked(argv, { exitCode: 0, stdout: all, stderr: "", terminal: true });
}

/** Returns a command line as it is typed where it does not fit: broken before a flag. */
function folded(line: string): string {
  const lines = [""];
  for (const part of line.split(/ (?=--)/)) {
    const longer = lines.at(-1) === "" ? part : `${lines.at(-1)} ${part}`;
    if (longer.length + "$  \\".length <= COLUMNS) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines.join(" \\\r\n    ");
}
