import { readId } from "../../command-support/ids.ts";
import type { Problems } from "../../command-support/problems.ts";
import type { Call, CommandFile } from "../command.ts";
import type { CommandSyntax } from "../flags/syntax.ts";
import { pluginArgument } from "./argument.ts";
import { bodyOf, type CallFlags, queryOf, routeOf, type TypedCall } from "./call-flags.ts";
import { sendCall } from "./send-call.ts";

/** `relayctl plugins call <id> [route]` (facts 8.3). */
export const pluginsCall: CommandFile<CallFlags, TypedCall> = {
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
  define,
  prepare,
  run: sendCall,
};

function define(command: CommandSyntax): void {
  command
    .description(
      "Call a plugin and print what it returns; its logs and traces go to stderr. A call is never sent twice. A plugin that fails may already have had an effect, so its failure is exit code 11.",
    )
    .optionsGroup("Request")
    .option("-f, --file <file>", "Read the plugin's input from a JSON file (`-` for stdin; default: {})")
    .option("--get", "Call with GET, which the plugin must allow; sends only --parameter values")
    .option("--parameter <name=value>", "Query parameter that the plugin receives (repeatable)", "values");
}

async function prepare(call: Call<CallFlags>, problems: Problems): Promise<TypedCall> {
  const id = await readId(call, problems, "id", call.args[0]);
  const route = routeOf(call.args[1], problems);
  const query = queryOf(call.flags, problems);
  return { id, given: { body: await bodyOf(call, problems), route, query } };
}
