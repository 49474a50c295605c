import type { AnyCommand, CommandSyntax, Flag } from "../commands/command.ts";
import { splitWords } from "../completion/shipped-words.ts";
import type { FieldMeaning, PolicyWords } from "../completion/words.ts";
import { NETWORK_KINDS } from "../contract/network-kind.ts";
import { type PolicyField, policyFieldAt, policyFieldPaths, policyFields } from "../contract/policy.ts";
import type { FieldTable } from "../contract/resources/field.ts";
import { relayerFields } from "../contract/resources/relayer.ts";
import { PENDING_STATUSES, STATUSES } from "../contract/transaction/transaction.ts";
import { argumentWords, buildCommandWords, commandFlagWords, flagsInCommandWords } from "./command-words.ts";
import { commandFacts } from "./help/command-facts.ts";
import { namesInHelp } from "./help/help-of.ts";
import { outputShapesOf } from "./help/output-schemas.ts";
import { TOPICS } from "./help/topics.ts";
import { type ShippedCommand, type ShippedWords, shippedFlag } from "./parsing/shipped-commands.ts";
import { requestFlagName, requestFlagsTaken } from "./request-flags.ts";
import { TREE } from "./tree.ts";

const FLAG = ["true", "false"];
const SPEEDS = ["fastest", "fast", "average", "safeLow"];

const EVERYWHERE: Readonly<Record<string, FieldMeaning>> = {
  id: { about: "its ID", is: "text" },
  name: { about: "its name", is: "text" },
  network: { about: "its network, e.g. mainnet", is: "text" },
  network_type: { about: "the network's type", values: NETWORK_KINDS },
  state: { about: "active, paused, or disabled", values: ["active", "paused", "disabled"] },
  paused: { about: "paused by an operator", values: FLAG },
  system_disabled: { about: "disabled by the service's checks", values: FLAG },
  disabled_reason: { about: "why the service disabled it" },
  "disabled_reason.type": { about: "the check that failed, e.g. NonceSyncFailed", is: "text" },
  "disabled_reason.details": { about: "what the check found", is: "text" },
  address: { about: "its address on the chain", is: "text" },
  signer_id: { about: "the signer that holds its key", is: "text" },
  notification_id: { about: "the notification that reports its events", is: "text" },
  custom_rpc_urls: { about: "its RPC URLs in place of the network's" },
  policies: { about: "its policy, in one object" },
  relayer_id: { about: "the relayer that it belongs to", is: "text" },
  created_at: { about: "when it was created", is: "text" },
  url: { about: "the URL that receives events", is: "text" },
  type: { about: "its type", is: "text" },
  has_signing_key: { about: "whether its events are signed", values: FLAG },
  is_testnet: { about: "whether its coins are worthless", values: FLAG },
  chain_id: { about: "the number of the chain", is: "number" },
  symbol: { about: "the symbol of its coin", is: "text" },
};

const OF: Readonly<Record<string, Readonly<Record<string, FieldMeaning>>>> = {
  transaction: {
    status: { about: `where it stands; ${PENDING_STATUSES.join(", ")} are pending`, values: STATUSES },
    status_reason: { about: "why it failed or ended", is: "text" },
    hash: { about: "its newest hash", is: "text" },
    nonce: { about: "its place in the relayer's order", is: "number" },
    from: { about: "the relayer's address", is: "text" },
    to: { about: "the receiver", is: "text" },
    value: { about: "the amount that it sends, e.g. 0.1eth", is: "number" },
    data: { about: "the call data", is: "text" },
    gas_limit: { about: "the most gas that it may use", is: "number" },
    gas_price: { about: "its price of gas, e.g. 20gwei", is: "number" },
    max_fee_per_gas: { about: "the most that it pays for gas, e.g. 20gwei", is: "number" },
    max_priority_fee_per_gas: { about: "its tip, e.g. 1gwei", is: "number" },
    speed: { about: "its requested speed", values: SPEEDS },
    sent_at: { about: "when it was broadcast", is: "text" },
    confirmed_at: { about: "when it was confirmed", is: "text" },
    signature: { about: "its signature", is: "text" },
    source_account: { about: "the account that it spends from", is: "text" },
    fee: { about: "the fee that it offers, in stroops", is: "number" },
    sequence_number: { about: "its place in the order of the account", is: "number" },
    transaction: { about: "the whole transaction, encoded", is: "text" },
    instructions: { about: "its instructions" },
    transaction_result_xdr: { about: "its result on the chain, encoded", is: "text" },
    is_canceled: { about: "whether its cancellation was requested", values: FLAG },
    age: { about: "the time since it was created, e.g. 10m or 2h", is: "number" },
    call: { about: "what its data calls, e.g. transfer(to …)", is: "text" },
  },
};

function fieldMeanings(resource: string, fields: readonly string[]): Record<string, FieldMeaning> {
  return Object.fromEntries(
    fields.flatMap((path) => {
      const meaning = OF[resource]?.[path] ?? findMeaning(path.replace(/^relayer\./, ""));
      return meaning ? [[path, meaning]] : [];
    }),
  );
}

const POLICY = "policies.";

