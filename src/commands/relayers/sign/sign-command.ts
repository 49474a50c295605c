import type { ApiResult } from "../../../client/api-result.ts";
import type { Client } from "../../../client/client.ts";
import { readId } from "../../../command-support/ids.ts";
import { readBodyFile, sourcesOf } from "../../../command-support/request-body/body-file.ts";
import { type JsonObject, textIn } from "../../../contract/json.ts";
import { operations } from "../../../contract/operations.ts";
import type { Problems } from "../../../contract/problems.ts";
import { readExactText } from "../../../session/input-file.ts";
import { cell, fieldsView } from "../../../terminal/cells.ts";
import type { Cell, ResourceView } from "../../../terminal/view.ts";
import type { Call, CommandFile } from "../../command.ts";
import { BODY_FILE, type InteractiveFlag } from "../../flags/options.ts";
import type { CommandSyntax, ParsedFlags } from "../../flags/syntax.ts";
import { getView } from "../../get-command.ts";
import { relayerArgument } from "../../relayer-arguments.ts";

type SignFlags<Define> = ParsedFlags<Define> & InteractiveFlag & { file?: string };

interface SignCommand<Define extends (command: CommandSyntax) => CommandSyntax> {
  verb: "sign" | "sign-typed-data" | "sign-transaction";
  summary: string;
  description: string;
  examples: readonly string[];
  resource: ResourceView;
  /** The field that `-o name` prints. */
  name: string;
  define: Define;
  /** Prompts for the missing fields. @param fields the fields of `-f` */
  interview(call: Call<SignFlags<Define>>, fields: JsonObject): Promise<void>;
  typedFields(call: Call<SignFlags<Define>>, problems: Problems): Promise<JsonObject>;
  validate(problems: Problems, body: JsonObject, sourceOf: (path: string) => string): void;
  sign(client: Client, id: string, body: JsonObject): Promise<ApiResult>;
}

/** Returns `relayctl relayers sign…` (facts 3.2): a read without a confirmation, since it sends nothing. */
export function signCommand<Define extends (command: CommandSyntax) => CommandSyntax>(
  spec: SignCommand<Define>,
): CommandFile<SignFlags<Define>, { id: string; body: JsonObject }> {
  const { verb, summary, description, examples, resource, name } = spec;
  return {
    summary,
    sends: "read",
    spends: true,
    ends: { conflict: "paused or disabled", declined: "read-only mode" },
    examples,
    resource,
    args: [relayerArgument],
    define(command) {
      spec.define(command.description(description));
      command.optionsGroup("Request").option(...BODY_FILE);
    },
    async interview(call) {
      await spec.interview(call, (await readBodyFile(call.app, call.flags.file)).fields);
      return true;
    },
    async prepare(call, problems) {
      const id = await readId(call, problems, "id", call.args[0]);
      const fromFile = await readBodyFile(call.app, call.flags.file);
      const typed = await spec.typedFields(call, problems);
      const body = { ...fromFile.fields, ...typed };
      spec.validate(problems, body, sourcesOf(typed, fromFile));
      return { id, body };
    },
    run: (call, { id, body }) =>
      getView(call, {
        resource,
        request: { operation: operations[`relayers.${verb}`], parameters: { relayer_id: id }, body },
        get: (client) => spec.sign(client, id, body),
        nameOf: (signed) => textIn(signed[name]),
      }),
  };
}

export interface TextFlags {
  /** As typed: `--message`. The file's flag ends with `-file`. */
  flag: string;
  text: string | undefined;
  file: string | undefined;
}

/** Reads the exact text, including line endings; undefined without either flag. */
export async function textInput(
  { app }: Pick<Call, "app">,
  problems: Problems,
  { flag, text, file }: TextFlags,
): Promise<string | undefined> {
  if (text !== undefined && file !== undefined) problems.add(`${flag}-file`, `cannot be combined with ${flag}`);
  if (text === "") problems.add(flag, "is empty");
  return file === undefined ? text : await problems.gather(() => readExactText(app, file), flag);
}

export const signatureView: ResourceView = fieldsView("signature", ["r", "s", "v", "sig"], shown);

export const signedTransactionView: ResourceView = fieldsView(
  "signed transaction",
  ["signedXdr", "transaction", "signature"],
  shown,
);

function shown(field: string, signed: JsonObject): Cell | undefined {
  return signed[field] === undefined ? undefined : cell(signed[field]);
}
