import type { App } from "../../app.ts";
import { messageWriter } from "../../command-support/printing.ts";
import { canPrompt } from "../../command-support/prompting/prompts.ts";
import { type ReadShipped, shippedWords } from "../../completion/shipped-words.ts";
import { hideHeaderWords } from "../../config/token/header-words.ts";
import { createSecrets } from "../../config/token/secrets.ts";
import { RelayctlError } from "../../errors.ts";
import { asciiText, showsAscii } from "../../terminal/ascii.ts";
import type { Output } from "../../terminal/streams/output.ts";
import { errorText } from "../error-text.ts";
import { helpLayout } from "../help/draw.ts";
import { buildProgram } from "../program.ts";
import { argvWithFullWords } from "./argv.ts";
import { type ParsedText, parseLine } from "./parse-line.ts";
import { shippedCommands } from "./shipped-commands.ts";
import { typedColorEarly, wantsJsonEarly } from "./typed-early.ts";

type Stream = Pick<Output, "isTerminal" | "columns">;

/** Facts about the process before the program is loaded. */
interface World extends Pick<App, "env"> {
  stdin: Pick<Stream, "isTerminal">;
  stdout: Stream;
  stderr: Stream;
}

/** Returns undefined for a line that runs a command or needs more than its words: prompts, JSON, annotations. */
export async function usageText(
  argv: readonly string[],
  read: ReadShipped,
  world: World,
): Promise<ParsedText | undefined> {
  if (world.env.GITHUB_ACTIONS === "true" || wantsJsonEarly(world, argv)) return undefined;
  const shown = await shownText(argv, read, world);
  if (!shown) return undefined;
  const secrets = await knownSecrets(argv, world.env);
  return { ...shown, text: secrets.redact(shown.text) };
}

async function shownText(argv: readonly string[], read: ReadShipped, world: World): Promise<ParsedText | undefined> {
  const { env, stdout, stderr } = world;
  const color = typedColorEarly(argv);
  const layouts = { out: () => helpLayout(stdout, env, color), err: () => helpLayout(stderr, env, color) };
  try {
    const tree = await buildProgram(argv, shippedCommands(read), argvWithFullWords);
    const parsed = await parseLine(tree, layouts, async () => shippedWords(read));
    if (parsed.kind === "command") {
      const { command, args } = parsed.chosen;
      // A project file may name them.
      const areFiles = command.args?.[args.length]?.name === "<files...>";
      if (!parsed.missing || areFiles || canPrompt(world, parsed.common)) return undefined;
      throw parsed.missing;
    }
    const { text, to } = parsed;
    return { ...parsed, text: showsAscii(to === "out" ? stdout : stderr, env) ? asciiText(text) : text };
  } catch (error) {
    if (!(error instanceof RelayctlError)) return undefined;
    return { kind: "text", text: await mistakeText(error, argv, world), to: "err", exitCode: error.exitCode };
  }
}

async function knownSecrets(argv: readonly string[], env: App["env"]) {
  const secrets = createSecrets();
  if (env.RELAYCTL_TOKEN) secrets.add(env.RELAYCTL_TOKEN);
  await hideHeaderWords(argv, secrets);
  return secrets;
}

async function mistakeText(error: RelayctlError, argv: readonly string[], { env, stderr }: World): Promise<string> {
  const secrets = await knownSecrets(argv, env);
  let text = "";
  const write = async (more: string) => {
    text += more;
  };
  const say = messageWriter(
    { env, stderr: Object.create(stderr, { write: { value: write } }), secrets },
    { color: typedColorEarly(argv) },
  );
  for (const line of errorText(error, argv)) await say(line);
  return text;
}