function findMeaning(path: string): FieldMeaning | undefined {
  if (!path.startsWith(POLICY)) return Object.hasOwn(EVERYWHERE, path) ? EVERYWHERE[path] : labelMeaning(path);
  const key = path.slice(POLICY.length);
  const kinds = NETWORK_KINDS.filter((kind) => policyFieldAt(policyFields[kind], key));
  const [field] = kinds.flatMap((kind) => policyFieldAt(policyFields[kind], key) ?? []);
  return field && policyMeaning(field, kinds.join(", "));
}

function labelMeaning(name: string): FieldMeaning | undefined {
  const { label, holds } = (relayerFields as FieldTable)[name] ?? {};
  return label === undefined ? undefined : { about: label, ...(holds === "flag" ? { values: FLAG } : { is: "text" }) };
}

function policyMeaning(field: PolicyField, kinds: string): FieldMeaning {
  switch (field.type) {
    case "flag":
      return { about: `yes or no (${kinds})`, values: FLAG };
    case "amount":
      return { about: `amount, e.g. ${EXAMPLES[field.unit]} (${kinds})`, is: "number" };
    case "integer":
    case "decimal":
      return { about: `number (${kinds})`, is: "number" };
    case "word":
      return { about: `text (${kinds})`, ...(field.words ? { values: field.words } : { is: "text" }) };
    case "list":
      return { about: `${field.rule} (${kinds})` };
    default:
      return { about: `object (${kinds})` };
  }
}

const EXAMPLES = { wei: "80gwei", lamport: "0.01sol", stroop: "0.1xlm" };

export async function completionWords(): Promise<ShippedWords> {
  const { program, files: none } = await buildCommandWords([]);
  const nouns = await Promise.all(program.commands.map((noun) => buildCommandWords([noun.name])));
  const commands = nouns.flatMap(({ program, files }, index) => {
    const noun = program.commands[index];
    return noun
      ? [
          wordsFor(
            noun,
            files,
            program.flags.filter(({ long }) => long !== "--version"),
          ),
        ]
      : [];
  });
  const resources = nouns.flatMap(({ files }) => [...files.values()].flatMap(({ resource }) => resource ?? []));
  return {
    program: { ...wordsFor(program, none, []), commands },
    topics: Object.entries(TOPICS).map(([name, { summary }]) => ({ name, summary })),
    fields: Object.fromEntries(resources.map(({ one, fields }) => [one, fields])),
    meanings: Object.fromEntries(resources.map(({ one, fields }) => [one, fieldMeanings(one, fields)])),
    policies: policyWords(),
  };
}

export async function filesOfAllWords(): Promise<Record<string, object>> {
  return splitWords(await completionWords());
}

function policyWords(): PolicyWords[] {
  const keys = new Set(NETWORK_KINDS.flatMap((kind) => policyFieldPaths(policyFields[kind])));
  return [...keys].sort().map((key) => {
    const kinds = NETWORK_KINDS.filter((kind) => policyFieldAt(policyFields[kind], key));
    const fields = kinds.flatMap((kind) => policyFieldAt(policyFields[kind], key) ?? []);
    const values = new Set(fields.flatMap(fieldValues));
    return { key, summary: kinds.join(", "), values: [...values] };
  });
}

function fieldValues(field: PolicyField): readonly string[] {
  if (field.type === "flag") return ["true", "false"];
  return field.type === "word" ? (field.words ?? []) : [];
}

function wordsFor(
  command: CommandSyntax,
  files: ReadonlyMap<CommandSyntax, AnyCommand>,
  common: readonly Flag[],
): ShippedCommand {
  const bare = bareVerb(command);
  const file = files.get(command);
  const run = files.get(bare ?? command);
  const { args = [], resource } = run ?? {};
  const lacks = run ? flagsWithoutEffect(run, bare ?? command, common) : [];
  return {
    name: command.name,
    summary: command.summary,
    commands: command.commands.map((verb) => wordsFor(verb, files, common)),
    flags: flagsInCommandWords(bare ?? command).map((flag) => ({ ...commandFlagWords(flag), ...shippedFlag(flag) })),
    args: args.map((argument) => argumentWords(argument, command.name)),
    ...(lacks.length > 0 && { lacks }),
    ...(args.at(-1)?.name.includes("...") && { many: true }),
    ...(resource && { resource: resource.one }),
    ...(file && { page: { about: command.about, ...commandFacts(file) } }),
  };
}

function flagsWithoutEffect(file: AnyCommand, command: CommandSyntax, common: readonly Flag[]): string[] {
  const hasData = outputShapesOf(namesInHelp(command).join(" ")).length > 0;
  const taken = new Set(requestFlagsTaken(file, hasData).map(requestFlagName));
  const own = new Set(command.flags.map(({ long }) => long));
  return common.map(({ long }) => long).filter((long) => !taken.has(long.replace(/^--no-/, "--")) && !own.has(long));
}

function bareVerb(noun: CommandSyntax): CommandSyntax | undefined {
  const branch = Object.hasOwn(TREE, noun.name) ? TREE[noun.name] : undefined;
  if (!branch || !("verbs" in branch) || noun.parent?.parent) return undefined;
  return noun.commands.find(({ name }) => name === branch.bare);
}
