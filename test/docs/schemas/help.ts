import { closed, count, flag, list, type Members, orNull, text, texts, word } from "./schema.ts";

const VALUE: Members = {
  type: text("The type of the value: boolean, choice, text, or the resource whose ID it is."),
};
const CHOICES: Members = { choices: texts("The allowed words of a choice.") };

const FLAGS = list(
  "The flags.",
  closed(
    "A flag.",
    {
      names: texts("Its spellings."),
      description: text("What it does."),
      required: flag("Whether the command needs it."),
      repeatable: flag("Whether it can be typed several times."),
      default: orNull(text("The default; null if there is none.")),
      ...VALUE,
    },
    { placeholder: text("The name of the value in help; absent if there is no value."), ...CHOICES },
  ),
);

const ARGUMENT = closed(
  "An argument.",
  {
    name: text("The name in help."),
    description: text("What it is."),
    required: flag("Whether the command needs it."),
    repeatable: flag("Whether several can be typed."),
    ...VALUE,
  },
  { unless: texts("The flags that replace it."), ...CHOICES },
);

const CODE: Members = { code: count("The exit code."), word: text("The stable word for it.") };

const COMMAND = closed("A command.", {
  command: text("The words of the command, e.g. relayers list."),
  summary: text("One line about it."),
  description: text("What it does."),
  effect: word("The most that it can do: nothing to the service, read, write, or spend money.", [
    "local",
    "read",
    "write",
    "money",
  ]),
  arguments: list("The arguments, in order.", ARGUMENT),
  flags: { ...FLAGS, description: "The flags, without the common ones." },
  common_flags: texts("The common flags that have an effect on the command; it refuses the others, except -v and -y."),
  output: list(
    "The shapes of what -o json and -o ndjson print; empty if the command prints no data.",
    closed("A shape of the output.", {
      schema: text("The path of the schema in the package, e.g. docs/schemas/relayer.json."),
      form: word("A single value, an array of values, or lines of ndjson that are printed as things change.", [
        "one",
        "list",
        "events",
      ]),
    }),
  ),
  examples: texts("Three complete command lines."),
  exit_codes: list(
    "The exit codes.",
    closed("An exit code.", { ...CODE, meaning: text("When the command ends with it.") }),
  ),
  environment: texts("The variables that it reads, without the variables that every command reads."),
});

export const HELP = closed("Everything that can be typed: the output of relayctl help --json.", {
  format: count("The version of this format. It increases if a member is removed or changes its meaning."),
  program: text("Always relayctl."),
  version: text("The version of relayctl."),
  commands: list("The commands.", COMMAND),
  common_flags: { ...FLAGS, description: "The flags that commands have in common." },
  exit_codes: list("All exit codes.", closed("An exit code.", CODE)),
});
