import { canPrompt, flagWords } from "../../command-support/prompting/prompts.ts";
import { askSecretFlag, readSecretFlag, type SecretInput } from "../../command-support/prompting/secret-flag.ts";
import { isDryRun } from "../../command-support/shown.ts";
import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { Problems } from "../../contract/problems.ts";
import { requestFieldProblem } from "../../contract/requests.ts";
import type { Signer } from "../../contract/resources/signer.ts";
import { RelayctlError } from "../../errors.ts";
import { hideSecrets } from "../../session/hide-secrets.ts";
import { readInputObject } from "../../session/input-file.ts";
import { commandLine } from "../../shell/shell-words.ts";
import type { View } from "../../terminal/view.ts";
import { signerView } from "../../views/signer.ts";
import type { Call, CommandFile } from "../command.ts";
import { createGeneratedKeyFile, newGeneratedKey, requireKeyOut, validateGeneratedKey } from "../generated-key.ts";
import { type Creation, sendCreation } from "../send-creation.ts";
import {
  attributeOf,
  type ConfigField,
  type CreateFlags,
  defineSignerCreateFlags,
  isSignerFieldRead,
  signerFieldIn,
  signerFieldsOf,
  type TypedCreation,
  typedSignerCreation,
  validateSignerCreation,
  withSignerField,
} from "./typed-creation.ts";

export const signersCreate: CommandFile<CreateFlags, JsonObject> = {
  summary: "Create a signer of any type; its secrets come from files",
  sends: "create",
  examples: [
    "relayctl signers create --type plain --id hot-2 --generate --key-out hot-2.key",
    "relayctl signers create --type aws_kms --region eu-west-1 --key-id 1234abcd-12ab-34cd-56ef-1234567890ab",
    "relayctl signers create --type vault_transit --address https://vault.example.org --key-name relayer --pubkey 0x02a1 --role-id-file role --secret-id-file secret --dry-run",
  ],
  resource: signerView,
  description:
    "Create a signer. Secrets are read from files, from stdin (`-`), or at a hidden prompt, and never printed. With --generate, the key of a plain signer is new, and relayctl writes it only to the file of --key-out. The service does not allow changes to a signer: delete it and create another.",
  define: defineSignerCreateFlags,
  interview: async (call) => (await import("./typed-creation.ts")).createSignerInterview(call),
  inScripts: async (call) => (await import("./typed-creation.ts")).signerSecretWords(call),
  async prepare(call, problems) {
    const typed = await typedSignerCreation(call, problems);
    validateGeneratedKey(call.flags, ["--key-file", call.flags.keyFile], problems);
    requireKeyOut(call.flags, problems);
    if (call.flags.generate && typed.type !== undefined && typed.type !== "plain")
      problems.add("--generate", "only makes keys of signers of type plain");
    const body = await withFiles(call, typed, problems);
    validateSignerCreation({ ...typed, body }, problems);
    return body;
  },
  async run(call, body) {
    const path = call.flags.generate && call.flags.keyOut;
    if (path === undefined) return await sendSigner(call, body);
    if (isDryRun(call)) {
      await call.say({ note: `no key was written to ${path}; CONFIG_KEY stands for a generated key` });
      return await sendSigner(call, body);
    }
    const { id } = body;
    const again = async () => {
      const words = ["signers", "create", "--type", "plain", ...(typeof id === "string" ? flagWords("--id", id) : [])];
      return commandLine(...(await call.session()).flags, ...words, ...flagWords("--key-file", path));
    };
    const key = String(signerFieldIn(body, PLAIN_KEY));
    let isWritten = false;
    try {
      return await sendSigner(call, body, {
        create: async (client) => {
          await createGeneratedKeyFile(call, { key, path }, again);
          isWritten = true;
          return await client.signers.create(body);
        },
        more: () => ({ effects: [`the key is in ${path}, and nowhere else: the service never returns it`] }),
      });
    } catch (error) {
      if (!isWritten || !(error instanceof RelayctlError)) throw error;
      if (error.applied !== "no")
        throw error.with({ because: [`keep the new key in ${path}: the service may use it`] });
      const because = [`the new key stays in ${path}; the service does not use it`];
      const line = await again();
      throw error.with({ because, hint: line, again: line });
    }
  },
};

const PLAIN_KEY = { path: ["key"] } as const;

async function sendSigner(
  call: Call,
  body: JsonObject,
  generated: Partial<Pick<Creation<Signer>, "create" | "more">> = {},
): Promise<View> {
  return await sendCreation<Signer>(call, {
    noun: "signer",
    resource: signerView,
    body,
    create: (client) => client.signers.create(body),
    ...generated,
  });
}

async function withFiles(call: Call<CreateFlags>, { type, body }: TypedCreation, problems: Problems) {
  hideSecrets(call.app, body);
  let { config = {} } = body;
  for (const configField of type ? signerFieldsOf(type).filter(isSignerFieldRead) : []) {
    const value = await readConfigField(call, configField, signerFieldIn(body, configField) !== undefined, problems);
    config = withSignerField(config as JsonObject, configField, value);
  }
  const whole = type ? { ...body, config } : body;
  hideSecrets(call.app, whole);
  return whole;
}

async function readConfigField(
  call: Call<CreateFlags>,
  configField: ConfigField,
  isThere: boolean,
  problems: Problems,
): Promise<JsonValue | undefined> {
  const { field, flag } = configField;
  if (call.flags.generate && flag === "--key-file") {
    if (isThere) problems.add("--generate", "cannot be combined with a key in the file");
    return newGeneratedKey(call);
  }
  const typed = call.flags[attributeOf(configField)];
  const file = typeof typed === "string" ? typed : undefined;
  if (field.asFile) return file === undefined ? undefined : await problems.gather(() => readAccount(call, file), flag);
  const input: SecretInput = {
    flag,
    file,
    question: `${configField.field.about.charAt(0).toUpperCase()}${configField.field.about.slice(1)} (hidden):`,
    problem: (text) => requestFieldProblem(field, text),
  };
  const isMissing = file === undefined && !isThere && !field.optional;
  if (isMissing && canPrompt(call.app, call.common)) return await askSecretFlag(call, problems, input);
  return await readSecretFlag(call, problems, input);
}

async function readAccount({ app }: Call, file: string): Promise<JsonObject> {
  const { type: _, ...account } = await readInputObject(app, file);
  return account;
}
