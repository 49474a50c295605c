import type { Call } from "../../command-support/call.ts";
import { canPrompt, whyNoPrompt } from "../../command-support/prompting/prompts.ts";
import { parseServer } from "../../config/connection/origin.ts";
import type { ServiceSettings } from "../../config/settings.ts";
import { RuleError, validated } from "../../config/sourced.ts";
import { readToken } from "../../config/token/credentials.ts";
import { tokenProblem } from "../../config/token/token-text.ts";
import { type Problem, usageError } from "../../errors.ts";

/** Requires every value if no terminal is attached. @throws RelayctlError usage */
export function refuseMissing({ app, common }: Call, known: string | undefined): void {
  const why = whyNoPrompt(app, common);
  if (why === undefined) return;
  const problems: Problem[] = [];
  const rule = `is required because ${why}`;
  if (common.server === undefined && known === undefined) problems.push({ where: "--server", rule });
  if (common.tokenFile === undefined) problems.push({ where: "--token-file", rule });
  if (problems.length > 0) throw usageError(problems, "relayctl auth login --help");
}

/** Returns the origin to sign in to: typed, from the existing context, or prompted for. */
export async function askServer({ app, common, entered }: Call, known: string | undefined): Promise<string> {
  if (common.server !== undefined) return getOrigin("--server", common.server);
  if (!canPrompt(app, common)) return getOrigin("the context's server", known ?? "");
  const prompts = await app.prompts();
  const answer = await prompts.text("Server URL:", {
    validate: validServer,
    ...(known !== undefined && validServer(known) === true && { default: known }),
  });
  entered.add(["--server", answer]);
  return getOrigin("server", answer);
}

function getOrigin(from: string, text: string): string {
  const problems: Problem[] = [];
  const origin = validated({ value: text, from }, parseServer, problems);
  if (!origin) throw usageError(problems);
  return origin.value;
}

function validServer(text: string): true | string {
  try {
    parseServer(text);
    return true;
  } catch (error) {
    if (error instanceof RuleError) return `the URL ${error.message}`;
    throw error;
  }
}

/** Returns the token from its file or a hidden prompt. */
export async function askToken({ app, common }: Call, settings: ServiceSettings): Promise<string> {
  if (common.tokenFile !== undefined) return await readToken(settings, app);
  const token = await (await app.prompts()).hidden("Token (hidden):");
  app.secrets.add(token);
  const rule = tokenProblem(token);
  if (rule) throw usageError([{ where: "token", rule }]);
  return token;
}
