import { requestTarget } from "../../client/request.ts";
import { type PluginResult, pluginError, pluginRequest } from "../../client/write.ts";
import { agreeToConsent } from "../../command-support/consent/consent.ts";
import { readId } from "../../command-support/ids.ts";
import { writeWithHint } from "../../command-support/prepared-write.ts";
import { showIfDryRun } from "../../command-support/shown.ts";
import { idProblem } from "../../contract/id.ts";
import { asText, isJsonObject, type JsonValue, writeJson } from "../../contract/json.ts";
import type { Problems } from "../../contract/problems.ts";
import { MAX_CALL_BYTES } from "../../contract/resources/plugin.ts";
import { readInputJson } from "../../session/input-file.ts";
import { commandLine } from "../../shell/shell-words.ts";
import { type BlockLine, type FactsView, toCell } from "../../terminal/view.ts";
import { type Call, type CommandSyntax, createCommand, type ParsedFlags } from "../command.ts";
import { pluginArgument } from "../resource-arguments.ts";

export const pluginsCall = createCommand({
  summary: "Call a plugin and print what it returns",
  sends: "once",
  spends: true,
  ends: { ok: "the plugin returned", unknown: "the plugin failed, or no response" },
  examples: [
    "relayctl plugins call rebalance -f params.json --yes",
    "relayctl plugins call rebalance /quote --get --parameter network=base --yes",
    "relayctl plugins call rebalance --dry-run",
  ],
  args: [pluginArgument, { name: "[route]", description: "Path after /call, which the plugin receives" }],
  description:
    "Call a plugin and print what it returns; its logs and traces go to stderr. A call is never sent twice. A plugin that fails may already have had an effect, so its failure is exit code 11.",
  define: definePluginsCall,
  async prepare(call, problems) {
    const id = await readId(call, problems, "id", call.args[0]);
    const route = parseRoute(call.args[1], problems);
    const query = parseQuery(call.flags, problems);
    return { id, given: { body: await readBody(call, problems), route, query } };
  },
  async run(call, { id, given }) {
    const request = pluginRequest(id, given);
    const shown = await showIfDryRun(call, request);
    if (shown) return shown;
    const session = await call.session();
    const title = `call plugin ${id} with ${request.operation.method} ${requestTarget(request)}`;
    await agreeToConsent(call, session, { request, act: "calling a plugin", id, title });
    const look = commandLine(...session.flags, "plugins", "get", id);
    const result = await writeWithHint(session.client.plugins.call(id, given), look);
    await printOutput(call, result);
    const { data, body, status } = result;
    const view: FactsView = { kind: "facts", lines: dataLines(data), value: data, name: id, body };
    const failure = pluginError(request, result)?.with({ hint: look });
    if (!failure) return { ...view, receipt: [{ done: `called in ${session.name}: plugin ${id}, status ${status}` }] };
    if (data === null) throw failure;
    return { ...view, failure };
  },
});

function definePluginsCall(command: CommandSyntax) {
  return command
    .optionsGroup("Request")
    .option("-f, --file <file>", "Read the plugin's input from a JSON file (`-` for stdin; default: {})")
    .option("--get", "Call with GET, which the plugin must allow; sends only --parameter values")
    .option("--parameter <name=value>", "Query parameter that the plugin receives (repeatable)", "values");
}

/** Prints logs with a prefix, since a plugin may log text that reads like an error of this tool. */
async function printOutput(call: Call, { logs, traces }: PluginResult): Promise<void> {
  for (const log of logs) await call.say(`plugin ${logText(log)}`);
  for (const trace of traces) await call.say(`plugin trace: ${asText(trace)}`);
}

function logText(log: JsonValue): string {
  return isJsonObject(log) ? `${toCell(log.level).text}: ${toCell(log.message).text}` : `log: ${asText(log)}`;
}

function dataLines(data: JsonValue): BlockLine[] {
  if (!isJsonObject(data)) return [{ label: "returned", value: toCell(data) }];
  return Object.entries(data).map(([label, value]) => ({ label, value: toCell(value) }));
}

type CallFlags = ParsedFlags<typeof definePluginsCall>;

function parseRoute(typed: string | undefined, problems: Problems): string | undefined {
  const route = typed?.replace(/^\/+/, "");
  const [rule] = route?.split("/").flatMap((part) => idProblem(part) ?? []) ?? [];
  if (rule) problems.add("[route]", `one part of it ${rule}`, typed);
  return route;
}

function parseQuery({ parameter = [] }: CallFlags, problems: Problems): Record<string, string> {
  const query: Record<string, string> = Object.create(null);
  for (const text of parameter) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined)
      problems.add("--parameter", "needs a name and a value: name=value", text);
    else if (Object.hasOwn(query, name)) problems.add("--parameter", "specified twice", name);
    else query[name] = value;
  }
  return query;
}

/** Returns the plugin's input; undefined for a GET. The service refuses large bodies (facts 1.8). */
async function readBody({ app, flags }: Call<CallFlags>, problems: Problems): Promise<JsonValue | undefined> {
  const { file, get } = flags;
  if (get && file !== undefined) problems.add("--file", "a GET request has no body; pass values with --parameter");
  if (get) return undefined;
  const body = file === undefined ? {} : await problems.gather(() => readInputJson(app, file));
  const size = body === undefined ? 0 : new TextEncoder().encode(writeJson(body)).length;
  if (size > MAX_CALL_BYTES)
    problems.add("--file", `is ${size} bytes of JSON; a plugin takes ${MAX_CALL_BYTES} at most`);
  return body === undefined ? {} : body;
}
