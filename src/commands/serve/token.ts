import { resolve } from "node:path";
import { tokenProblem } from "../../config/token/token-text.ts";
import { usageError } from "../../errors.ts";
import { readSecretInput } from "../../session/input-file.ts";
import { shellWord } from "../../shell/shell-words.ts";
import type { Output } from "../../terminal/streams/output.ts";
import type { Call } from "../command.ts";

/** Returns the token that the embedded server requires: from `--token-file`, or generated. */
export async function servedToken({ app, common: { tokenFile } }: Call): Promise<string> {
  if (tokenFile === undefined) {
    const token = `demo-${app.random.uuid().replaceAll("-", "")}`;
    app.secrets.add(token);
    return token;
  }
  const token = await readSecretInput(app, tokenFile, "--token-file");
  const rule = tokenProblem(token);
  if (rule) throw usageError([{ where: "--token-file", given: tokenFile, rule }]);
  return token;
}

/** Prints the lines that point a shell at the server. A chosen token is never printed (promises 6), only its path. */
export async function printServedToken(
  call: Call,
  { port, token }: { port: number; token: string },
  output: Pick<Output, "write" | "reveal">,
): Promise<void> {
  const { tokenFile } = call.common;
  await output.write(`export RELAYCTL_SERVER=http://127.0.0.1:${port}\n`);
  if (tokenFile === undefined) await output.reveal(`export RELAYCTL_TOKEN=${token}\n`);
  else if (tokenFile === "-") await call.say("the token was read from stdin");
  else await output.write(`export RELAYCTL_TOKEN_FILE=${shellWord(resolve(tokenFile))}\n`);
}
