import type { App } from "../../app.ts";
import { type Environment, variable } from "../../config/environment.ts";
import { withHeaderValues } from "../../config/token/header-words.ts";
import { MASK } from "../../contract/rpc-url.ts";
import type { Intent } from "../../journal/entry.ts";
import type { Journal } from "../../journal/journal.ts";
import { shellWord } from "../../shell/shell-words.ts";
import type { Author } from "./entries.ts";
import { maskedWord } from "./masked-body.ts";
import { withoutSecretTexts } from "./masked-text.ts";

export interface RecordedCommand {
  app: Pick<App, "clock" | "env" | "whoRuns">;
  /** The context's name, or `demo`. */
  context: string | undefined;
  /** What was called (default: `relayctl`), and the words after it. */
  program?: string;
  argv: readonly string[];
  /** The origin of the service. */
  server: string;
  reason?: string | undefined;
  once?: string | undefined;
  /** The run that the writes undo. */
  undoes?: string | undefined;
  proposal?: Intent["proposal"];
  /** Returns the symbol of a relayer's coin, as far as the command knows it. */
  coinOf?(relayerId: string): Promise<string | undefined>;
  say(line: string): Promise<void>;
}

export async function authorOf(
  { app, context, program = "relayctl", argv, server, reason, once, undoes, proposal }: RecordedCommand,
  journal: Journal,
): Promise<Author> {
  const ci = ciJob(app.env);
  const masked = withHeaderValues(argv, (name) => `${name}: ${MASK}`);
  return {
    run: journal.newId(),
    ...app.whoRuns(),
    ...(ci !== undefined && { ci }),
    ...(context !== undefined && { context }),
    server,
    command: [program, ...masked.map((word) => shellWord(maskedWord(word)))].join(" "),
    ...(reason !== undefined && { reason: withoutSecretTexts(reason) }),
    ...(once !== undefined && { once }),
    ...(undoes !== undefined && { undoes }),
    ...(proposal && { proposal }),
  };
}

function ciJob(env: Environment): string | undefined {
  const read = (name: string) => variable(env, name);
  const [server, repository, run] = [read("GITHUB_SERVER_URL"), read("GITHUB_REPOSITORY"), read("GITHUB_RUN_ID")];
  if (server && repository && run) return `${server}/${repository}/actions/runs/${run}`;
  return JOB_VARIABLES.map(read).find((job) => job !== undefined) ?? (read("CI") && "CI");
}

/** GitLab, Jenkins, Buildkite, CircleCI, Azure Pipelines. */
const JOB_VARIABLES = ["CI_JOB_URL", "BUILD_URL", "BUILDKITE_BUILD_URL", "CIRCLE_BUILD_URL", "BUILD_BUILDURI"];
