import type { Command } from "commander";
import type { Ask } from "../client/request.ts";
import { readJson } from "../flow/input-file.ts";
import { consentTo, withHint } from "../flow/perform.ts";
import { Problems } from "../flow/problems.ts";
import { commandLine } from "../flow/shell-words.ts";
import { shownInstead } from "../flow/shown.ts";
import type { View } from "../terminal/view.ts";
import { askOf } from "./api-ask.ts";
import type { Call, CommandFile } from "./command.ts";

export interface ApiFlags {
  file?: string;
}

/** `relayctl api METHOD PATH`: any request, judged by what it does; its reply as received. */
export const api: CommandFile<ApiFlags> = {
  summary: "send any request and print the reply as received",
  examples: [
    "relayctl api GET /relayers/eth-main-1",
    "relayctl api GET '/relayers?page=1&per_page=2'",
    "relayctl api PATCH /relayers/eth-main-1 -f body.json --dry-run",
  ],
  define,
  run,
};

function define(command: Command): void {
  command
    .description("Send any request with the context's URL and token, and print the reply's body as received. A write that is not known asks first.")
    .argument("<method>", "GET, POST, PUT, PATCH or DELETE")
    .argument("<path>", "below /api/v1, with its query")
    .optionsGroup("Request")
    .option("-f, --file <file>", "the body as JSON; - reads stdin");
}

async function run(call: Call<ApiFlags>): Promise<View> {
  const problems = new Problems();
  const [method = "", path = ""] = call.operands;
  const body = call.flags.file === undefined ? undefined : await readJson(call.app, call.flags.file);
  const ask = askOf(problems, method, path, body);
  problems.throwIfAny("relayctl api --help");
  const shown = await shownInstead(call, ask);
  return shown ?? (await sendAsked(call, ask, `${ask.operation.method} ${path}`));
}

async function sendAsked(call: Call, ask: Ask, words: string): Promise<View> {
  const session = await call.session();
  const id = Object.values(ask.parameters ?? {})[0] ?? session.name;
  await consentTo(call, session, { ask, title: words, act: words, id });
  const look = commandLine(...session.flags, "api", "GET", ask.operation.path);
  return { kind: "body", body: await withHint(session.client.request(ask), look) };
}
